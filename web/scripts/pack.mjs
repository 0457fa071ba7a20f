/** Finishes the built page in dist/site, or the folder that is named: writes the service worker that keeps
 * all of it offline; then compresses what can be compressed. Of those files only the .br
 * and .gz stay: the server unpacks one for whoever takes neither. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress, compressible } from './compress.mjs';

const site = process.argv[2] ?? fileURLToPath(new URL('../dist/site', import.meta.url));

/** All files of the site, by their path from its root, in the same order always. */
function files(folder = site) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : [relative(site, join(folder, entry.name)).replaceAll('\\', '/')]))
    .sort();
}

/** The pictures of shared links are for others than the page, and what is on which page
 * is for the server. */
const forOthers = (name) => /^card.*\.png$|^(robots\.txt|pages\.json)$/.test(name);

function writeKeeper() {
  const kept = files().filter((name) => !forOthers(name));
  if (kept.includes('sw.js.br')) throw new Error(`${site} is packed already: run vite build first`);
  const hash = createHash('sha256');
  for (const name of kept) hash.update(name).update('\0').update(readFileSync(join(site, name))).update('\0');
  const template = readFileSync(new URL('sw.template.js', import.meta.url), 'utf8');
  hash.update(template);
  const keeper = template
    .replace('__VERSION__', hash.digest('hex').slice(0, 16))
    .replace('__PAGES__', JSON.stringify(Object.keys(JSON.parse(readFileSync(join(site, 'pages.json'), 'utf8')))))
    .replace('__FILES__', JSON.stringify(kept.map((name) => '/' + name)));
  writeFileSync(join(site, 'sw.js'), keeper);
}

writeKeeper();
const packed = await Promise.all(files().filter(compressible).map((name) => compress(site, name)));
const size = (n) => `${(n / 1024).toFixed(0)} kB`.padStart(8);
for (const { name, raw, br } of packed.sort((a, b) => b.br - a.br).slice(0, 12)) console.log(`${size(raw)} → ${size(br)}  ${name}`);
const total = files().filter((name) => !name.endsWith('.gz')).reduce((sum, name) => sum + statSync(join(site, name)).size, 0);
console.log(`${packed.length} files compressed; the whole page travels in ${size(total).trim()}`);
