/** A turn told as a story: one line an event, deeper where an effect led to it. */
import type { Event } from '../../engine/protocol.ts';
import type { Printed } from './deck.ts';

export interface StoryLine {
  event: Event;
  depth: number;
}

const builds = ['found', 'raise', 'build', 'draw-guild'];
const silent = ['start', 'handed', 'guild', 'fruit', 'rebuilt']; // what chance lays out is seen

/** What an event is, without its game. */
const what = (event: Event) => event.key.slice('treesociety.event.'.length);

/** The lines of a turn. Building stands last in every effect, so that a chain is
 * one line deeper with every effect that builds. */
export function storyOf(events: readonly Event[], deck: Printed): StoryLine[] {
  const lines: StoryLine[] = [];
  let level = 0; // how deep the last level was built
  let inner = 0; // how deep what an effect or the action does is told
  let chained = false; // the next level is built by an effect or the action
  let drawn = 0; // how deep the cards that an effect has drawn are kept
  const add = (event: Event, depth: number) => lines.push({ event, depth });
  for (const event of events) {
    const name = what(event);
    if (silent.includes(name)) continue;
    if (name === 'sell' || name === 'rest' || name === 'discard' || name === 'draft') {
      add(event, 0);
      if (name === 'rest') level = inner = 0;
    } else if (name === 'action') {
      add(event, 0);
      inner = 1;
      chained = event.args.action === 'build';
    } else if (name === 'demand') {
      add(event, chained ? inner : 0);
      if (!chained) level = 0;
      inner = (chained ? inner : 0) + 1;
      chained = true;
    } else if (name === 'found' || name === 'raise') {
      const demanded = lines.some((l) => what(l.event) === 'demand' && l.event.args.id === event.args.id);
      level = chained ? (demanded ? inner - 1 : inner) : 0;
      add(event, level);
      chained = false;
      inner = level + 1;
    } else if (name === 'complete' || name === 'triggered') add(event, level);
    else if (name === 'use') {
      add(event, level + 1);
      inner = level + 1;
      const effect = deck.card(event.args.id as number).levels[(event.args.level as number) - 1].effect;
      chained = builds.includes(effect?.do?.at(-1)?.verb ?? '');
      drawn = inner;
    } else if (name === 'keep.guild' || name === 'keep.guild.more') {
      inner = drawn; // several may be kept by one effect
      chained = true;
      add(event, inner);
    } else if (name === 'skip' || name === 'lapse') {
      add(event, level + 1);
      chained = false;
    } else add(event, inner);
  }
  return lines;
}
