/** The screens of whoever plays in this browser, each with how to come to it. */
import { aimAt, askHint, boskTurn, choosable, drafted, layTile, legal, pointAt, settled, take } from './drive.mjs';
import { bosk, finished, grandbois, treesociety } from './games.mjs';
import { bot, person } from './stand.mjs';
import { aboveSeen } from './together.mjs';

const people = [person('Anna'), person('Luc')];

let games;

/** The games that the screens need, played beforehand: once for all who ask. */
export const played = () => (games ??= playAll());

async function playAll() {
  const [spring, summer, autumn, winter, place, tower, over, shared, guided, leaves] = await Promise.all([
    bosk('spring', { id: 'spring', players: [person(), person()] }),
    bosk('summer', { id: 'summer', players: [person(), person()], seat: await whoLaysTheWind() }),
    bosk('autumn', { id: 'autumn', round: 4, players: [person(), person(), person(), person()] }),
    finished('bosk', { id: 'winter' }),
    grandbois('place', { id: 'place', laid: 9 }),
    grandbois('tower', { id: 'tower' }),
    finished('grandbois', { id: 'over' }),
    grandbois('place', { id: 'shared', laid: 2, players: people }),
    bosk('spring', { id: 'guided', guide: 0 }),
    bosk('autumn', { id: 'leaves', round: 4, players: [person(), bot(9), bot(9)] }),
  ]);
  over.hints = 2;
  const others = { guilds: ['merchants', 'writers', 'botanists', 'explorers'] };
  const society = await Promise.all([
    treesociety('sell', { id: 'fruit', round: 5, players: [person(), bot(), bot(), bot()] }),
    treesociety('build', { id: 'effect', round: 2, when: (view) => view.job?.stage === 'asked' }),
    treesociety('build', { id: 'revealed', options: others, seat: null, players: people, when: (view) => view.shown.length > 0 }),
    treesociety('rest', { id: 'rests', round: 4 }),
    finished('treesociety', { id: 'society-over' }),
  ]);
  return [spring, summer, autumn, { ...autumn, id: 'made-up' }, winter, place, tower, over, shared, guided, leaves, ...society];
}

/** Everybody is a person there, so any seat will do: whoever is asked. */
async function whoLaysTheWind() {
  const game = await bosk('summer', { seat: 0, players: [person(), person()] });
  return game.result ? 1 : 0;
}

const table = (id) => async (page, to) => {
  await to(`/table/${id}`);
  await settled(page);
};

const at = (path, there) => async (page, to) => {
  await to(path);
  await page.locator(there).first().waitFor();
};

/** Opens a table, one of those that are looked at by themselves, and presses
 * something that opens a sheet above it. */
const above = (id, key) =>
  aboveSeen(async (page, to) => {
    await table(id)(page, to);
    await page.keyboard.press(key);
    await page.locator('dialog[open]').waitFor();
  });

/** Opens a table and asks for a hint, its first alternative unfolded. */
const hinted = (id) => async (page, to) => {
  await table(id)(page, to);
  await askHint(page);
  await page.locator('[data-other="1"]').click();
};

/** Those without a table. */
export const pages = {
  'home': at('/', '[data-game]'),
  'new game of Bosk': at('/bosk/new', 'form button[type=submit]'),
  'new game of GrandBois': at('/grandbois/new', '[data-level]:not(:disabled)'),
  'new game of Tree Society': at('/treesociety/new', '[data-guild]'),
  'a new game, each bot of another strength': async (page, to) => {
    await to('/grandbois/new');
    await page.locator('[data-level]:not(:disabled)').waitFor();
    await page.getByRole('switch').first().press('Space');
    await page.locator('[data-level]').nth(1).press('End');
  },
  'rules of Bosk': at('/rules/bosk#5.6', '[id="5.6"]'),
  'rules of GrandBois': at('/rules/grandbois', '.rule'),
  'rules of Tree Society': at('/rules/treesociety', '.rule'),
  'all cards of Tree Society': at('/treesociety/cards', '[data-printed]'),
  'settings': at('/settings', '[role=switch]'),
  'signing in': at('/sign-in', '#recover-name'),
  'credits': at('/credits', 'dl'),
  'a wrong address': at('/nowhere/at/all', 'h1'),
  'a game that is not here': at('/table/nothing', 'h1'),
};

/** Tables, and what stands above them. */
export const tables = {
  'Bosk in spring, a tree aimed': async (page, to) => {
    await table('spring')(page, to);
    await take(page, 'tree', '3');
    const [first] = await legal(page);
    await aimAt(page, first);
    await drafted(page, 1);
  },
  'Bosk in summer': table('summer'),
  'Bosk in autumn': table('autumn'),
  'Bosk in autumn, leaves falling': async (page, to) => {
    await table('autumn')(page, to);
    await aimAt(page, (await legal(page))[0]);
    await take(page, 'tile', (await page.locator('[data-bosk-tray] [data-tile]:not(.spent)').last().getAttribute('data-tile')) ?? '8');
    await page.locator('[data-bosk-board] [data-at="0,0"]').waitFor();
  },
  'Bosk in autumn, a turn made up': async (page, to) => {
    await table('made-up')(page, to);
    await boskTurn(page, { plan: { tree: ({ legal }) => legal[0], tile: ({ tiles }) => tiles.at(-1), to: ({ legal }) => legal[0] } });
    await page.waitForFunction(() => document.querySelectorAll('[data-seat] [data-after]').length === 4); // it changes what everybody would have
  },
  'Bosk refuses': async (page, to) => {
    await table('summer')(page, to);
    await page.locator('[data-confirm]').click();
    await page.locator('[data-slip]').waitFor();
  },
  'the end of Bosk': async (page, to) => {
    await table('winter')(page, to);
    await page.locator('dialog svg polyline').first().waitFor();
  },
  'GrandBois': table('place'),
  'GrandBois, a tile aimed': async (page, to) => {
    await table('place')(page, to);
    await layTile(page);
  },
  'GrandBois, a tower': table('tower'),
  'a hint in Bosk': hinted('leaves'),
  'a hint in GrandBois': hinted('place'),
  'a hint for a tower': async (page, to) => {
    await table('tower')(page, to);
    await askHint(page);
  },
  'handing the screen over': async (page, to) => {
    await to('/table/shared');
    await page.locator('[data-take-screen]').waitFor();
  },
  'the end of GrandBois': async (page, to) => {
    await table('over')(page, to);
    await page.locator('dialog svg polyline').first().waitFor();
  },
  'Tree Society, a sale': table('fruit'),
  'Tree Society, everybody’s section': async (page, to) => {
    await table('fruit')(page, to);
    const others = page.locator('#ts-tab-others');
    if (await others.count()) await others.click();
    else await page.locator('[data-section="1"]').click(); // it comes once the board stands
    await page.locator('.spread').first().waitFor();
  },
  'Tree Society, a card close up': aboveSeen(async (page, to) => {
    await table('fruit')(page, to);
    await page.locator('[data-cell="fruit-0"]').focus();
    await page.keyboard.press('i');
    await page.locator('[data-look]').waitFor();
  }),
  'Tree Society, an effect': table('effect'),
  'Tree Society, revealed cards': table('revealed'),
  'Tree Society, a turn made up': async (page, to) => {
    await table('rests')(page, to);
    const [first] = await choosable(page);
    if (await page.locator('#ts-tab-market').count()) await pointAt(page, first.at, 'touch');
    else await pointAt(page, first.at);
    await drafted(page, 1);
  },
  'the end of Tree Society': async (page, to) => {
    await table('society-over')(page, to);
    await page.locator('dialog svg polyline').first().waitFor();
  },
  'the player aid of Tree Society': above('fruit', 'a'),
  'the scores of Tree Society': above('fruit', 's'),
  'the replay of Tree Society': at('/replay/society-over', 'input[type=range]'),
  'the player aid of Bosk': above('autumn', 'a'),
  'the player aid of GrandBois': above('place', 'a'),
  'the scores of Bosk': above('autumn', 's'),
  'the scores of GrandBois': above('place', 's'),
  'the log': above('autumn', 'l'),
  'the keys': above('place', '?'),
  'the replay of Bosk': at('/replay/winter', 'input[type=range]'),
  'the replay of GrandBois': at('/replay/over', 'input[type=range]'),
  'the guide': async (page, to) => {
    await table('guided')(page, to);
    await page.locator('[data-coach]').waitFor();
  },
};
