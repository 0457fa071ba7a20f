import { say } from '../../words/words.svelte.ts';
import type { View } from './view.ts';

/** The last round has begun when there is no more than a tile for everybody. */
export function last(view: unknown): string {
  const { asked, river, pile, seats } = view as View;
  const left = river.length + pile.length;
  return asked !== 'over' && left > 0 && left <= seats ? say('page.end.last.grandbois', { n: left }) : '';
}
