import type en from '../../../i18n/en.json';
import locales from 'locale:files';
import { Locale, pick, type Args, type Tag } from './speech.ts';

/** A key of the locale files; the engine's own come as plain strings. */
export type Key = keyof typeof en;

/** A part of the page that has words of its own: scripts/words.ts finds out which
 * words those are. */
export type Scope = string;

const files: Record<Tag, Record<Scope, () => Promise<{ default: Record<string, string> }>>> = locales;

const scopes = new Set<Scope>(['base']); // whose words are needed
let current: Locale = $state.raw(new Locale('en', {}));
let asked: Tag = 'en';
let ready: Promise<void> = Promise.resolve();

/** Speaks a language from now on; where that cannot be had, the one before. */
export function speak(tag: Tag): Promise<void> {
  asked = tag;
  const mine = load(tag, () => mine === ready);
  ready = mine;
  return mine.catch((e) => {
    if (mine === ready) [asked, ready] = [current.tag, Promise.resolve()];
    throw e;
  });
}

/** Learns the words of other parts of the page. Those that could not be loaded
 * are asked for again next time. */
export async function learn(...more: Scope[]): Promise<void> {
  const unknown = more.filter((scope) => !scopes.has(scope));
  if (!unknown.length) return ready;
  for (const scope of unknown) scopes.add(scope);
  try {
    await speak(asked);
  } catch (e) {
    for (const scope of unknown) scopes.delete(scope);
    throw e;
  }
}

/** A part of the page that is fetched later, with the words that it says. */
export async function bringWords<T>(part: Promise<T>, ...scopes: Scope[]): Promise<T> {
  return (await Promise.all([part, learn(...scopes)]))[0];
}

async function load(tag: Tag, newest: () => boolean): Promise<void> {
  const parts = await Promise.all([...scopes].map((scope) => files[tag][scope]()));
  if (!newest()) return ready; // more was asked for meanwhile
  current = new Locale(tag, Object.assign({}, ...parts.map((part) => part.default)));
  document.documentElement.lang = tag;
}

/** The language that is spoken. */
export function language(): Tag {
  return current.tag;
}

/** How dates and figures are written: as the browser's own region writes them in
 * the language that is spoken, so 4 March in London and March 4 in Boston. */
export function writing(wanted: readonly string[] = navigator.languages): string {
  const { tag } = current;
  const own = wanted.find((one) => new RegExp(`^${tag}\\b`, 'i').test(one));
  if (own) return own;
  const region = wanted[0]?.match(/-([A-Z]{2})\b/)?.[1];
  return region ? `${tag}-${region}` : tag;
}

/** The language that the browser asks for. */
export function wanted(): Tag {
  return pick(navigator.languages.join(','));
}

/** A sentence of the page. */
export function say(key: Key, args?: Args, names?: readonly string[]): string {
  return current.say(key, args, names);
}

/** A sentence whose key came from the engine or was put together. */
export function tell(key: string, args?: Args, names?: readonly string[]): string {
  return current.say(key, args, names);
}

/** Whether there are words for a key that was put together. */
export function known(key: string): key is Key {
  return current.has(key);
}

/** The first letter large, for a word that begins a line. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(current.tag) + text.slice(1);
}
