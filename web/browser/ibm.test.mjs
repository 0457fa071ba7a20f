/** What IBM’s Equal Access finds on a screen, beside axe: nothing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { none, still } from './look.mjs';
import { pages, played, tables } from './screens.mjs';
import { sizes, stand } from './stand.mjs';
import { together } from './together.mjs';

const here = stand({ before, after });
const engine = readFileSync(createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'), 'utf8');

/** What it takes for a violation and is none, by rule and by what is said of it. */
const falseAlarms = [
  {
    rule: 'element_tabbable_role_valid',
    of: /^<(div [^>]*role="(region|group)"|pre|ol [^>]*data-talk)/,
    why: 'what is scrolled in its own box is a stop for the keyboard, so that those without a mouse can scroll it: there is no role for that, and WCAG 2.1.1 asks for it',
  },
  {
    rule: 'text_contrast_sufficient',
    of: /^<b /,
    at: /\/ol\[1\]\/li\[\d\]\/span\[4\]\/b\[1\]$/,
    why: 'what a round of Bosk asks for stands on a drawn tree, which is light: it is compared with what lies behind the tree',
  },
];

/** What it finds on a page, each in one line. */
async function violations(page) {
  await page.evaluate(`${engine};window.ace = ace;`);
  const found = await page.evaluate(async () => {
    const { results } = await new window.ace.Checker().check(document, ['WCAG_2_2', 'IBM_Accessibility']);
    return results.filter(({ value }) => value[0] === 'VIOLATION' && value[1] === 'FAIL').map(({ ruleId, message, snippet, path }) => ({ rule: ruleId, message, snippet, path: path.dom }));
  });
  return found
    .filter(({ rule, snippet, path }) => !falseAlarms.some((alarm) => alarm.rule === rule && alarm.of.test(snippet) && (alarm.at ?? /./).test(path)))
    .map(({ rule, message, snippet, path }) => `${rule}: ${message}: ${snippet} at ${path}`);
}

const documents = Object.fromEntries(['/docs', '/docs/host', '/docs/bot'].map((path) => [`the document ${path}`, async (page, to) => void (await to(path))]));

/** One screen of each kind; `make torture` has time for all. */
const some = ['home', 'rules of Bosk', 'settings', 'new game of GrandBois', 'a wrong address', 'Bosk in autumn', 'GrandBois', 'Tree Society, a sale', 'the lobby', 'settings, me among friends', ...Object.keys(documents)];
const all = { ...pages, ...tables, ...together, ...documents };

for (const name of process.env.COPSE_TORTURE ? Object.keys(all) : some)
  test(`Equal Access finds nothing: ${name}`, { timeout: 600_000 }, async (t) => {
    const { page, to } = await here.visit(t, { games: await played() });
    await to('/credits');
    await all[name](page, to);
    for (const size of process.env.COPSE_TORTURE ? ['desktop', 'phone'] : ['desktop']) {
      await page.setViewportSize(sizes[size]);
      await still(page);
      none(await violations(page), size);
    }
  });

test('it finds what is wrong: these tests can fail', async (t) => {
  const { page, to } = await here.visit(t);
  await to('/docs');
  await page.evaluate(() => {
    const nameless = document.createElement('input');
    document.querySelector('article').append(nameless);
  });
  assert.ok((await violations(page)).some((found) => found.startsWith('input_label_exists')));
});
