/** What the table needs only after the first look at the board. */
export { default as Aid } from './Aid.svelte';
export { coach } from './coach.ts';
export { last } from './last.ts';
