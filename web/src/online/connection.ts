/** The connection to the server, as it is told to people: what happened to it, and how it
 * stands now. Pure: time comes in with what happened. */

/** How the connection stands. */
export type ConnectionState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'offline';

/** So long after it broke, in milliseconds, a connection is said to be down; before that, to
 * come back. */
export const grace = 2000;

/** A sign of life that is so late, in milliseconds, does not come any more. */
export const lateness = 5000;

/** Until the server has said when the next sign of life comes. */
export const usual = 15_000;

export interface Connection {
  readonly state: ConnectionState;
  readonly broke: number | null; // when, where it is broken or doubted
  readonly heard: number; // when anything last came
  readonly next: number; // the server promised a sign of life within so many milliseconds
}

export const idle: Connection = { state: 'idle', broke: null, heard: 0, next: usual };

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

/** How the connection stands after something happened. */
export function after(connection: Connection, what: Happened, at: number): Connection {
  switch (what.is) {
    case 'begin':
      return { ...connection, state: connection.state === 'idle' ? 'connecting' : connection.state, heard: at };
    case 'heard':
      return { state: 'connected', broke: null, heard: at, next: what.next ?? connection.next };
    case 'broken':
      return aged({ ...connection, state: connection.state === 'offline' ? 'offline' : 'reconnecting', broke: connection.broke ?? at }, at);
    case 'doubt':
      return connection.broke === null ? { ...connection, broke: at } : aged(connection, at);
    case 'answered':
      return connection.state === 'connected' ? { ...connection, broke: null } : connection;
    case 'offline':
      return { ...connection, state: 'offline', broke: connection.broke ?? at };
    case 'silent':
      return { ...connection, state: 'offline', broke: connection.broke ?? at, heard: at };
    case 'look':
      return aged(connection, at);
    case 'end':
      return idle;
  }
}

/** A connection that was broken or doubted for long enough is down. */
function aged(connection: Connection, at: number): Connection {
  return connection.broke !== null && connection.state !== 'idle' && at - connection.broke >= grace ? { ...connection, state: 'offline' } : connection;
}

/** Whether nothing came for so long that nothing will. */
export function dead({ heard, next }: Connection, at: number): boolean {
  return at - heard >= next + lateness;
}

/** In how many milliseconds it is to be looked at again: when a doubt becomes
 * certain, or when a sign of life is overdue. */
export function until(connection: Connection, at: number): number {
  const doubt = connection.broke === null || connection.state === 'offline' ? Infinity : connection.broke + grace - at;
  return Math.max(0, Math.min(doubt, connection.heard + connection.next + lateness - at));
}
