/** Looks at every screen in one language: opened once, seen at every size. */
import { after, before, test } from 'node:test';
import { followLink } from './drive.mjs';
import { barriers, cutOff, enlarged, none, still } from './look.mjs';
import { played, screens } from './screens.mjs';
import { sizes, stand } from './stand.mjs';

/** With the smallest and the largest phone, and with people who have made
 * everything twice as large on a desktop, or the text alone on a phone. */
const widths = {
  ...sizes,
  'small phone': { width: 360, height: 640 },
  'large phone': { width: 430, height: 932 },
  'desktop at 200 %': { width: 720, height: 450 },
};
const large = ['small phone', 'large phone'];

/** Where axe looks too. */
const close = ['desktop', 'phone'];

/** Goes where a link within the page would lead, without loading the page anew:
 * by way of a screen with nothing on it, so that what is left of the last one is
 * not taken for the next. */
function links(page) {
  return async (path) => {
    await followLink(page, '/credits');
    await page.waitForFunction(() => document.querySelector('main dl') && !document.querySelector('[data-phase], dialog, form'));
    if (path !== '/credits') await followLink(page, path);
  };
}

/** What axe finds, light and dark: first in the theme that shows, then in the
 * other, which is left for the next look. */
async function looked(page, dialogOnly) {
  const found = [];
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  for (const colorScheme of dark ? ['dark', 'light'] : ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await still(page);
    for (const barrier of await barriers(page, { coloursOnly: colorScheme === 'dark', dialogOnly })) found.push(`${colorScheme}: ${barrier}`);
  }
  return found;
}

/** Fails where a text of any screen is cut off at any size and, with `axe`, where
 * that finds anything serious, light and dark, wide and narrow. With `anew` every
 * screen is loaded by itself: what it borrows from another that was seen before,
 * styles above all, is then not there. `make torture` does that in every language. */
export function looks(language, { axe = false, anew = Boolean(process.env.COPSE_TORTURE) } = {}) {
  const here = stand({ before, after });
  test(`no text is cut off, whatever the screen${axe ? ', and axe finds nothing serious' : ''}: ${language}`, { timeout: 1_800_000 }, async (t) => {
    const { page, to: load } = await here.visit(t, { language, games: await played(), settings: { language } });
    await load('/credits');
    const to = anew ? load : links(page);
    const found = new Set();
    for (const [name, show] of Object.entries(screens)) {
      await page.setViewportSize(sizes.desktop);
      await show(page, to);
      for (const [size, viewport] of Object.entries(widths)) {
        await page.setViewportSize(viewport);
        await still(page);
        for (const text of await cutOff(page)) found.add(`${name}, ${size}: ${text}`);
        if (large.includes(size)) {
          const back = await enlarged(page);
          await still(page);
          for (const text of await cutOff(page)) found.add(`${name}, ${size}, text at 200 %: ${text}`);
          await back();
        }
        if (axe && close.includes(size)) for (const barrier of await looked(page, Boolean(show.above))) found.add(`${name}, ${size}, ${barrier}`);
      }
    }
    none([...found], language);
  });
}
