import { untrack } from 'svelte';

/** What a screen reader is told although nothing was focused: the last few
 * sentences, each with a number of its own, so that none swallows another. Whoever
 * reads on there finds what is true now: what is over is taken out again. */
export const heard: { polite: Said[]; urgent: Said[] } = $state({ polite: [], urgent: [] });

interface Said {
  number: number;
  text: string;
  passing: boolean; // it is true as long as the turn lasts
}

let said = 0;

/** Says a sentence politely, or at once. */
export function announce(text: string, urgent = false, passing = false) {
  const region = urgent ? 'urgent' : 'polite';
  const before = urgent ? [] : untrack(() => heard.polite).slice(-3);
  heard[region] = [...before, { number: ++said, text, passing }];
}

/** Says what is true as long as the turn lasts. */
export const instruct = (text: string) => announce(text, false, true);

/** Takes out what begins with these words: a prompt that is another one by now. */
export const retract = (words: string) => keep(({ text }) => !words || !text.startsWith(words));

/** The turn has passed: what was to be done in it is to be done no more. */
export const turnOver = () => keep(({ passing }) => !passing);

/** What was refused has been seen, or something else was done. */
export function calm() {
  if (untrack(() => heard.urgent).length) heard.urgent = [];
}

function keep(what: (said: Said) => boolean) {
  const now = untrack(() => heard.polite);
  if (!now.every(what)) heard.polite = now.filter(what);
}
