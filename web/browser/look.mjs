/** What can be found wrong with a screen by looking at it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe holds to be serious or critical, each in one line. Where only the
 * colours have changed, only they are looked at; where the page below a dialog has
 * been looked at before, only the dialog is. */
export async function barriers(page, { coloursOnly = false, dialogOnly = false } = {}) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe);
    await page.evaluate(() => window.axe.configure({ noHtml: true })); // a target is enough to find what is meant
  }
  const rules = { type: 'rule', values: coloursOnly ? ['color-contrast', 'link-in-text-block'] : await seriousRules(page) };
  const found = await page.evaluate(([runOnly, where]) => window.axe.run(where ? document.querySelector(where) : document, { resultTypes: ['violations'], preload: { assets: ['media'] }, runOnly }), [rules, dialogOnly ? 'dialog:modal' : null]);
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) => `${id}: ${node.target.join(' ')}: ${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message}`));
}

/** The tags of the rules that axe looks by. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of axe that it would ask by these tags and that can find something serious.
 * What axe says of a rule's impact holds for all that the rule finds, so the others are
 * not asked in vain. A rule of which it says none is asked. */
function seriousRules(page) {
  return page.evaluate((tags) => {
    const { rules, tagExclude } = window.axe._audit;
    const meant = (rule) => rule.tags.some((tag) => tags.includes(tag)) && !rule.tags.some((tag) => tagExclude.includes(tag));
    return rules.filter((rule) => meant(rule) && !['minor', 'moderate'].includes(rule.impact)).map((rule) => rule.id);
  }, tags);
}

/** Whatever moves has come to rest, and the fonts are there. */
export const still = (page) => page.evaluate(rested);

/** Texts of which a part cannot be seen and cannot be scrolled to, and a page
 * that is wider than the screen. */
export const cutOff = (page) => page.evaluate(foundCutOff);

/** What `cutOff` finds on a page of this size in each of some languages, and, with
 * `times`, with every text so many times as large too, as somebody does who reads
 * badly. The page stays where it is; it ends in the last of the languages. All of
 * it is one call, because calls cost more than looks. */
export function cutOffIn(page, languages, times = 1) {
  return page.evaluate(`(${looked})(${JSON.stringify({ languages, times })}, { speak: ${spoken}, rest: ${rested}, enlarge: ${enlarged}, find: ${foundCutOff} })`);
}

/** Has a page speak another language, as if somebody had chosen it in another tab. */
export const speak = (page, language) => page.evaluate(spoken, language);

/** Controls that a thumb would miss: under 40 by 40 pixels. Links within a text
 * are as high as their line. */
export function tooSmall(page) {
  return page.evaluate(() => {
    const top = document.querySelector('dialog[open], .cover[role=dialog]') ?? document.body;
    return [...top.querySelectorAll('button, a[href], select, input, summary, [role=button], [role=tab]')]
      .filter((e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !e.closest('.unseen, [hidden]'))
      .flatMap((e) => {
        if (e.matches('a:not(.button)') && e.parentElement.closest('p, li, td, th, dd, .slip') && getComputedStyle(e).display === 'inline') return [];
        // A label around a small box is pressed as a whole.
        const target = e.matches('input[type=radio], input[type=checkbox]') ? (e.closest('label') ?? e) : e;
        const { width, height, left, right, bottom, top } = target.getBoundingClientRect();
        if (!width || !height || right < 0 || bottom < 0 || left > innerWidth || top > innerHeight + 2000) return [];
        if (width >= 39.5 && height >= 39.5) return [];
        return [`${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''} “${(e.getAttribute('aria-label') ?? e.textContent).trim().slice(0, 40)}” is ${width.toFixed(0)} × ${height.toFixed(0)}`];
      });
  });
}

/** Fails with all that was found. */
export function none(found, where) {
  assert.deepEqual(found, [], where);
}

// --- what runs in the page: each of these stands by itself ----------------------

async function looked({ languages, times }, { speak, rest, enlarge, find }) {
  const found = [];
  for (const language of languages) {
    await speak(language);
    await rest();
    for (const text of find()) found.push(`${language}: ${text}`);
    if (times === 1) continue;
    const back = enlarge(times);
    await rest();
    for (const text of find()) found.push(`${language}, text at ${times * 100} %: ${text}`);
    back();
  }
  return found;
}

async function spoken(language) {
  const key = 'copse.settings';
  const was = localStorage.getItem(key);
  const now = JSON.stringify({ ...JSON.parse(was), language });
  localStorage.setItem(key, now);
  dispatchEvent(new StorageEvent('storage', { key, oldValue: was, newValue: now, storageArea: localStorage }));
  for (let frames = 0; document.documentElement.lang !== language; frames++) {
    if (frames > 10_000) throw new Error(`the page does not speak ${language}`);
    await new Promise(requestAnimationFrame);
  }
}

async function rested() {
  await document.fonts.ready;
  // Not by their promises: that of a transition which another one has ended is never kept.
  const moves = () => document.getAnimations().some((a) => a.playState === 'running' && a.effect?.getComputedTiming().endTime < 5000);
  for (let frames = 0; moves() && frames < 600; frames++) await new Promise(requestAnimationFrame);
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}

/** Leaves pictures as they are. Gives what puts the texts back. */
function enlarged(times) {
  const texts = [...document.querySelectorAll('body, body *')].filter((e) => e instanceof HTMLElement);
  const sizes = texts.map((e) => parseFloat(getComputedStyle(e).fontSize));
  const before = texts.map((e) => e.style.fontSize);
  texts.forEach((e, i) => (e.style.fontSize = `${sizes[i] * times}px`));
  return () => texts.forEach((e, i) => (e.style.fontSize = before[i]));
}

function foundCutOff() {
  const found = [];
  const root = document.scrollingElement;
  // A phone shows more of a page that is too wide, so its own width says nothing.
  if (root.scrollWidth > root.clientWidth + 1) found.push(`the page is ${root.scrollWidth} px wide on a screen of ${root.clientWidth}`);
  // What stands above the page hides it: then only that is looked at.
  const top = document.querySelector('dialog[open], .cover[role=dialog]') ?? document.body;

  /** What of an element concerns the texts in it; asked once. */
  const known = new Map();
  const about = (e) => {
    let it = known.get(e);
    if (it) return it;
    const { overflowX, overflowY, textOverflow, position, clipPath } = getComputedStyle(e);
    const panned = e.matches('.gb-forest'); // a forest is panned
    const above = e === document.body || !e.parentElement ? null : about(e.parentElement);
    it = {
      clipsX: overflowX !== 'visible',
      clipsY: overflowY !== 'visible',
      scrollsX: panned || overflowX === 'auto' || overflowX === 'scroll',
      scrollsY: panned || overflowY === 'auto' || overflowY === 'scroll',
      ellipsis: textOverflow === 'ellipsis' && overflowX !== 'visible',
      fixed: position === 'fixed',
      box: e.getBoundingClientRect(),
      unseen: above !== null && (above.unseen || clipPath.startsWith('inset(50%')), // for screen readers alone
      part: e.matches('section, nav, article, header, footer, form, dialog, li') ? e : above?.part,
    };
    known.set(e, it);
    return it;
  };

  // What must be read at once is not scrolled, but by those who enlarge it.
  for (const e of document.body.style.fontSize ? [] : top.querySelectorAll('[data-whole]'))
    if (e.scrollHeight > e.clientHeight + 2) found.push(`“${e.textContent.trim().slice(0, 60)}” must be scrolled by ${e.scrollHeight - e.clientHeight}`);

  const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const parts = new Map(); // what lies where in each, for those that lie on each other
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.data.trim();
    const parent = node.parentElement;
    if (!text || parent.closest('script, style, option, [hidden], .unseen, [data-slip]')) continue;
    if (!parent.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || about(parent).unseen) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((b) => b.width > 0 && b.height > 0);
    if (!boxes.length) continue;
    const { part, ellipsis } = about(parent);
    if (!parent.closest('svg')) parts.set(part, [...(parts.get(part) ?? []), ...boxes.map((box) => ({ box, text, parent }))]);
    const left = Math.min(...boxes.map((b) => b.left));
    const right = Math.max(...boxes.map((b) => b.right));
    const high = Math.min(...boxes.map((b) => b.top));
    const low = Math.max(...boxes.map((b) => b.bottom));
    const begin = text.slice(0, 60);
    if (ellipsis && parent.scrollWidth > parent.clientWidth + 1) found.push(`“${begin}” ends in …`);
    let scrollsX = false;
    let scrollsY = false;
    let fixed = false;
    for (let e = parent; e && e !== document.documentElement; e = e.parentElement) {
      const it = about(e);
      scrollsX ||= it.scrollsX;
      scrollsY ||= it.scrollsY;
      const where = (from, to) => `in ${Math.round(from)}–${Math.round(to)} of ${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''}`;
      if (it.clipsX && !scrollsX && (left < it.box.left - 1.5 || right > it.box.right + 1.5)) found.push(`“${begin}” is cut off at the side (${Math.round(left)}–${Math.round(right)} ${where(it.box.left, it.box.right)})`);
      if (it.clipsY && !scrollsY && (high < it.box.top - 4 || low > it.box.bottom + 4)) found.push(`“${begin}” is cut off above or below (${Math.round(high)}–${Math.round(low)} ${where(it.box.top, it.box.bottom)})`);
      if (it.fixed) {
        if (!scrollsY && (high < -4 || low > innerHeight + 4)) found.push(`“${begin}” lies above or below the screen`);
        fixed = true;
        break;
      }
    }
    if (!scrollsX && (left < -1.5 || right > innerWidth + 1.5)) found.push(`“${begin}” lies beside the screen (${Math.round(left)}–${Math.round(right)})`);
    if (!scrollsY && !fixed && high + root.scrollTop < -4) found.push(`“${begin}” lies above the page (${Math.round(high + root.scrollTop)})`);
  }
  for (const lines of parts.values()) {
    lines.sort((a, b) => a.box.top - b.box.top);
    lines.forEach((a, i) => {
      for (const b of lines.slice(i + 1)) {
        if (b.box.top > a.box.bottom - 6) break; // nor do those after it
        if (a.parent === b.parent) continue;
        const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const high = Math.min(a.box.bottom, b.box.bottom) - b.box.top;
        if (wide > 3 && high > 6) found.push(`“${a.text.slice(0, 40)}” and “${b.text.slice(0, 40)}” lie on each other`);
      }
    });
  }
  return [...new Set(found)];
}
