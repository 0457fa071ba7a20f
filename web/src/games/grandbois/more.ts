/** What the table needs only after the first look at the board. */
export { default as Aid } from './Aid.svelte';
export { coach } from './coach.ts';
export { default as Secret } from './Secret.svelte';
export { default as Side } from './Side.svelte';
export { last } from './last.ts';
