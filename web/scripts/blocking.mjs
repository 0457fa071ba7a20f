/** What keeps the page from hearing whoever uses it while it loads on a phone: of each task
 * of its main thread the processor time beyond 50 ms on a phone that is four times slower
 * than this machine, summed from the first paint on; the longest tasks, and what they did.
 *
 *   node web/scripts/blocking.mjs [home|rules|table|lobby …]
 *
 * RUNS=5 visits of each. It counts processor time and not the clock, so a busy machine says
 * nearly what a quiet one does; OTHER=…/copse visits another build by turns, to compare with.
 * FUNCTIONS=1 says which functions took the time (of a build with `minify: false` they have
 * names), and costs some time itself. */
import { chromium } from 'playwright-core';
import { guest } from '../browser/guests.mjs';
import { binary, bot, kept, person, serve } from '../browser/stand.mjs';

const runs = Number(process.env.RUNS || 5);
const functions = !!process.env.FUNCTIONS;
const slower = 4;
const free = 50 / slower; // what a task may take here, in milliseconds
const quiet = 5000; // until nothing more is expected

/** The telephone that Lighthouse takes. */
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true, locale: 'en-GB' };

const categories = ['-*', 'toplevel', 'loading', 'v8', 'v8.execute', 'blink.user_timing', 'devtools.timeline', 'disabled-by-default-devtools.timeline', ...(functions ? ['disabled-by-default-v8.cpu_profiler'] : [])];

/** What an event of a trace is called in the report; those of no name count to who called them. */
const names = {
  ParseHTML: 'HTML',
  ParseAuthorStyleSheet: 'parse style',
  Layout: 'layout',
  PrePaint: 'before paint',
  Paint: 'paint',
  Layerize: 'layers',
  Commit: 'commit',
  UpdateLayer: 'layers',
  MinorGC: 'garbage',
  MajorGC: 'garbage',
  'V8.GC_MC_BACKGROUND_MARKING': 'garbage',
  'v8.compile': 'compile',
  'v8.compileModule': 'compile',
  'V8.CompileCode': 'compile',
  'v8.deserializeOnBackground': 'compile',
  HitTest: 'hit test',
};

/** The part of a file's name that stays from build to build. */
const file = (url) => (url ? new URL(url, 'http://x').pathname.split('/').at(-1).replace(/-[\w-]{7}\.js$/, '') || '/' : '');

function nameOf({ name, args }) {
  if (name === 'UpdateLayoutTree') return `style of ${args?.elementCount ?? args?.data?.elementCount ?? '?'}`;
  const own = names[name];
  if (own) return own === 'compile' ? `compile ${file(args?.data?.url ?? args?.fileName)}`.trim() : own;
  if (name === 'v8.evaluateModule' || name === 'EvaluateScript') return `evaluate ${file(args?.data?.url ?? args?.fileName)}`.trim();
  if (name === 'FunctionCall') return `script ${file(args?.data?.url)}`.trim();
  if (name === 'RunMicrotasks') return 'script after promises';
  if (name === 'TimerFire') return 'timer';
  if (name === 'FireAnimationFrame') return 'frame';
  if (name === 'HandlePostMessage') return 'message';
  return '';
}

/** The tasks of the main thread, each with what its time went to. */
function tasksOf(events) {
  const first = events.find(({ name, args }) => name === 'firstContentfulPaint' && args?.frame);
  if (!first) throw new Error('nothing was painted');
  const mine = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid);
  const began = mine.filter(({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL?.startsWith('http')).at(-1)?.ts ?? mine[0].ts;
  const whole = mine.filter(({ ph, tdur, ts }) => ph === 'X' && tdur !== undefined && ts >= began).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const tasks = [];
  let task = null;
  let open = []; // events that have not ended, outermost first
  const count = (what, ms) => task.spent.set(what, (task.spent.get(what) ?? 0) + ms);
  for (const event of whole) {
    const ms = event.tdur / 1000;
    if (/RunTask$/.test(event.name)) {
      if (task && event.ts < task.ends) continue; // one within another
      task = { at: (event.ts - began) / 1000, begins: event.ts, ends: event.ts + event.dur, painted: event.ts + event.dur > first.ts, ms, spent: new Map() };
      open = [{ ends: task.ends, name: 'other' }];
      count('other', ms);
      tasks.push(task);
      continue;
    }
    if (!task || event.ts >= task.ends) continue;
    const name = nameOf(event);
    if (!name) continue;
    while (open.length > 1 && open.at(-1).ends <= event.ts) open.pop();
    count(open.at(-1).name, -ms); // it is counted where it was spent
    count(name, ms);
    open.push({ ends: event.ts + event.dur, name });
  }
  if (functions) addFunctions(events.filter(({ pid }) => pid === first.pid), tasks);
  const late = tasks.filter(({ painted }) => painted);
  const sum = (list, of) => list.reduce((sum, one) => sum + of(one), 0);
  return {
    tasks,
    before: sum(tasks.filter(({ painted }) => !painted), ({ ms }) => ms),
    all: sum(tasks, ({ ms }) => ms),
    blocked: slower * sum(late, ({ ms }) => Math.max(0, ms - free)),
    held: slower * sum(tasks, ({ ms }) => Math.max(0, ms - free)),
    longest: slower * Math.max(...tasks.map(({ ms }) => ms)),
  };
}

/** Adds to each task in which functions its time was, with all that they called. */
function addFunctions(events, tasks) {
  const nodes = new Map();
  const profile = events.find(({ name, tid }) => name === 'Profile' && tid === events.find(({ name }) => name === 'firstContentfulPaint').tid) ?? events.find(({ name }) => name === 'Profile');
  if (!profile) return;
  let now = profile.args.data.startTime;
  let at = 0;
  const id = profile.id;
  for (const { args } of events.filter((event) => event.name === 'ProfileChunk' && event.id === id).sort((a, b) => a.ts - b.ts)) {
    const { cpuProfile, timeDeltas = [] } = args.data;
    for (const node of cpuProfile?.nodes ?? []) nodes.set(node.id, node);
    (cpuProfile?.samples ?? []).forEach((sample, n) => {
      const took = timeDeltas[n] / 1000;
      now += timeDeltas[n];
      while (at < tasks.length && tasks[at].ends < now) at++;
      if (at >= tasks.length || now < tasks[at].begins) return;
      tasks[at].in ??= new Map();
      const seen = new Set();
      for (let node = nodes.get(sample); node; node = nodes.get(node.parent)) {
        const { functionName, url } = node.callFrame;
        const key = `${functionName}${url ? ` (${file(url)})` : ''}`;
        if (!functionName || seen.has(key) || ['(root)', '(program)', '(idle)'].includes(functionName)) continue;
        seen.add(key);
        tasks[at].in.set(key, (tasks[at].in.get(key) ?? 0) + took);
      }
    });
  }
}

/** Runs in the page: waits until nothing has been fetched or drawn for so many milliseconds. */
function still(quiet) {
  return new Promise((done) => {
    let timer = 0;
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(done, quiet);
    };
    new MutationObserver(again).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
    new PerformanceObserver(again).observe({ type: 'resource' });
    again();
  });
}

/** One visit, in a browser that was never here. */
async function visit(url, path, game) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
  try {
    const context = await browser.newContext(phone);
    const page = await context.newPage();
    await page.goto(`${url}/robots.txt`); // of the same origin, and keeps nothing
    await page.evaluate((game) => game && localStorage.setItem(`copse.game.${game.id}`, JSON.stringify(game)), game);
    await browser.startTracing(page, { categories });
    await page.goto(url + path, { waitUntil: 'load' });
    await page.evaluate(still, quiet);
    return tasksOf(JSON.parse((await browser.stopTracing()).toString()).traceEvents);
  } finally {
    await browser.close();
  }
}

const table = kept({ game: 'bosk', version: 1, players: [person('Ada'), bot()] });
const builds = [];
for (const program of process.env.OTHER ? [process.env.OTHER, binary] : [binary]) {
  const server = await serve(0, '', [], program);
  const luc = await guest(server.url, 'Luc');
  const lobby = await luc.set({ game: 'grandbois', seats: 4 });
  await luc.sit(lobby, 0);
  builds.push({ program, server, lobby });
}

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const ms = (n) => `${Math.round(n)} ms`;
const parts = (spent, least) => [...spent].filter(([, took]) => took >= least).sort((a, b) => b[1] - a[1]).map(([what, took]) => `${what} ${took.toFixed(1)}`).join(', ');

try {
  const asked = process.argv.slice(2);
  for (const name of asked.length ? asked : ['home', 'rules', 'table', 'lobby']) {
    for (const build of builds) build.seen = [];
    for (let run = 0; run < runs; run++)
      for (const build of builds) {
        const path = { home: '/', rules: '/rules/bosk', table: `/table/${table.id}`, lobby: `/t/${build.lobby}` }[name];
        if (!path) throw new Error(`there is no page ${name} here: home, rules, table, lobby`);
        build.seen.push(await visit(build.server.url, path, name === 'table' ? table : null));
      }
    for (const { program, seen } of builds) {
      const of = (what) => middle(seen.map(what));
      const blocked = seen.map(({ blocked }) => blocked).sort((a, b) => a - b);
      console.log(`${name.padEnd(6)} blocked ${ms(middle(blocked))} (${blocked.map(Math.round).join(' ')}), ${ms(of(({ held }) => held))} with what comes before the first paint, longest task ${ms(of(({ longest }) => longest))}, all before the first paint ${ms(slower * of(({ before }) => before))}, all in all ${ms(slower * of(({ all }) => all))}${builds.length > 1 ? `  ${program}` : ''}`);
    }
    // What they did, of the visit in the middle, of our own build; as it is here, not slowed.
    const { seen } = builds.at(-1);
    const shown = [...seen].sort((a, b) => a.blocked - b.blocked)[Math.floor(seen.length / 2)];
    for (const task of [...shown.tasks].sort((a, b) => b.ms - a.ms).slice(0, 10)) {
      console.log(`  ${task.ms.toFixed(1).padStart(6)} ms here, ${ms(task.at)} after the start: ${parts(task.spent, 0.5)}`);
      if (task.in) console.log(`         ${parts(task.in, task.ms / 12)}`);
    }
  }
} finally {
  for (const { server } of builds) await server.stop();
}
