import { expect, test, vi } from 'vitest';
import type { Engine } from '../engine/engine.ts';
import { InProcess } from '../engine/inprocess.ts';
import { think } from './thought.ts';

/** Workers that think, each with what becomes of it: the real engine, unless it
 * dies or is ended while it thinks. */
let fates: ('dies' | 'is ended' | 'lives')[] = [];
const program = new InProcess();
vi.mock('../engine/shop.svelte.ts', () => ({
  hiredCrew() {
    const fate = fates.shift()!;
    const shop = { broke: false, engine: () => engine as Engine };
    const own = program.engine();
    const engine = {
      async ask(...what: Parameters<Engine['ask']>) {
        if (what[0] === 'think' && fate !== 'lives') {
          shop.broke = fate === 'dies';
          throw new Error(fate);
        }
        return own.ask(...what);
      },
      leave: () => own.leave(),
    } as Engine;
    return shop;
  },
}));

async function begun() {
  const set = { game: 'bosk', seats: 2, options: {}, version: 1 };
  const table = program.engine();
  await table.ask('new', { ...set, chance: 'manual', seed: 'oak' });
  const sight = { ...set, seat: 0, ...(await table.ask('record', { seat: 0 })) };
  table.leave();
  return sight;
}
const asked = { player: 'level:2', seed: 'ash', ms: 60_000 };

test('where the worker dies that thinks, it is thought of once more', async () => {
  const sight = await begun();
  fates = ['lives'];
  const thought = await think(sight, asked, (found) => found);
  fates = ['dies', 'lives'];
  expect(await think(sight, asked, (found) => found)).toEqual(thought);
  fates = ['dies', 'dies', 'lives'];
  await expect(think(sight, asked, (found) => found)).rejects.toThrow('dies');
  expect(fates).toEqual(['lives']);
});

test('a thought that was ended is not begun again', async () => {
  const sight = await begun();
  fates = ['is ended', 'lives'];
  await expect(think(sight, asked, (found) => found)).rejects.toThrow('is ended');
  expect(fates).toEqual(['lives']);
});
