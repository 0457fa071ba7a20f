import type { Tag } from '../words/speech.ts';

/** Languages call themselves by their own names, so they are in no locale file. */
export const languageNames: Record<Tag, string> = { en: 'English', fr: 'Français', it: 'Italiano' };
