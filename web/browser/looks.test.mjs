import { after, before, test } from 'node:test';
import { barriers, cutOff, none, still } from './look.mjs';
import { played, screens } from './screens.mjs';
import { languages, sizes, stand, themes } from './stand.mjs';

const here = stand({ before, after });
let games;
before(async () => {
  games = await played();
});

/** With a desktop whose owner has made everything twice as large. */
const widths = { ...sizes, 'desktop at 200 %': { width: 720, height: 450 } };

for (const language of languages)
  test(`no text is cut off, whatever the screen: ${language}`, { timeout: 1_800_000 }, async (t) => {
    const { page, to } = await here.visit(t, { language, games, settings: { language } });
    const found = [];
    for (const [name, show] of Object.entries(screens)) {
      await page.setViewportSize(sizes.desktop);
      await show(page, to);
      for (const [size, viewport] of Object.entries(widths)) {
        await page.setViewportSize(viewport);
        await still(page);
        for (const text of await cutOff(page)) found.push(`${name}, ${size}: ${text}`);
      }
    }
    none(found, language);
  });

test('axe finds nothing serious on any screen, light and dark, wide and narrow', { timeout: 1_800_000 }, async (t) => {
  const { page, to } = await here.visit(t, { games });
  const found = new Set();
  for (const [name, show] of Object.entries(screens)) {
    await page.setViewportSize(sizes.desktop);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await show(page, to);
    for (const size of ['desktop', 'phone'])
      for (const colorScheme of themes) {
        await page.setViewportSize(sizes[size]);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await still(page);
        for (const barrier of await barriers(page, { coloursOnly: colorScheme === 'dark' })) found.add(`${name}, ${size}, ${colorScheme}: ${barrier}`);
      }
  }
  none([...found], 'axe');
});
