/** The line to the server, as it is told to people: what happened to it, and how it
 * stands now. Pure: time comes in with what happened. */

/** How the line stands. */
export type LineState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'offline';

/** So long after it broke, in milliseconds, a line is said to be down; before that, to
 * come back. */
export const grace = 2000;

/** A sign of life that is so late, in milliseconds, does not come any more. */
export const lateness = 5000;

/** Until the server has said when the next sign of life comes. */
export const usual = 15_000;

export interface Line {
  readonly state: LineState;
  readonly broke: number | null; // when, where it is broken or doubted
  readonly heard: number; // when anything last came
  readonly next: number; // the server promised a sign of life within so many milliseconds
}

export const idle: Line = { state: 'idle', broke: null, heard: 0, next: usual };

export type Happened =
  | { is: 'begin' } // it is opened, or opened otherwise
  | { is: 'heard'; next?: number } // something came; `next` as a sign of life says it
  | { is: 'broken' } // it ended, or could not be opened
  | { is: 'doubt' } // a request was not answered
  | { is: 'answered' } // one was
  | { is: 'offline' } // the browser says so
  | { is: 'silent' } // what was promised has not come
  | { is: 'look' } // time has passed
  | { is: 'end' };

/** How the line stands after something happened. */
export function after(line: Line, what: Happened, at: number): Line {
  switch (what.is) {
    case 'begin':
      return { ...line, state: line.state === 'idle' ? 'connecting' : line.state, heard: at };
    case 'heard':
      return { state: 'connected', broke: null, heard: at, next: what.next ?? line.next };
    case 'broken':
      return aged({ ...line, state: line.state === 'offline' ? 'offline' : 'reconnecting', broke: line.broke ?? at }, at);
    case 'doubt':
      return line.broke === null ? { ...line, broke: at } : aged(line, at);
    case 'answered':
      return line.state === 'connected' ? { ...line, broke: null } : line;
    case 'offline':
      return { ...line, state: 'offline', broke: line.broke ?? at };
    case 'silent':
      return { ...line, state: 'offline', broke: line.broke ?? at, heard: at };
    case 'look':
      return aged(line, at);
    case 'end':
      return idle;
  }
}

/** A line that was broken or doubted for long enough is down. */
function aged(line: Line, at: number): Line {
  return line.broke !== null && line.state !== 'idle' && at - line.broke >= grace ? { ...line, state: 'offline' } : line;
}

/** Whether nothing came for so long that nothing will. */
export function dead({ heard, next }: Line, at: number): boolean {
  return at - heard >= next + lateness;
}

/** In how many milliseconds it is to be looked at again: when a doubt becomes
 * certain, or when a sign of life is overdue. */
export function until(line: Line, at: number): number {
  const doubt = line.broke === null || line.state === 'offline' ? Infinity : line.broke + grace - at;
  return Math.max(0, Math.min(doubt, line.heard + line.next + lateness - at));
}
