import type { Component } from 'svelte';
import { gameNames } from '../games/registry.ts';
import BoskPicture from './art/BoskPicture.svelte';
import GuildPick from '../games/treesociety/GuildPick.svelte';
import GrandBoisPicture from './art/GrandBoisPicture.svelte';
import TreeSocietyPicture from './art/TreeSocietyPicture.svelte';

/** A game as it stands on the shelf. */
export interface Boxed {
  name: string;
  minutes: number; // about how long a game against bots takes
  seats: readonly number[]; // how many can play
  bots: number; // how many we sit down against if nobody chooses
  Picture: Component;
  /** Chooses some words of an option, where a game has one. */
  Pick?: Component<{ label: string; choices: readonly string[]; value: readonly string[]; change: (words: string[]) => void }>;
  fair: string; // the chapter of its rules that says what each seat is worth
  cards?: true; // its cards can be looked at
}

const boxes: Record<string, Omit<Boxed, 'name'>> = {
  bosk: { minutes: 20, seats: [2, 3, 4], bots: 1, fair: '8', Picture: BoskPicture },
  grandbois: { minutes: 15, seats: [2, 3, 4], bots: 2, fair: '5', Picture: GrandBoisPicture },
  treesociety: { minutes: 30, seats: [2, 3, 4], bots: 2, fair: '8', Picture: TreeSocietyPicture, Pick: GuildPick, cards: true },
};

export const shelf: readonly Boxed[] = gameNames.flatMap((name) => (boxes[name] ? { name, ...boxes[name] } : []));
