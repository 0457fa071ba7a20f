import { storage as own } from '../app/storage.ts';
import { all, forget } from './kept.ts';
import { due } from './sides.ts';

/** How many finished games are kept; the oldest go first. */
const mostFinished = 60;

/** Lets the oldest finished games go. One that waits for the next is not finished. */
export function tidy(storage: Storage = own) {
  for (const old of all(storage).filter((g) => g.result && !due(g, storage)).slice(mostFinished)) forget(old.id, storage);
}
