import { untrack } from 'svelte';

/** What a screen reader is told although nothing was focused: the last few
 * sentences, each with a number of its own, so that none swallows another. */
export const heard: { polite: Said[]; urgent: Said[] } = $state({ polite: [], urgent: [] });

interface Said {
  number: number;
  text: string;
}

let said = 0;

/** Says a sentence politely, or at once. */
export function announce(text: string, urgent = false) {
  const region = urgent ? 'urgent' : 'polite';
  const before = urgent ? [] : untrack(() => heard.polite).slice(-3);
  heard[region] = [...before, { number: ++said, text }];
}
