import { say } from '../../words/words.svelte.ts';
import type { View } from './view.ts';

/** The last round was named when the end was triggered, and has come. */
export function last(view: unknown): string {
  const { phase, round, last } = view as View;
  return phase !== 'over' && last !== null && round >= last ? say('page.end.last.treesociety') : '';
}
