/** A pace of one's own: what was typed, whether it may be, and how a table's pace
 * is told where there is little room. */
import { language, say, tell, known } from '../words/words.svelte.ts';
import type { Pace, PaceLimits, Settings } from './api.gen.ts';

export const units = ['second', 'minute', 'hour', 'day'] as const;
export type Unit = (typeof units)[number];

const lengths: Record<Unit, number> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** A length of time as it was typed. */
export interface Typed {
  n: number | null; // null: nothing, or no number
  unit: Unit;
}

/** What was typed in milliseconds; NaN where it is no whole number. */
export function ms({ n, unit }: Typed): number {
  return n !== null && Number.isInteger(n) ? n * lengths[unit] : NaN;
}

/** What is wrong with what was typed, as the server would say it; '' for nothing. */
export function wrong(bank: Typed, step: Typed, limits: PaceLimits): { bank: string; step: string } {
  const fits = (n: number, least: number, most: number) => n >= least && n <= most;
  return {
    bank: fits(ms(bank), limits.leastBank, limits.mostBank) ? '' : tell('table.bank', { minutes: limits.leastBank / lengths.minute, days: limits.mostBank / lengths.day }),
    step: fits(ms(step), 0, limits.mostStep) ? '' : tell('table.step', { days: limits.mostStep / lengths.day }),
  };
}

/** How much time a pace gives, and whether no clock runs at night. */
export type Figures = Pick<Pace, 'bank' | 'step' | 'night'>;

/** What is typed as a pace. */
export function ownFigures(bank: number, step: number, limits: PaceLimits): Figures {
  return { bank, step, night: bank + step >= limits.rest };
}

/** The figures of a table's pace; null where they are not known. */
export function figuresOf({ pace, bank = 0, step = 0, night }: Pick<Settings, 'pace' | 'bank' | 'step' | 'night'>, paces: readonly Pace[]): Figures | null {
  if (pace === 'own') return { bank, step, night: !!night };
  return paces.find(({ name }) => name === (pace || 'live')) ?? null;
}

/** A span of time in short: "20 min", in the largest unit that leaves no rest. */
export function shortSpan(ms: number): string {
  const unit = [...units].reverse().find((unit) => ms >= lengths[unit] && ms % lengths[unit] === 0) ?? 'second';
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'short' }).format(ms / lengths[unit]);
}

/** A table's pace in a list: its name, or its figures: "20 min + 45 sec". */
export function paceTerm({ pace, bank = 0, step = 0 }: Pick<Settings, 'pace' | 'bank' | 'step'>): string {
  if (pace === 'own') return step ? `${shortSpan(bank)} + ${shortSpan(step)}` : shortSpan(bank);
  const called = `table.pace.${pace || 'live'}`;
  return known(called) ? tell(called) : '';
}

/** What a unit is called beside a number that is typed. */
export function unitName(unit: Unit): string {
  if (unit === 'second') return say('page.online.unit.second');
  if (unit === 'minute') return say('page.online.unit.minute');
  return unit === 'hour' ? say('page.online.unit.hour') : say('page.online.unit.day');
}
