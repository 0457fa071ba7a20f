/** What the server offers: paces with their figures, set phrases. */
import { say } from '../words/words.svelte.ts';
import type { GamesReply, Pace } from './api.gen.ts';
import { ask } from './client.ts';

let offer: Promise<GamesReply> | undefined;

/** Asked for once; again where nobody answered. */
export function offerOf(): Promise<GamesReply> {
  offer ??= ask('GET /api/games');
  offer.catch(() => (offer = undefined));
  return offer;
}

/** Units of time, and how many of one are said. The words are ours: a browser takes longer to
 * learn its own (`Intl`) than to draw a lobby. */
const units: [number, (n: number) => string][] = [
  [86_400_000, (n) => say('page.online.days', { n })],
  [3_600_000, (n) => say('page.online.span.hour', { n })],
  [60_000, (n) => say('page.online.span.minute', { n })],
  [1000, (n) => say('page.online.span.second', { n })],
];

/** A span of time in words, in the largest unit that leaves no rest. */
export function span(ms: number): string {
  const [length, say] = units.find(([length]) => ms >= length && ms % length === 0) ?? units[3];
  return say(ms / length);
}

/** How much time a pace gives. */
export function paceWords({ bank, step, night }: Pick<Pace, 'bank' | 'step' | 'night'>): string {
  const time = step ? say('page.online.pace.about', { bank: span(bank), step: span(step) }) : say('page.online.pace.about.bank', { bank: span(bank) });
  return night ? `${time} ${say('page.online.pace.night')}` : time;
}
