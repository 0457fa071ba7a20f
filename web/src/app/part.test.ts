import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { speak } from '../words/words.svelte.ts';
import Part from './Part.svelte';

beforeEach(() => speak('en'));
afterEach(() => document.body.replaceChildren());

async function shown(load: () => Promise<{ default: string }>) {
  const children = createRawSnippet((part: () => string) => ({ render: () => `<b>${part()}</b>` }));
  const part = mount(Part<string>, { target: document.body, props: { load, children } });
  await new Promise((resolve) => setTimeout(resolve));
  flushSync();
  return () => unmount(part);
}

test('a part is shown once it is loaded', async () => {
  const end = await shown(async () => ({ default: 'here' }));
  expect(document.querySelector('b')!.textContent).toBe('here');
  await end();
});

test('a part that cannot be loaded says what to do, and does it', async () => {
  const end = await shown(() => Promise.reject(new Error('away')));
  expect(document.querySelector('[role=alert]')!.textContent).toContain('reload');
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  document.querySelector('button')!.click();
  expect(reload).toHaveBeenCalled();
  await end();
});
