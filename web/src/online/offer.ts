/** What the server offers: paces with their figures, set phrases. */
import { say, writing } from '../words/words.svelte.ts';
import type { GamesReply, Pace } from './api.gen.ts';
import { ask } from './client.ts';

let offer: Promise<GamesReply> | undefined;

/** Asked for once; again where nobody answered. */
export function offerOf(): Promise<GamesReply> {
  offer ??= ask('GET /api/games');
  offer.catch(() => (offer = undefined));
  return offer;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A span of time in words, in the largest unit that leaves no rest. */
export function span(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length && ms % length === 0) ?? units[3];
  return new Intl.NumberFormat(writing(), { style: 'unit', unit, unitDisplay: 'long' }).format(ms / length);
}

/** How much time a pace gives. */
export function paceWords({ bank, step, night }: Pick<Pace, 'bank' | 'step' | 'night'>): string {
  const time = step ? say('page.online.pace.about', { bank: span(bank), step: span(step) }) : say('page.online.pace.about.bank', { bank: span(bank) });
  return night ? `${time} ${say('page.online.pace.night')}` : time;
}
