/** What a server, an engine or the next frame answers is not there at once. */
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';

/** How long anything is waited for, in milliseconds: machines that test are busy ones. */
export const longest = 180_000;

/** Reads until what is read is what it should be: equal to it, told by a pattern, or as a
 * function says. Gives what was read; fails with what was read last. */
export async function eventually(read, expected, message) {
  for (const late = Date.now() + longest; ; await later(20)) {
    const now = await read();
    try {
      if (expected instanceof RegExp) assert.match(now, expected);
      else if (typeof expected === 'function') assert.ok(expected(now));
      else assert.deepEqual(now, expected);
      return now;
    } catch (error) {
      if (Date.now() < late) continue;
      throw new assert.AssertionError({ message: `${message ?? 'it does not come to be so'}, but stays ${JSON.stringify(now)}`, actual: now, expected, operator: error.operator });
    }
  }
}
