/** Motion that nobody waits for: it shows what has already happened, ends at the
 * next press or key, and there is none where things should stand still. It changes
 * transform and opacity alone, so that nothing is laid out anew. */
import { untrack } from 'svelte';
import { still } from './settings.svelte.ts';

export interface Frame {
  transform?: string;
  opacity?: number;
  offset?: number;
  easing?: string;
}

const running = new Set<Animation>();

/** Whether what happens now is shown by motion. */
export const moving = () => !untrack(still) && !document.hidden;

/** Moves something from where the frames begin to where it is. `after` is called
 * once it is there, and at once where nothing moves. */
export function move(what: Element, frames: Frame[], how: { duration: number; delay?: number; easing?: string }, after: () => void = () => {}) {
  if (!moving()) return after();
  const animation = what.animate(frames as Keyframe[], { fill: 'backwards', ...how });
  running.add(animation);
  animation.onfinish = animation.oncancel = () => {
    if (running.delete(animation)) after();
  };
}

/** What moves is where it goes, at once. */
export function settle() {
  for (const animation of [...running]) animation.finish();
}

for (const input of ['pointerdown', 'keydown']) addEventListener(input, settle, { capture: true, passive: true });
