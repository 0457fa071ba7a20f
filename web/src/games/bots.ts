import type { Key } from '../words/words.svelte.ts';

export interface Bot {
  id: string; // who thinks, for the engine
  name: Key;
  about: Key;
}

/** The bots that can be sat against, the weakest first. */
export const bots: readonly Bot[] = [
  { id: 'easy', name: 'page.bot.easy', about: 'page.bot.easy.about' },
  { id: 'greedy', name: 'page.bot.greedy', about: 'page.bot.greedy.about' },
  { id: 'ahead', name: 'page.bot.ahead', about: 'page.bot.ahead.about' },
];
