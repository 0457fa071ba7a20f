/** Figures of the page, each with the limit it keeps: what travels before the
 * first board, how soon that is there, how soon a click shows, how smoothly a
 * large forest moves, how soon and how fast the strongest level thinks. Several
 * runs of each: least – median – most. */
import { get } from 'node:http';
import { createServer } from 'vite';
import { settled } from '../browser/drive.mjs';
import { bosk, engine as program, finished, grandbois, play, treesociety } from '../browser/games.mjs';
import { bot, browse, kept, person, serve, visit } from '../browser/stand.mjs';

const runs = Number(process.env.RUNS || 7);

let broken = 0;

/** Prints a figure with its spread. */
function say(what, list, unit, limit, digits = 0) {
  const sorted = [...list].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const show = (n) => n.toFixed(digits);
  const spread = sorted.length > 1 && sorted[0] !== sorted.at(-1) ? `${show(sorted[0])} – ${show(median)} – ${show(sorted.at(-1))}` : show(median);
  const kept = limit === undefined ? '' : limit.most !== undefined ? median <= limit.most : median >= limit.least;
  if (kept === false) broken++;
  const bound = limit === undefined ? '' : `(limit: ${limit.most !== undefined ? `at most ${limit.most}` : `at least ${limit.least}`} ${unit}${kept ? '' : ', NOT KEPT'})`;
  console.log(`${what.padEnd(58)} ${`${spread} ${unit}`.padEnd(30)} ${bound}`);
}

/** Bytes of a file of the page as it travels in an encoding. */
const travels = (path, encoding) =>
  new Promise((resolve, reject) => {
    get(server.url + path, { headers: { 'Accept-Encoding': encoding } }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk) => (bytes += chunk.length));
      answer.on('end', () => (answer.headers['content-encoding'] === encoding ? resolve(bytes) : reject(new Error(`${path} does not travel as ${encoding}`))));
    }).on('error', reject);
  });

/** Has a page note when the first cells of a board are drawn, and when the first
 * thing that may be done is marked, in milliseconds since somebody asked for its
 * address. */
const watchBoard = (context) =>
  context.addInitScript(() => {
    const wanted = { boardAt: '[role=grid] [role=gridcell]', legalAt: '[data-legal]' };
    const seen = new MutationObserver(() => {
      for (const [name, selector] of Object.entries(wanted)) {
        if (!document.querySelector(selector)) continue;
        delete wanted[name];
        requestAnimationFrame(() => setTimeout(() => (window[name] = performance.now())));
      }
      if (!Object.keys(wanted).length) seen.disconnect();
    });
    seen.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-legal'] });
  });
const noted = (page, name) => page.waitForFunction((name) => window[name], name).then((found) => found.jsonValue());

const server = await serve();
const browser = await browse({ think: true });
try {
  const games = { bosk: await bosk('autumn', { round: 3 }), grandbois: await grandbois('place', { laid: 12 }) };

  // --- what travels ----------------------------------------------------------

  // A newcomer's board is that of a new game; a game of Bosk taken up again in
  // autumn waits for its engine, and needs its later seasons too.
  const { ask, end } = program();
  const versions = Object.fromEntries((await ask('games')).games.map(({ name, version }) => [name, version]));
  end();
  const begun = (game) => ({ ...kept({ id: `new-${game}`, game, version: versions[game], players: [person(), bot(1)] }), hints: 0 });
  const boards = {
    'a new game of Bosk': [begun('bosk'), true],
    'a new game of GrandBois': [begun('grandbois'), true],
    'a new game of Tree Society': [begun('treesociety'), true],
    'a game of Bosk in autumn': [games.bosk, false],
  };
  const engines = new Set();
  for (const [name, [game, limited]] of Object.entries(boards)) {
    const { context, page, to } = await visit(browser, server.url, { painted: true, games: [game] });
    const asked = new Map(); // when
    await watchBoard(context);
    page.on('request', (request) => asked.set(new URL(request.url()).pathname, Date.now()));
    await to(`/table/${game.id}`);
    const began = await page.evaluate(() => performance.timeOrigin);
    const [drawn, legal] = [began + (await noted(page, 'boardAt')), began + (await noted(page, 'legalAt'))];
    const files = await Promise.all([...asked].filter(([path, when]) => /\.(js|css)$/.test(path) && when < legal).map(async ([path, when]) => ({ path, when, gzip: await travels(path, 'gzip'), br: await travels(path, 'br') })));
    const sum = (encoding, until) => files.reduce((sum, f) => sum + (f.when < until ? f[encoding] : 0), 0) / 1000;
    say(`script and style before the board: ${name}, Brotli`, [sum('br', drawn)], 'kB', limited ? { most: 65 } : undefined, 1);
    say('  the same in gzip, for whoever takes no Brotli', [sum('gzip', drawn)], 'kB', undefined, 1);
    say('  before the first thing that may be done, Brotli', [sum('br', legal)], 'kB', undefined, 1);
    for (const { path, br } of files.sort((a, b) => b.br - a.br).slice(0, 6)) say(`  ${path.split('/').at(-1)}`, [br / 1000], 'kB', undefined, 1);
    for (const path of asked.keys()) if (path.endsWith('.wasm')) engines.add(path);
    await context.close();
  }
  for (const path of engines) say(`${path.split('/').at(-1).replace(/-.{8}\.wasm$/, '')}, Brotli`, [(await travels(path, 'br')) / 1e6], 'MB', { most: 0.9 }, 3);

  // --- how soon the board is there -------------------------------------------

  /** Seconds from an address to the board, and to the first thing that may be done,
   * in a browser that knows nothing. */
  async function opening(game, slow) {
    const { context, page } = await visit(browser, server.url, { painted: true, games: [game] });
    if (slow) {
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 20, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 });
    }
    await watchBoard(context);
    await page.goto(`${server.url}/table/${game.id}`, { waitUntil: 'commit' });
    const took = [(await noted(page, 'boardAt')) / 1000, (await noted(page, 'legalAt')) / 1000];
    await context.close();
    return took;
  }

  for (const slow of [false, true])
    for (const [name, [game, limited]] of Object.entries(boards)) {
      const took = [];
      for (let i = 0; i < (slow ? Math.min(5, runs) : runs); i++) took.push(await opening(game, slow));
      say(`${name}, ${slow ? '4 times slower, 10 Mbit/s, 20 ms' : 'on this machine'}`, took.map(([board]) => board), 's', limited ? { most: slow ? 1.2 : 1 } : undefined, 2);
      say('  until the first thing that may be done is marked', took.map(([, legal]) => legal), 's', limited && slow ? { most: 2.3 } : undefined, 2);
    }

  // --- how soon a click shows ------------------------------------------------

  /** Milliseconds from pressing something until what it lights up is drawn. */
  async function highlight(game, pressed, lit) {
    const { context, page, to } = await visit(browser, server.url, { painted: true, games: [game] });
    await to(`/table/${game.id}`);
    await settled(page);
    const found = [];
    const list = await page.locator(pressed).all();
    for (let i = 0; i < runs; i++) {
      const target = list[i % list.length];
      await page.evaluate((lit) => {
        const marks = () => [...document.querySelectorAll(lit)].map((e) => e.outerHTML).join();
        window.took = new Promise((done) => {
          addEventListener(
            'pointerdown',
            () => {
              const began = performance.now();
              const before = marks();
              const look = () => (marks() !== before ? done(performance.now() - began) : requestAnimationFrame(look));
              requestAnimationFrame(look);
            },
            { capture: true, once: true },
          );
        });
      }, lit);
      await target.click();
      found.push(await page.evaluate(() => window.took));
    }
    await context.close();
    return found;
  }
  say('click on a tree of Bosk until its crossings are lit', await highlight(await bosk('spring'), '[data-bosk-tray] [data-tree]', '[data-bosk-board] .targets > g, [data-bosk-tray] [aria-pressed]'), 'ms', { most: 50 });
  say('click on a tile of GrandBois until its places are lit', await highlight(games.grandbois, '.gb-river [data-tile]', '.gb-forest .dots circle'), 'ms', { most: 50 });

  // --- how smoothly a forest moves -------------------------------------------

  const forest = await finished('grandbois', { players: Array.from({ length: 4 }, () => ({ kind: 'person', name: '', bot: '' })) });
  const { context, page, to } = await visit(browser, server.url, { painted: true, games: [forest] });
  await to(`/table/${forest.id}`);
  await settled(page);
  await page.locator('dialog [data-verdict]').waitFor();
  await page.keyboard.press('Escape'); // the end sheet
  await page.locator('dialog').waitFor({ state: 'detached' });
  const frames = [];
  const medians = [];
  const slowest = [];
  for (let i = 0; i < Math.min(3, runs); i++) {
    const { x, y, width, height } = await page.locator('.gb-forest').boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.evaluate(() => {
      window.frames_ = [];
      const tick = (now) => window.frames_ && (window.frames_.push(now), requestAnimationFrame(tick));
      requestAnimationFrame(tick);
    });
    const began = performance.now();
    for (let step = 0; performance.now() - began < 2000; step++) await page.mouse.move(x + width / 2 + 160 * Math.sin(step / 12), y + height / 2 + 120 * Math.cos(step / 9));
    const stamps = await page.evaluate(() => {
      const all = window.frames_;
      window.frames_ = null;
      return all;
    });
    await page.mouse.up();
    const gaps = stamps.slice(1).map((t, n) => t - stamps[n]).sort((a, b) => a - b);
    frames.push((1000 * gaps.length) / (stamps.at(-1) - stamps[0]));
    medians.push(gaps[Math.floor(gaps.length / 2)]);
    slowest.push(gaps[Math.floor(gaps.length * 0.95)]);
  }
  // A screen shows 60 frames a second, 16.7 ms each; a frame that is left out
  // takes twice as long, so the clock may be off a little.
  say('moving a finished forest of GrandBois', frames, 'frames/s');
  say('  a frame', medians, 'ms', { most: 17 }, 1);
  say('  a frame, 95 of 100 are quicker', slowest, 'ms', { most: 17 }, 1);
  await context.close();

  // --- how soon level 10 answers -----------------------------------------------

  // Whole games of level 10 against itself, in the page: from the request to the
  // turn, the first one of a page that is still loading its workers included.
  for (const [game, name] of [['bosk', 'Bosk'], ['grandbois', 'GrandBois'], ['treesociety', 'Tree Society']]) {
    for (let seats = 2; seats <= 4; seats++) {
      if (process.env.LEVEL10 && !process.env.LEVEL10.includes(`${game}${seats}`)) continue;
      const begun = await play({ game, players: Array.from({ length: seats }, () => bot(10)), until: () => true });
      const { context, page, to } = await visit(browser, server.url, { games: [begun] });
      await context.addInitScript(timeThoughts);
      await to(`/table/${begun.id}`);
      await page.locator('dialog [data-verdict]').waitFor({ timeout: 1_800_000 });
      const thoughts = await page.evaluate(() => window.thoughts);
      const times = thoughts.map((t) => t.took).sort((a, b) => a - b);
      const workers = page.workers().length - 1; // one has the rules
      say(`level 10 of ${name}, ${seats} seats, ${workers} ${workers === 1 ? 'worker' : 'workers'}, ${times.length} turns`, [times[Math.floor(times.length / 2)]], 'ms', { most: 1000 });
      say('  99 of 100 are quicker', [times[Math.ceil(0.99 * times.length) - 1]], 'ms', { most: 1500 });
      const cut = thoughts.filter((t) => t.cut).length;
      if (cut) console.log(`  ${cut} were cut short: this machine is too slow or too busy for it`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
}

/** Runs in the page, before anything else: notes how long every thought takes. */
function timeThoughts() {
  window.thoughts = [];
  window.Worker = class extends Worker {
    asked = new Map(); // the thoughts of each engine: since when
    lines = new Map(); // their requests, by id
    constructor(...how) {
      super(...how);
      this.addEventListener('message', ({ data }) => {
        const engine = this.lines.get(data.id);
        if (engine === undefined || !data.line) return;
        this.lines.delete(data.id);
        const { ok, errands, cut } = JSON.parse(data.line);
        if (ok && !errands) window.thoughts.push({ took: performance.now() - this.asked.get(engine), cut });
      });
    }
    postMessage(what) {
      const asks = what.line && JSON.parse(what.line).do;
      if (asks === 'think') this.asked.set(what.engine, performance.now());
      if (asks === 'think' || asks === 'think-on') this.lines.set(what.id, what.engine);
      super.postMessage(what);
    }
  };
}

// --- how fast level 10 thinks --------------------------------------------------

// In WebAssembly, by the machine that runs it in Chromium too, and beside it the
// same engine as a program: games played on a second for one turn.
const modules = await createServer({ configFile: false, optimizeDeps: { noDiscovery: true }, server: { middlewareMode: true, hmr: false }, appType: 'custom', logLevel: 'error' });
try {
  const { InProcess } = await modules.ssrLoadModule('/src/engine/inprocess.ts');
  for (const [name, game, turns] of [
    ['Bosk, the first tree', 'bosk', 0],
    ['Bosk, the start of autumn', 'bosk', 17],
    ['GrandBois, the first tile', 'grandbois', 0],
    ['GrandBois, half way', 'grandbois', 18],
  ]) {
    const native = program();
    for (const [where, asked] of [
      ['WebAssembly', new InProcess().engine()],
      ['a program', native],
    ]) {
      const rates = [];
      const times = [];
      for (let i = 0; i < Math.min(3, runs); i++) {
        let { toAct, turn = 0 } = await asked.ask('new', { game, seats: 2, seed: `bench ${i}` });
        while (turn < turns) {
          const { line } = await asked.ask('think', { player: 'level:2', seed: `${turn}` });
          for (const move of line) ({ toAct, turn } = await asked.ask('play', { seat: toAct[0], move }));
        }
        const began = performance.now();
        const { played } = await asked.ask('think', { player: 'level:10', seed: 'bench' });
        times.push(performance.now() - began);
        rates.push((1000 * played) / times.at(-1));
      }
      say(`level 10 as ${where}: ${name}`, rates, 'simulations/s');
      say('  a turn', times, 'ms');
    }
    native.end();
  }
} finally {
  await modules.close();
}
if (broken) {
  console.log(`${broken} ${broken === 1 ? 'limit is' : 'limits are'} not kept; a busy machine is slower than the limits allow for.`);
  process.exitCode = 1;
}
