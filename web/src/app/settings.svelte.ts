import { tags, type Tag } from '../words/speech.ts';
import { wanted } from '../words/words.svelte.ts';
import { storage } from './storage.ts';

/** What a person has chosen for this browser. */
export interface Settings {
  language: Tag;
  theme: 'auto' | 'light' | 'dark';
  marks: boolean; // patterns on pieces, beside their colours
  motion: 'auto' | 'full' | 'reduced';
  sound: boolean;
  confirm: boolean; // a finished turn waits for Confirm; else it leaves after two seconds
  letters: boolean; // single letters act at a table
  pace: Pace; // of bots
  name: string; // what this person is called at tables; '' for the name of their seat
}

export type Pace = 'slow' | 'normal' | 'fast' | 'instant';

export const themes: readonly Settings['theme'][] = ['auto', 'light', 'dark'];
export const motions: readonly Settings['motion'][] = ['auto', 'full', 'reduced'];
export const paces: readonly Pace[] = ['slow', 'normal', 'fast', 'instant'];

/** The pause before a bot's move, in milliseconds. */
export const pauses: Record<Pace, number> = { slow: 1500, normal: 700, fast: 250, instant: 0 };

const storageKey = 'copse.settings';

/** Settings as they are kept; what is missing or makes no sense is as it was made. */
export function read(text: string | null): Settings {
  const made: Settings = {
    language: wanted(),
    theme: 'auto',
    marks: false,
    motion: 'auto',
    sound: false,
    confirm: true,
    letters: true,
    pace: 'normal',
    name: '',
  };
  let kept: Record<string, unknown>;
  try {
    kept = JSON.parse(text ?? '{}') ?? {};
  } catch {
    return made;
  }
  const oneOf = <T>(list: readonly T[], value: unknown, otherwise: T) => (list.includes(value as T) ? (value as T) : otherwise);
  const flag = (value: unknown, otherwise: boolean) => (typeof value === 'boolean' ? value : otherwise);
  return {
    language: oneOf(tags, kept.language, made.language),
    theme: oneOf(themes, kept.theme, made.theme),
    marks: flag(kept.marks, made.marks),
    motion: oneOf(motions, kept.motion, made.motion),
    sound: flag(kept.sound, made.sound),
    confirm: flag(kept.confirm, made.confirm),
    letters: flag(kept.letters, made.letters),
    pace: oneOf(paces, kept.pace, made.pace),
    name: typeof kept.name === 'string' ? kept.name.slice(0, 20) : '',
  };
}

export const settings = $state(read(storage.getItem(storageKey)));

/** Keeps the settings and shows them on the page; called whenever one changes. */
export function apply(now: Settings) {
  const root = document.documentElement;
  root.dataset.theme = now.theme;
  root.dataset.motion = now.motion;
  root.toggleAttribute('data-marks', now.marks);
  try {
    storage.setItem(storageKey, JSON.stringify(now));
  } catch {
    // No room to keep them: they hold until the page is closed.
  }
}

/** Follows what is changed in another tab. */
addEventListener('storage', (e: StorageEvent) => {
  if (e.key === storageKey) Object.assign(settings, read(e.newValue));
});

/** Whether things should stand still. */
export function still(): boolean {
  if (settings.motion !== 'auto') return settings.motion === 'reduced';
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
