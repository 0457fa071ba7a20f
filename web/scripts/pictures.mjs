/** The pictures in docs/pictures, and those of shared links: real games of fixed seeds
 * at a nice moment. Words choose those whose names have them: npm run pictures card. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { aimAt, layTile, legal, settled, take, dice } from '../browser/drive.mjs';
import { bosk, finished, grandbois, treesociety } from '../browser/games.mjs';
import { still } from '../browser/look.mjs';
import { withPalette } from './palette.mjs';
import { keepsName, rated } from '../browser/rated.mjs';
import { bot, browse, person, serve, visit } from '../browser/stand.mjs';
import { together } from '../browser/together.mjs';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
mkdirSync(folder, { recursive: true });
const shared = fileURLToPath(new URL('../public/', import.meta.url));
/** As those who show links cut them, and a little smaller, so that more is on them. */
const wide = { width: 1440, height: 756 };
const smaller = { deviceScaleFactor: 1200 / 1440 };

const four = [person(), bot(4), bot(6), bot(3)];
const two = [person(), bot(5)];
const three = [person(), bot(7), bot(4)];

/** Blows some leaves: the picture shows the path and its prices. */
async function blow(page, leaves) {
  const [tile] = (await page.locator('[data-bosk-tray] [data-tile]:not(.spent)').evaluateAll((list) => list.map((e) => e.dataset.tile))).reverse();
  await take(page, 'tile', tile);
  await aimAt(page, (await legal(page)).at(-1));
  for (let i = 0; i < leaves; i++) {
    await page.waitForFunction((n) => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > n, i);
    const places = await legal(page);
    if (!places.length) return;
    await aimAt(page, places[Math.floor(places.length / 2)]);
  }
  await page.waitForFunction((n) => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > n, leaves);
}

const table = async (page, to, game) => {
  await to(`/table/${game.id}`);
  await settled(page);
};

const pictures = {
  'bosk-table': { games: () => [bosk('autumn', { round: 4, players: four, seed: 'red leaves' })], show: async (page, to, [game]) => (await table(page, to, game), await blow(page, 2)) },
  'bosk-table-dark': { theme: 'dark', games: () => [bosk('spring', { players: three, seed: 'blossom', planted: 15 })], show: async (page, to, [game]) => (await table(page, to, game), await take(page, 'tree', '3')) },
  'bosk-phone': { size: 'phone', games: () => [bosk('autumn', { round: 3, players: two, seed: 'wind' })], show: async (page, to, [game]) => (await table(page, to, game), await blow(page, 2)) },
  'grandbois-table': { games: () => [grandbois('place', { laid: 20, players: three, seed: 'chestnuts' })], show: async (page, to, [game]) => (await table(page, to, game), await layTile(page, { roll: dice('a nice place') })) },
  'grandbois-table-dark': { theme: 'dark', games: () => [grandbois('place', { laid: 14, players: three, seed: 'toads' })], show: async (page, to, [game]) => (await table(page, to, game), await layTile(page, { roll: dice('another') })) },
  'grandbois-phone': { size: 'phone', games: () => [grandbois('place', { laid: 9, players: two, seed: 'foxes' })], show: async (page, to, [game]) => (await table(page, to, game), await layTile(page, { roll: dice('phone') })) },
  'treesociety-table': { games: () => [treesociety('build', { round: 6, players: three, seed: 'orchard' })], show: async (page, to, [game]) => table(page, to, game) },
  'treesociety-phone': { size: 'phone', theme: 'dark', games: () => [treesociety('sell', { round: 5, players: two, seed: 'canopy' })], show: async (page, to, [game]) => table(page, to, game) },
  'friends': {
    games: () => [],
    show: async (page, to) => {
      await together.friends(page, to);
      await page.evaluate(() => fetch('/api/friend-link', { method: 'DELETE' })); // it would be another in every picture
      await page.reload();
      await page.locator('[data-make-link]').waitFor();
      await page.locator('[data-invitations] [data-table]').waitFor();
    },
  },
  'profile': {
    games: () => [],
    size: 'phone',
    show: async (page, to, _, meet) => {
      await keepsName({ page, to }, 'Anna');
      const others = [await meet(), await meet(), await meet(), await meet()];
      for (const [n, other] of others.entries()) await keepsName(other, ['Ben', 'Chiara', 'Luc', 'Dora'][n]);
      for (const won of 'yynyyynyyyny') {
        const [other] = others;
        await rated(...(won === 'y' ? [page, other.page] : [other.page, page]));
        others.push(others.shift());
      }
      await to('/people/Anna');
      await page.locator('[data-games] [data-played]').nth(4).waitFor();
    },
  },
  'home': {
    games: () => [bosk('autumn', { id: 'one', players: two, seed: 'wind' }), finished('grandbois', { id: 'two', players: three, seed: 'toads' })],
    show: async (page, to) => {
      await to('/');
      await page.locator('[data-game]').first().waitFor();
    },
  },
};

for (const [name, of] of [['card-bosk', 'bosk-table'], ['card-grandbois', 'grandbois-table'], ['card-treesociety', 'treesociety-table'], ['card', 'home']])
  pictures[name] = { ...pictures[of], ...(name === 'card' && { games: () => [], show: async (page, to) => (await to('/'), await page.locator('h1').first().waitFor()) }), to: shared, wide, device: smaller };

const wanted = process.argv.slice(2);
const [server, browser] = await Promise.all([serve(), browse({ think: true })]);
const url = server.url.replace('127.0.0.1', 'localhost'); // passkeys are for names
try {
  for (const [name, { size, theme, games, show, to: place = folder, wide, device }] of Object.entries(pictures)) {
    if (wanted.length && !wanted.some((word) => name.includes(word))) continue;
    const played = await Promise.all(games());
    const { context, page, to } = await visit(browser, url, { size, theme, games: played, device });
    if (wide) await page.setViewportSize(wide);
    await show(page, to, played, () => visit(browser, url)); // besides, whoever they meet
    if (size !== 'phone') await page.mouse.move(2, 2); // nothing is hovered over
    await still(page);
    const picture = withPalette(await page.screenshot());
    writeFileSync(`${place}${name}.png`, picture);
    console.log(`${name}.png`.padEnd(28), `${Math.round(picture.length / 1000)} kB`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
