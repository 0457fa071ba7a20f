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
  const rules = coloursOnly ? { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
  const found = await page.evaluate(([runOnly, where]) => window.axe.run(where ? document.querySelector(where) : document, { resultTypes: ['violations'], preload: { assets: ['media'] }, runOnly }), [rules, dialogOnly ? 'dialog:modal' : null]);
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) => `${id}: ${node.target.join(' ')}: ${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message}`));
}

/** Whatever moves has come to rest, and the fonts are there. */
export function still(page) {
  return page.evaluate(async () => {
    await document.fonts.ready;
    const moving = document.getAnimations().filter((a) => a.playState === 'running' && a.effect?.getComputedTiming().endTime < 5000);
    await Promise.all(moving.map((a) => a.finished.catch(() => {})));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

/** Makes every text so many times as large, as somebody does who reads badly, and
 * leaves pictures as they are. Gives what puts it back. */
export async function enlarged(page, times = 2) {
  await page.evaluate((times) => {
    const texts = [...document.querySelectorAll('body, body *')].filter((e) => e instanceof HTMLElement);
    const sizes = texts.map((e) => parseFloat(getComputedStyle(e).fontSize));
    texts.forEach((e, i) => {
      e.dataset.size = e.style.fontSize;
      e.style.fontSize = `${sizes[i] * times}px`;
    });
  }, times);
  return () =>
    page.evaluate(() => {
      for (const e of document.querySelectorAll('[data-size]')) {
        e.style.fontSize = e.dataset.size;
        delete e.dataset.size;
      }
    });
}

/** Texts of which a part cannot be seen and cannot be scrolled to, and a page
 * that is wider than the screen. */
export function cutOff(page) {
  return page.evaluate(() => {
    const found = [];
    const root = document.scrollingElement;
    if (root.scrollWidth > innerWidth + 1) found.push(`the page is ${root.scrollWidth} px wide on a screen of ${innerWidth}`);
    // What stands above the page hides it: then only that is looked at.
    const top = document.querySelector('dialog[open], .cover[role=dialog]') ?? document.body;
    // For screen readers alone.
    const unseen = (e) => {
      for (; e && e !== document.body; e = e.parentElement) if (getComputedStyle(e).clipPath.startsWith('inset(50%')) return true;
      return false;
    };
    const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const lines = []; // what lies where, for those that lie on each other
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = node.data.trim();
      const parent = node.parentElement;
      if (!text || parent.closest('script, style, option, [hidden], .unseen')) continue;
      if (!parent.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || unseen(parent) || parent.closest('[data-slip]')) continue;
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((b) => b.width > 0 && b.height > 0);
      if (!boxes.length) continue;
      if (!parent.closest('svg')) lines.push(...boxes.map((box) => ({ box, text, parent })));
      const text_ = { left: Math.min(...boxes.map((b) => b.left)), right: Math.max(...boxes.map((b) => b.right)), top: Math.min(...boxes.map((b) => b.top)), bottom: Math.max(...boxes.map((b) => b.bottom)) };
      const style_ = getComputedStyle(parent);
      if (style_.textOverflow === 'ellipsis' && style_.overflowX !== 'visible' && parent.scrollWidth > parent.clientWidth + 1) found.push(`“${text.slice(0, 60)}” ends in …`);
      let scrollsX = false;
      let scrollsY = false;
      for (let e = parent; e && e !== document.documentElement; e = e.parentElement) {
        const style = getComputedStyle(e);
        const clipsX = style.overflowX !== 'visible';
        const clipsY = style.overflowY !== 'visible';
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') scrollsX = true;
        if (style.overflowY === 'auto' || style.overflowY === 'scroll') scrollsY = true;
        const box = e.getBoundingClientRect();
        const lies = e.matches('.gb-forest'); // a forest is panned
        if (lies) scrollsX = scrollsY = true;
        if (clipsX && !scrollsX && (text_.left < box.left - 1.5 || text_.right > box.right + 1.5))
          found.push(`“${text.slice(0, 60)}” is cut off at the side (${Math.round(text_.left)}–${Math.round(text_.right)} in ${Math.round(box.left)}–${Math.round(box.right)} of ${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''})`);
        if (clipsY && !scrollsY && (text_.top < box.top - 4 || text_.bottom > box.bottom + 4))
          found.push(`“${text.slice(0, 60)}” is cut off above or below (${Math.round(text_.top)}–${Math.round(text_.bottom)} in ${Math.round(box.top)}–${Math.round(box.bottom)} of ${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''})`);
        if (style.position === 'fixed') {
          if (!scrollsY && (text_.top < -4 || text_.bottom > innerHeight + 4)) found.push(`“${text.slice(0, 60)}” lies above or below the screen`);
          break;
        }
      }
      if (!scrollsX && (text_.left < -1.5 || text_.right > innerWidth + 1.5)) found.push(`“${text.slice(0, 60)}” lies beside the screen (${Math.round(text_.left)}–${Math.round(text_.right)})`);
    }
    const part = (e) => e.closest('section, nav, article, header, footer, form, dialog, li');
    lines.forEach((a, i) => {
      for (const b of lines.slice(i + 1)) {
        if (a.parent === b.parent || part(a.parent) !== part(b.parent)) continue;
        const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (wide > 3 && high > 6) found.push(`“${a.text.slice(0, 40)}” and “${b.text.slice(0, 40)}” lie on each other`);
      }
    });
    return [...new Set(found)];
  });
}

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
