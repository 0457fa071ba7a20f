/** What can be chosen of a game besides its seats, and what somebody chose. */
import type { GameInfo, GameOption } from '../engine/protocol.ts';

/** On or off, one of some numbers, or some of some words. */
export type Value = boolean | number | string[];
export type Chosen = Record<string, Value>;

/** A box is nothing to be chosen on a screen. */
export function optionsOf(info: GameInfo | null): GameOption[] {
  return info?.options.filter((option) => option.kind !== 'box') ?? [];
}

/** What holds for an option; a choice that makes no sense is none. */
export function valueOf({ name, kind, default: usual, choices = [] }: GameOption, chosen: Chosen): Value {
  const value = chosen[name];
  if (kind === 'flag') return typeof value === 'boolean' ? value : usual === true;
  if (kind === 'number') return typeof value === 'number' && choices.includes(value) ? value : (usual as number);
  const words = usual as string[];
  const fits = Array.isArray(value) && value.length === words.length && new Set(value).size === value.length && value.every((word) => choices.includes(word));
  return fits ? value : words;
}

/** What differs from the game as it comes. */
export function changed(info: GameInfo | null, chosen: Chosen): Chosen {
  const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
  return Object.fromEntries(optionsOf(info).flatMap((o) => (plain(valueOf(o, chosen)) === plain(o.default) ? [] : [[o.name, valueOf(o, chosen)]])));
}
