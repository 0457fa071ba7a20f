/** How far what stands on a screen jumps while the screen loads. Answers are held and
 * let go one by one, so that every state in between is seen, on any machine alike. */

/** In which order answers that wait are let go. */
export const orders = {
  'as they were asked for': (waiting) => waiting.shift(),
  'the last first': (waiting) => waiting.pop(),
};

/** What a page waits for before it draws anything: nothing can jump before it. */
const first = (request) => ['document', 'stylesheet'].includes(request.resourceType()) || /\/docs-begin-/.test(request.url());

/** Holds all answers for a page but those. */
export async function hold(page) {
  const held = { waiting: [], held: 0 };
  await page.route('**/*', async (route) => {
    if (first(route.request())) return route.continue();
    held.held++;
    await new Promise((go) => held.waiting.push(go));
    await route.continue().catch(() => {}); // the page may be gone
  });
  return held;
}

/** Notes every jump of a page from its beginning on. To be called before it is opened.
 * Those count too that a browser forgives since somebody has just done something: nobody
 * does here, and it takes the first size of a phone's window for that. */
export function note(page) {
  return page.addInitScript(() => {
    window.jumps = [];
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        window.jumps.push({ value, of: sources.map(({ node, previousRect: was, currentRect: is }) => `${node?.parentElement?.className ?? ''} > ${node?.nodeName ?? ''}.${node?.className?.baseVal ?? node?.className ?? ''} “${(node?.textContent ?? '').trim().slice(0, 30)}” ${was.x},${was.y} ${was.width}×${was.height} → ${is.x},${is.y} ${is.width}×${is.height}`) });
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Lets what waits go one by one, each seen before the next, until the screen is there
 * and nothing waits any more. */
export async function letGo(page, held, next, there) {
  const drawn = () => page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  for (let idle = 0; idle < 6; ) {
    await drawn();
    const go = next(held.waiting);
    if (go) go();
    idle = go || !(await there()) ? 0 : idle + 1;
  }
}

/** The sum of all jumps so far, and what jumped. */
export const jumped = (page) => page.evaluate(() => ({ sum: window.jumps.reduce((sum, { value }) => sum + value, 0), jumps: window.jumps }));
