/** No screen jumps while it loads: on a phone, whatever comes first, what stands there
 * moves by less than 0.05 in all, as browsers count layout shifts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { guest, whoSitsAt } from './guests.mjs';
import { played } from './screens.mjs';
import { hold, jumped, letGo, note, orders } from './shifts.mjs';
import { stand } from './stand.mjs';

const here = stand({ before, after });
const most = 0.05;

let luc; // plays through the API alone
let games;
const ready = async () => {
  luc ??= await guest(here.server.url, 'Luc');
  games ??= await played();
};

/** A table of Anna, at the browser, and Luc. */
async function sitDown(anna, settings, { begins = false } = {}) {
  const table = await anna.set(settings);
  await anna.sit(table, 0);
  await luc.sit(table, 1);
  if (begins) await anna.ask(`POST /api/tables/${table}/start`, {});
  return table;
}

/** Each screen: its address, and what shows that it is there. Whoever is Anna has a name
 * on the server; `before` gives what else has to be there, and the address. */
const screens = {
  home: { path: '/', there: '.learn' },
  'home, with games': { path: '/', there: '[data-game]' },
  'home, with tables': {
    anna: async (anna) => {
      await sitDown(anna, { game: 'bosk', seats: 2 }, { begins: true });
      return { path: '/', there: `[data-table="${await sitDown(anna, { game: 'grandbois', seats: 3 })}"]` };
    },
  },
  'new game of Bosk': { path: '/bosk/new', there: '[data-level]:not(:disabled)' },
  'new game of Tree Society': { path: '/treesociety/new', there: '[data-guild]' },
  'rules of Bosk': { path: '/rules/bosk', there: '.rule' },
  'a rule of Bosk': { path: '/rules/bosk#5.6', there: '[id="5.6"]' },
  'rules of GrandBois': { path: '/rules/grandbois', there: '.rule' },
  'rules of Tree Society': { path: '/rules/treesociety', there: '.rule' },
  'all cards': { path: '/treesociety/cards', there: '[data-printed]' },
  settings: { path: '/settings', there: '[data-me]' },
  'signing in': { path: '/sign-in', there: '#recover-name' },
  credits: { path: '/credits', there: 'dl' },
  'a wrong address': { path: '/nowhere/at/all', there: 'h1' },
  'setting a table, as nobody yet': { path: '/together/bosk', there: '#guest' },
  'setting a table': { anna: async () => ({ path: '/together/grandbois', there: '[data-create]' }) },
  'a lobby before one has a name': { lobby: true, there: '#guest' },
  'a lobby of one’s own': {
    anna: async (anna) => {
      const table = await sitDown(anna, { game: 'treesociety', seats: 3, pace: 'days', options: { draft: true, startingCards: true } });
      await luc.say(table, { text: 'On commence quand Mia est là ?' });
      return { path: `/t/${table}`, there: '[data-start]' };
    },
  },
  'a table on the server': { anna: async (anna) => ({ path: `/t/${await sitDown(anna, { game: 'bosk', seats: 2 }, { begins: true })}`, there: '[data-phase=person]' }) },
  'a table of Bosk': { path: '/table/spring', there: '[data-phase=person]' },
  'a table of Bosk in autumn': { path: '/table/autumn', there: '[data-phase=person]' },
  'a table of GrandBois': { path: '/table/place', there: '[data-phase=person]' },
  'a table of Tree Society': { path: '/table/fruit', there: '[data-phase=person]' },
  'the replay of Bosk': { path: '/replay/winter', there: 'input[type=range]' },
  'the replay of GrandBois': { path: '/replay/over', there: 'input[type=range]' },
  'the replay of Tree Society': { path: '/replay/society-over', there: 'input[type=range]' },
  'all documents': { path: '/docs', there: 'h1' },
  'a document': { path: '/docs/cluster', there: 'h1' },
};

/** Each screen in one order, the next in the other; `make torture` has time for both. */
const ordersOf = (i) => Object.entries(orders).filter((_, n) => process.env.COPSE_TORTURE || n === i % 2);

for (const [i, [name, screen]] of Object.entries(screens).entries())
  test(`does not jump while it loads: ${name}`, async (t) => {
    await ready();
    for (const [order, next] of ordersOf(i)) {
      const { page, to } = await here.visit(t, { size: 'phone', painted: true, games: /table|replay|with games/.test(name) && !screen.anna ? games : [] });
      let { path, there } = screen;
      if (screen.anna) {
        await to('/credits');
        const anna = whoSitsAt(page);
        await anna.ask('POST /api/me', { name: 'Anna' });
        await page.evaluate(() => localStorage.setItem('copse.online', '1'));
        ({ path, there } = await screen.anna(anna));
      }
      if (screen.lobby) {
        const table = await luc.set({ game: 'grandbois', seats: 4 });
        await luc.sit(table, 0);
        path = `/t/${table}`;
      }
      await note(page);
      const held = await hold(page);
      await page.goto(here.server.url + path, { waitUntil: 'commit' });
      await letGo(page, held, next, () => page.locator(there).first().isVisible());
      const { sum, jumps } = await jumped(page);
      assert.ok(sum < most, `${order}, it jumps by ${sum.toFixed(3)}: ${JSON.stringify(jumps, null, 1)}`);
      assert.ok(held.held > 0, 'nothing was held: nothing was tested');
    }
  });

test('a jump is seen: these tests can fail', async (t) => {
  const { page } = await here.visit(t, { size: 'phone', painted: true });
  await note(page);
  await page.goto(`${here.server.url}/docs`);
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length); // what nobody has seen cannot jump
  await page.evaluate(() => {
    const late = document.createElement('div');
    late.style.height = '200px';
    document.querySelector('article').prepend(late);
  });
  await page.waitForFunction((most) => window.jumps.reduce((sum, { value }) => sum + value, 0) > most, most);
});
