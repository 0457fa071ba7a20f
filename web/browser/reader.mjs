/** Plays games as somebody does who sees nothing: by the roles and names of the
 * accessibility tree and the keyboard, and by nothing else of the page. */
import assert from 'node:assert/strict';
import { messages, shape, words } from './words.mjs';

const say = (key) => words('en', key);

/** Sentences somewhere in a name, whatever stands in their slots. */
const within = (...keys) => new RegExp(keys.map((key) => shape('en', key).source.slice(1, -1)).join('|'), 'su');

/** A message that is a choice between words: one of them. */
const chosen = (key) => new RegExp(`^(${[...messages('en')[key].matchAll(/ \{([^{}]+)\}/g)].map(([, text]) => text).join('|')})$`);

/** A snapshot of the tree as a list: what each thing is, what it is called, in
 * which group it is, and its states. */
export function things(snapshot) {
  const list = [];
  const groups = []; // around this line, by how far they are indented
  for (const line of snapshot.split('\n')) {
    const found = line.match(/^( *)- (?:'((?:[^']|'')*)'|([^:'][^:]*?))(?::.*)?$/) ?? [];
    const [, indent = '', quoted, plain] = found;
    const [, role, name = '', states = ''] = (quoted?.replaceAll("''", "'") ?? plain ?? '').match(/^([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$/) ?? [];
    if (!role) continue;
    while (groups.length && groups.at(-1).indent >= indent.length) groups.pop();
    list.push({ role, name: JSON.parse(`"${name}"`), group: groups.at(-1)?.name ?? '', pressed: states.includes('[pressed]'), disabled: states.includes('[disabled]') });
    if (role === 'group') groups.push({ indent: indent.length, name: list.at(-1).name });
  }
  return list;
}

/** What a reader does next, from what there is in hand and on the board; null where
 * all is done but to go on. `goesOn` is what stands on the button that does that. */
const ways = {
  bosk({ tray, board, goesOn, one }) {
    const cells = (...keys) => board.filter(({ role, name }) => role === 'gridcell' && within(...keys).test(name));
    const group = (key) => tray.filter((thing) => thing.role === 'button' && thing.group === say(key));
    const [trees, tiles, winds] = ['page.bosk.tray.trees', 'page.bosk.tray.tiles', 'page.bosk.tray.wind'].map(group);
    if (winds.length) return winds.some((side) => side.pressed) ? null : one(winds);
    if (trees.length) {
      if (cells('page.bosk.cell.held').length) return null;
      if (!trees.some((tree) => tree.pressed)) return one(trees.filter(({ name }) => /\d left/.test(name)));
      return one(cells('page.bosk.cell.plant'));
    }
    if (shape('en', 'page.bosk.confirm.left').test(goesOn)) return one(cells('page.bosk.cell.costs'));
    if (cells('page.bosk.cell.costs', 'page.bosk.cell.stop').length) return cells('page.bosk.cell.held').length ? null : one(cells('page.bosk.cell.costs', 'page.bosk.cell.stop'));
    if (!tiles.some((tile) => tile.pressed)) return one(tiles.filter(({ name }) => !/, used$/.test(name)));
    return cells('page.bosk.cell.shed').length ? one(cells('page.bosk.cell.shed')) : null;
  },
  grandbois({ tray, board, one }) {
    const cells = (...keys) => board.filter(({ role, name }) => role === 'gridcell' && within(...keys).test(name));
    const buttons = tray.filter(({ role }) => role === 'button');
    const decides = buttons.filter(({ name }) => within('page.grandbois.tower.here', 'page.grandbois.tower.points', 'page.grandbois.tower.none').test(name) || name === say('page.grandbois.pass'));
    if (decides.length) return one(decides);
    if (cells('page.grandbois.cell.lies').length) return null;
    const fits = cells('page.grandbois.cell.fits', 'page.grandbois.cell.other');
    return one(fits.length ? fits : buttons.filter(({ name, pressed }) => !pressed && within('page.grandbois.river.tile').test(name)));
  },
  treesociety({ tray, board, goesOn, one }) {
    const cells = (...keys) => board.filter(({ role, name }) => role === 'gridcell' && within(...keys).test(name));
    const done = within('page.treesociety.confirm.take', 'page.treesociety.confirm.row', 'page.treesociety.confirm.on', 'page.treesociety.confirm.end');
    if (goesOn.search(done) === 0) return null;
    const decides = tray.filter(({ role, name }) => role === 'button' && (name === say('page.treesociety.use') || name === say('page.treesociety.skip') || chosen('page.treesociety.row.away').test(name)));
    if (decides.length) return one(decides);
    const builds = cells('page.treesociety.cell.builds');
    const raises = builds.filter(({ name }) => /on level \d/.test(name)); // whoever finishes what was begun comes to an end
    if (builds.length) return one(raises.length ? raises : builds);
    const others = cells('page.treesociety.cell.sells', 'page.treesociety.cell.takes', 'page.treesociety.cell.discards');
    return others.length ? one(others) : null;
  },
};

/** Somebody who reads a table. */
export function reader(page, roll) {
  const region = (key) => page.getByRole('region', { name: say(key), exact: true });
  const prompt = region('page.table.prompt');
  const tray = region('page.table.tray');
  const board = page.getByRole('main', { name: say('page.table.board') });
  const actions = page.getByRole('contentinfo', { name: say('page.table.actions') });
  const end = page.getByRole('dialog', { name: say('page.end.title') });
  const one = (list) => list[Math.floor(roll() * list.length)] ?? null;

  /** What is asked for, what is held and what can be done: that changes with every
   * step. The end covers the table, and is all there is to be read then: it may have
   * come between two looks, and then the table reads as empty. */
  async function read() {
    for (const late = Date.now() + 60_000; Date.now() < late; ) {
      if (await end.count()) return null;
      const parts = await Promise.all([prompt, tray, actions].map((part) => part.ariaSnapshot({ timeout: 5000 }))).catch(() => null);
      if (parts && things(parts[2]).some(({ role }) => role === 'button')) return parts;
      await page.waitForTimeout(20);
    }
    assert.fail('there is no table to be read');
  }

  let idle = 0; // presses in a row that changed nothing

  /** Goes to something, presses Enter, and reads on when something has changed.
   * What was read may have gone meanwhile, and right after Confirm the same button
   * is deaf for a moment: then it is read again. */
  async function press(what, before) {
    await what.focus({ timeout: 2000 }).catch(() => {});
    await page.keyboard.press('Enter');
    for (let look = 0; look < 100; look++) {
      const now = await read();
      if (String(now) !== String(before)) {
        idle = 0;
        return now;
      }
      await page.waitForTimeout(20);
    }
    assert.ok(++idle < 20, `nothing comes of it:\n${before.join('\n')}`);
    return read();
  }

  return {
    prompt,
    actions,
    board,
    tray,
    end,
    /** Plays on to the end, by what can be read. Gives what was read on the way. */
    async play(game, hear = async () => {}) {
      let now = await read();
      for (let step = 0; step < 2000; step++) {
        if (now === null) return;
        const goesOn = things(now[2]).findLast(({ role }) => role === 'button').name;
        const main = actions.getByRole('button', { name: goesOn, exact: true });
        await hear(goesOn === say('page.table.skip') ? 'others' : 'mine');
        const seen = await board.ariaSnapshot({ timeout: 5000 }).catch(() => null);
        if (seen === null) {
          now = await read(); // the end has come between two looks
          continue;
        }
        const way = goesOn === say('page.table.skip') ? null : ways[game]({ tray: things(now[1]), board: things(seen), goesOn, one });
        const what = way ? (way.role === 'gridcell' ? board : tray).getByRole(way.role, { name: way.name, exact: true }).first() : main;
        now = await press(what, now);
      }
      assert.fail('a game that does not end');
    },
  };
}
