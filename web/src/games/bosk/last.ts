import { say } from '../../words/words.svelte.ts';
import type { View } from './view.ts';

/** The last round is the last of autumn. */
export function last(view: unknown): string {
  const { season, round, asks } = view as View;
  return season === 'autumn' && round === asks.length ? say('page.end.last.bosk') : '';
}
