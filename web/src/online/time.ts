/** Times as clocks show them. */
import { say, writing } from '../words/words.svelte.ts';

/** What is left: days, hours, or minutes and seconds. */
export function shownTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds >= 2 * 86_400) return say('page.online.days', { n: Math.floor(seconds / 86_400) });
  if (seconds >= 5 * 3600) return say('page.online.hours', { n: Math.floor(seconds / 3600) });
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A moment: the time of day, and the day where it is another. */
export function shownMoment(at: number, now = Date.now()): string {
  const day: Intl.DateTimeFormatOptions = new Date(at).toDateString() === new Date(now).toDateString() ? {} : { day: 'numeric', month: 'long' };
  return new Date(at).toLocaleString(writing(), { ...day, hour: '2-digit', minute: '2-digit' });
}

/** A moment with its day and year, for what lasts long. */
export function dayAndTime(at: number): string {
  return new Date(at).toLocaleString(writing(), { dateStyle: 'medium', timeStyle: 'short' });
}
