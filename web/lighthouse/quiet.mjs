/** What a visit would have been had nothing else run on this machine: Lighthouse reckons
 * with how long tasks took by the clock, and a task that had to wait for a processor took
 * longer than it worked. Here every task of the page's main thread takes what it worked,
 * and every answer of the server a few milliseconds. What waits for a processor beside
 * the page's own threads, such as the compiling of an engine, is not told apart from what
 * waits for strangers: so this is a floor, and the clock of a quiet machine says more. */

const answered = 5; // milliseconds from a request to the head of its answer

/** The trace with working time for time by the clock, on the main thread of each page. */
export function worked(trace) {
  const key = ({ pid, tid }) => `${pid} ${tid}`;
  const mains = new Set(trace.traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(key));
  const byThread = new Map([...mains].map((main) => [main, []]));
  const rest = [];
  for (const event of trace.traceEvents) (byThread.get(key(event)) ?? rest).push(event);
  for (const events of byThread.values()) {
    events.sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
    let task = null;
    for (const event of events) {
      const { ts, dur, tdur } = event;
      if (task && ts >= task.end) task = null;
      if (task) {
        const done = event.tts === undefined ? ((ts - task.ts) * task.tdur) / Math.max(task.dur, 1) : event.tts - task.tts;
        event.ts = task.ts + Math.min(Math.max(Math.round(done), 0), task.tdur);
        if (event.ph === 'X' && tdur !== undefined) event.dur = tdur;
      } else if (event.ph === 'X' && dur && tdur !== undefined && /RunTask$/.test(event.name)) {
        task = { ts, tts: event.tts, dur, tdur, end: ts + dur };
        event.dur = tdur;
      }
    }
    rest.push(...events);
  }
  return { ...trace, traceEvents: rest.sort((a, b) => a.ts - b.ts) };
}

/** The log of the network with a server that answers at once. */
export function answers(log) {
  for (const { method, params } of log) {
    const timing = method === 'Network.responseReceived' && params.response.timing;
    if (timing && timing.sendEnd >= 0) timing.receiveHeadersEnd = timing.sendEnd + answered;
    if (timing && timing.receiveHeadersStart !== undefined) timing.receiveHeadersStart = timing.receiveHeadersEnd;
  }
  return log;
}
