/** How cards are drawn. That is fetched once a first board stands: no card lies on
 * it. Imports stand apart, since of two in one expression the build makes one, and
 * leaves out the style of the other. */
import type { Component } from 'svelte';
import type { GuildCard, QuoteView } from './view.ts';

type Guild = Promise<{ default: Component<{ card: GuildCard; level?: number; quote?: QuoteView | null; legal?: boolean }> }>;

const guilds = { small: (): Guild => import('./SmallCard.svelte'), large: (): Guild => import('./GuildCard.svelte') };

/** A guild card, on a small screen or on another. */
export const guildCard = (small: boolean): Guild => guilds[small ? 'small' : 'large']();

export const fruitCard = () => import('./FruitCard.svelte');
