/** Other people, as far as a page of theirs goes. */
import { say } from '../words/words.svelte.ts';
import type { Who } from './told.ts';

/** Where a member's page is; '' for guests and programs, who have none. */
export function pageOf(who: Who | null | undefined): string {
  return who && !who.guest && !who.program ? personPage(who.name) : '';
}

export function personPage(name: string): string {
  return `/people/${encodeURIComponent(name)}`;
}

/** What somebody is called in a list: guests are said to be guests. */
export function called(who: Who): string {
  return who.guest ? say('page.online.guest.called', { name: who.name }) : who.name;
}

/** One of four, always the same for a name, whatever its letters are. */
export function leafOf(name: string): number {
  let sum = 2166136261;
  for (const c of name.normalize('NFC')) sum = Math.imul(sum ^ c.codePointAt(0)!, 16777619) >>> 0;
  return ((sum ^ (sum >>> 15)) >>> 0) % 4;
}
