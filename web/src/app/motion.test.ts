import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { move, moving, settle } from './motion.ts';
import { settings } from './settings.svelte.ts';

/** What a browser does, as far as it is asked for here. */
class Fake {
  onfinish: (() => void) | null = null;
  oncancel: (() => void) | null = null;
  constructor(
    readonly frames: Keyframe[],
    readonly how: KeyframeAnimationOptions,
  ) {}
  finish() {
    this.onfinish?.();
  }
  cancel() {
    this.oncancel?.();
  }
}

let made: Fake[];
const frames = [{ opacity: 0 }, { opacity: 1 }];

beforeEach(() => {
  made = [];
  settings.motion = 'full';
  Element.prototype.animate = function (frames: unknown, how: unknown) {
    made.push(new Fake(frames as Keyframe[], how as KeyframeAnimationOptions));
    return made.at(-1) as unknown as Animation;
  };
});
afterEach(() => {
  settle();
  settings.motion = 'auto';
  vi.restoreAllMocks();
});

test('what moves begins where its frames do, however long it waits', () => {
  move(document.body, frames, { duration: 100, delay: 50 });
  expect(made).toHaveLength(1);
  expect(made[0].how).toMatchObject({ duration: 100, delay: 50, fill: 'backwards' });
});

test('where things stand still nothing moves, and what comes after comes at once', () => {
  settings.motion = 'reduced';
  const after = vi.fn();
  move(document.body, frames, { duration: 100 }, after);
  expect(moving()).toBe(false);
  expect(made).toEqual([]);
  expect(after).toHaveBeenCalledTimes(1);
});

test('the system is asked where nobody has chosen', () => {
  settings.motion = 'auto';
  for (const matches of [true, false]) {
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches } as MediaQueryList);
    expect(moving()).toBe(!matches);
  }
});

test('nothing moves that nobody sees', () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  move(document.body, frames, { duration: 100 });
  expect(made).toEqual([]);
});

test.each(['pointerdown', 'keydown'])('%s ends all that moves, wherever it goes, and is not used up', (type) => {
  const after = [vi.fn(), vi.fn()];
  for (const end of after) move(document.body, frames, { duration: 100 }, end);
  const button = document.body.appendChild(document.createElement('button'));
  const pressed = vi.fn((e: Event) => e.stopPropagation());
  button.addEventListener(type, pressed);
  const press = new Event(type, { bubbles: true, cancelable: true });
  button.dispatchEvent(press);
  for (const end of after) expect(end).toHaveBeenCalledTimes(1);
  expect(pressed).toHaveBeenCalledTimes(1);
  expect(press.defaultPrevented).toBe(false);
});

test('what comes after comes once, also where it is taken away', () => {
  const after = vi.fn();
  move(document.body, frames, { duration: 100 }, after);
  made[0].cancel();
  expect(after).toHaveBeenCalledTimes(1);
  made[0].finish();
  settle();
  expect(after).toHaveBeenCalledTimes(1);
});
