/** Draws the icons of public/ as PNG, from public/icon.svg: node scripts/icons.mjs */
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const at = (name) => new URL(`../public/${name}`, import.meta.url);
const drawing = readFileSync(at('icon.svg'), 'utf8');

/** Systems cut maskable icons to any shape: the ground goes to the edge, and the
 * trees stay within the inner 80 %. */
const maskable = drawing
  .replace(/ rx="14"/, '')
  .replace(/V50A14,14 0 0 1 50,64H14A14,14 0 0 1 0,50Z/, 'V64H0V50Z')
  .replace('<g stroke-linejoin="round">', '<g stroke-linejoin="round" transform="translate(32 33) scale(.74) translate(-32 -33)">');
if (maskable.split('\n').length !== drawing.split('\n').length || maskable.includes('A14,14')) throw new Error('icon.svg has changed: see to it that the maskable one is cut right');

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
for (const [name, svg, size] of [
  ['icon-192.png', drawing, 192],
  ['icon-512.png', drawing, 512],
  ['icon-maskable-512.png', maskable, 512],
]) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  writeFileSync(at(name), await page.screenshot({ omitBackground: true }));
}
await browser.close();
