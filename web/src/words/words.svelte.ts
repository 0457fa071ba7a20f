import type en from '../../../i18n/en.json';
import { Locale, pick, type Args, type Tag } from './speech.ts';

/** A key of the locale files; the engine's own come as plain strings. */
export type Key = keyof typeof en;

const files: Record<Tag, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import('locale:en'),
  fr: () => import('locale:fr'),
  it: () => import('locale:it'),
};

let current: Locale = $state.raw(new Locale('en', {}));

/** Speaks a language from now on. */
export async function speak(tag: Tag) {
  const { default: messages } = await files[tag]();
  current = new Locale(tag, messages);
  document.documentElement.lang = tag;
}

/** The language that is spoken. */
export function language(): Tag {
  return current.tag;
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
