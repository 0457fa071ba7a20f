/** What comes after spring, and what nobody looks for at first sight. */
export { default as Arrows } from './Arrows.svelte';
export { default as Autumn } from './Autumn.svelte';
export { default as Counted } from './Counted.svelte';
export { default as Counting } from './Counting.svelte';
export { default as Falling } from './Falling.svelte';
export { default as Gusts } from './Gusts.svelte';
export { default as Loupe } from './Loupe.svelte';
export { default as Names } from './Names.svelte';
export { default as Pad } from './Pad.svelte';
export { default as Snow } from './Snow.svelte';
export { default as Tally } from './Tally.svelte';
export { default as Tiles } from './Tiles.svelte';
export { default as Winds } from './Winds.svelte';
export { laterWords } from './laterWords.ts';
export { nudged } from './nudge.ts';
export { veiled } from './path.ts';
export { pickTile, pickTree, rewind } from './shed.ts';
export { squareWords } from './squareWords.ts';
