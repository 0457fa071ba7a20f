/** How lively it is on the server, in words. */
import { say } from '../words/words.svelte.ts';
import type { House } from './api.gen.ts';

/** Who is here and what is open; nothing of what there is none of. */
export function countsOf({ people, open, playing }: Pick<House, 'people' | 'open' | 'playing'>): string[] {
  return [people ? say('page.house.people', { n: people }) : '', open ? say('page.house.open', { n: open }) : '', playing ? say('page.house.playing', { n: playing }) : ''].filter(Boolean);
}
