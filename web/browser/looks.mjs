/** Looks at screens in every language and at every size: each is opened once. */
import { after, before, test } from 'node:test';
import { barriers, cutOffIn, none, speak, still } from './look.mjs';
import { played } from './screens.mjs';
import { languages, sizes, stand } from './stand.mjs';

/** With the smallest and the largest phone, and with people who have made
 * everything twice as large on a desktop, or the text alone on a phone. */
export const widths = {
  ...sizes,
  'small phone': { width: 360, height: 640 },
  'large phone': { width: 430, height: 932 },
  'desktop at 200 %': { width: 720, height: 450 },
};
const large = ['small phone', 'large phone'];

/** Where axe looks too, in English. */
const close = ['desktop', 'phone'];

const thorough = Boolean(process.env.COPSE_TORTURE);

/** The languages in which a screen is loaded: it is loaded in Italian and reworded
 * where it stands. `make torture` has time to load it in each. */
const loads = thorough ? languages : ['it'];

/** Where every screen is read in every language: what fits there fits elsewhere, if
 * anywhere. */
const narrow = 'small phone';

/** The languages in which the `n`th screen is read at a size, once it was loaded in one.
 * At any other size than the narrowest it is one of them, the next one at the next size
 * and on the next screen: all languages meet all screens and all sizes, and all sizes
 * meet all screens. `make torture` reads every screen at every size in every language. */
export function readIn(n, size, loaded) {
  if (thorough) return [loaded];
  if (size === narrow) return ['it', 'fr', 'en'];
  return [languages[(n + Object.keys(widths).indexOf(size)) % languages.length]];
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

/** Fails where a text of any of these screens is cut off, in any language and at any
 * size as `readIn` pairs them, and where axe finds anything serious, light and dark, wide and narrow.
 * Every screen is loaded by itself: what it would borrow from another that was
 * seen before, styles above all, is not there. */
export function looks(what, screens) {
  const here = stand({ before, after });
  test(`no text is cut off, whatever the screen and the language, and axe finds nothing serious: ${what}`, { timeout: 1_800_000 }, async (t) => {
    const found = new Set();
    for (const loaded of loads) {
      const { page, to } = await here.visit(t, { language: loaded, games: await played(), settings: { language: loaded } });
      await to('/credits');
      for (const [n, [name, show]] of Object.entries(screens).entries()) {
        await page.setViewportSize(sizes.desktop);
        await speak(page, loaded); // the next load finds it kept
        await show(page, to);
        for (const [size, viewport] of Object.entries(widths)) {
          await page.setViewportSize(viewport);
          for (const text of await cutOffIn(page, readIn(n, size, loaded), large.includes(size) ? 2 : 1)) found.add(`${name}, ${size}, ${text}`);
          if (!close.includes(size) || (thorough && loaded !== 'en')) continue;
          await speak(page, 'en');
          for (const barrier of await looked(page, Boolean(show.above))) found.add(`${name}, ${size}, ${barrier}`);
        }
      }
    }
    none([...found], what);
  });
}
