/** Films what moves at a table, as strips of pictures, and measures its frames: on a
 * machine four times slower, beside the same where nothing moves. `npm run film` writes
 * to build/film; `npm run film -- FOLDER NAME` elsewhere, and only what is so called;
 * with STRIPS=0 it measures alone. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyhow, boskTurn, dice, layTile, pointAt, ready, settled } from '../browser/drive.mjs';
import { bosk, grandbois, treesociety } from '../browser/games.mjs';
import { holdMotion, lastOfRound } from '../browser/moving.mjs';
import { browse, serve, visit } from '../browser/stand.mjs';

const folder = process.argv[2] || 'build/film';
const only = process.argv[3] ?? '';
const shots = 8;
mkdirSync(folder, { recursive: true });

const confirm = async (page) => {
  await ready(page);
  await page.locator('[data-confirm]').click();
};

/** What is filmed: a game at a moment, how the moment is prepared, and what sets
 * things in motion. `real`: time itself moves it. */
const scenes = [
  { name: 'bosk-leaves', game: () => bosk('autumn', { id: 'film', round: 4, seed: 'film' }), prepare: (page) => boskTurn(page, { plan: { ...anyhow(dice('film')), tile: ({ tiles }) => tiles.at(-1) } }), act: confirm },
  { name: 'grandbois-tile', game: () => grandbois('place', { id: 'film', laid: 14, seed: 'film' }), prepare: (page) => layTile(page), act: confirm },
  { name: 'treesociety-sale', game: () => treesociety('sell', { id: 'film', round: 4, seed: 'film' }), act: async (page, by) => pointAt(page, await cellOf(page, 'sell'), by) },
  { name: 'treesociety-build', game: () => treesociety('build', { id: 'film', round: 3, seed: 'film', when: (view) => !view.job && view.quotes.some((q) => q.level === 1 && q.place && !q.short) }), act: async (page, by) => pointAt(page, await cellOf(page, 'found'), by) },
  {
    name: 'treesociety-guild',
    game: () => treesociety('build', { id: 'film', seed: 'film', when: (view) => !view.job && view.quotes.some((q) => q.level === 3 && q.place && !q.short) }),
    prepare: async (page) => void ((await page.locator('#ts-tab-mine').count()) && (await page.locator('#ts-tab-mine').click())),
    act: async (page, by) => {
      const game = await page.evaluate(() => [...document.querySelectorAll('[data-legal=raise]')].map((cell) => cell.dataset.cell));
      for (const at of game) if (await page.locator(`[data-cell="${at}"]`).evaluate((cell) => / 3\b/.test(cell.querySelector('.unseen').textContent))) return pointAt(page, at, by);
      return pointAt(page, game[0], by);
    },
  },
  { name: 'last-round', game: () => lastOfRound(7), prepare: (page) => boskTurn(page, { plan: anyhow(dice('film')) }), act: confirm, of: '.table' },
  {
    name: 'end',
    game: () => lastOfRound(8),
    prepare: (page) => boskTurn(page, { plan: anyhow(dice('film')) }),
    act: async (page) => {
      await confirm(page);
      await page.waitForFunction(() => document.querySelector('[data-phase]').dataset.phase === 'interlude');
      await page.waitForTimeout(400);
      await page.keyboard.press('Enter');
    },
    real: 600,
  },
];

async function cellOf(page, does) {
  if (!(await page.locator(`[data-ts-board] [data-legal="${does}"]`).count())) await page.locator(`#ts-tab-${does === 'found' ? 'market' : 'mine'}`).click();
  return page.locator(`[data-ts-board] [data-legal="${does}"]`).first().getAttribute('data-cell');
}

const server = await serve();
const browser = await browse();
try {
  for (const scene of scenes.filter(({ name }) => name.includes(only))) {
    const game = await scene.game();
    for (const size of ['desktop', 'phone'])
      for (const theme of process.env.STRIPS === '0' ? [] : ['light', 'dark']) {
        const by = size === 'phone' ? 'touch' : 'mouse';
        const guest = await visit(browser, server.url, { size, theme, games: [game], painted: true, settings: { motion: 'full', pace: scene.real ? 'instant' : 'slow', theme } });
        const { page } = guest;
        if (!scene.real) await holdMotion(page);
        await guest.to(`/table/${game.id}`);
        await settled(page);
        await scene.prepare?.(page);
        await page.evaluate(() => (window.held = []));
        await scene.act(page, by);
        const pictures = [];
        if (scene.real) {
          await page.locator('dialog [data-verdict]').waitFor();
          for (let i = 0; i < shots; i++) {
            pictures.push(await picture(page, size, '.inner'));
            await page.waitForTimeout(scene.real - 250);
          }
        } else {
          await page.waitForFunction(() => window.held.length > 0);
          await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
          const long = await page.evaluate(() => Math.max(...window.held.map((a) => a.effect.getComputedTiming().endTime)));
          for (let i = 0; i < shots; i++) {
            await page.evaluate((at) => window.held.forEach((a) => (a.currentTime = at)), (long * (i + 0.35)) / shots);
            pictures.push(await picture(page, size, scene.of));
          }
        }
        const file = join(folder, `${scene.name}-${size}-${theme}.png`);
        writeFileSync(file, await strip(pictures, size));
        console.log(file, guest.wrong.join(' '));
        await guest.context.close();
      }
    for (const size of ['desktop', 'phone'])
      for (const motion of ['full', 'reduced']) console.log(`${scene.name} on a ${size}, motion ${motion}:`.padEnd(52), await cost(scene, game, size, motion));
  }
} finally {
  await browser.close();
  await server.stop();
}

/** What a second and a half after it costs the page, by the clock of its own thread:
 * that is the same however busy the machine is. */
async function cost(scene, game, size, motion) {
  const guest = await visit(browser, server.url, { size, games: [game], painted: true, settings: { motion, pace: 'slow' } });
  const { page } = guest;
  await guest.to(`/table/${game.id}`);
  await settled(page);
  await scene.prepare?.(page);
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await scene.act(page, size === 'phone' ? 'touch' : 'mouse');
  const frames = await page.evaluate(async () => {
    let n = 0;
    for (const began = performance.now(); (await new Promise(requestAnimationFrame)) - began < 1500; ) n++;
    return n;
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await guest.context.close();
  const drawn = traceEvents.filter((e) => e.name === 'FunctionCall' || e.name === 'Paint').at(-1);
  const mine = traceEvents.filter((e) => e.pid === drawn.pid && e.tid === drawn.tid);
  const tasks = mine.filter((e) => /RunTask$/.test(e.name) && e.tdur !== undefined).map((e) => e.tdur / 1000);
  const of = (name) => mine.filter((e) => e.name === name);
  const sum = (list) => list.reduce((a, b) => a + (b ?? 0), 0);
  tasks.sort((a, b) => a - b);
  return `${frames} frames, ${sum(tasks).toFixed(0)} ms of work, longest task ${tasks.at(-1)?.toFixed(0)} ms, ${tasks.filter((t) => t > 50).length} over 50 ms, ${of('Layout').length} layouts ${(sum(of('Layout').map((e) => e.tdur)) / 1000).toFixed(0)} ms, ${of('Paint').length} paints ${(sum(of('Paint').map((e) => e.tdur)) / 1000).toFixed(0)} ms`;
}

/** What is looked at: all of a small screen, of a large one the part that moves. */
async function picture(page, size, of = 'main.board') {
  const clip = size === 'desktop' && of ? await page.locator(of).last().boundingBox() : undefined;
  return page.screenshot({ clip });
}

/** The pictures side by side. */
async function strip(pictures, size) {
  const [width, across] = size === 'phone' ? [390, 4] : [480, 4];
  const page = await browser.newPage({ viewport: { width: width * across, height: 600 } });
  await page.setContent(`<body style="margin:0;display:grid;grid-template-columns:repeat(${across},${width}px)">${pictures.map((p) => `<img width=${width} src="data:image/png;base64,${p.toString('base64')}">`).join('')}`);
  const picture = await page.screenshot({ fullPage: true });
  await page.close();
  return picture;
}
