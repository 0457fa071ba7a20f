/** Compresses files of the page as they travel: of each only the .br and .gz stay, and
 * the server unpacks one for whoever takes neither. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const store = fileURLToPath(new URL('../build/packed', import.meta.url));
const kinds = new Set(['.css', '.html', '.js', '.json', '.net', '.py', '.svg', '.txt', '.wasm', '.webmanifest']);

/** Whether a file is worth compressing, by its name. */
export const compressible = (name) => kinds.has(extname(name));

/** Compresses one file of a folder. */
export async function compress(folder, name) {
  const path = join(folder, name);
  const raw = readFileSync(path);
  const [br, gz] = await Promise.all([brotli(raw), promisify(gzip)(raw, { level: 9 })]);
  writeFileSync(path + '.br', br);
  writeFileSync(path + '.gz', gz);
  rmSync(path);
  return { name, raw: raw.length, br: br.length };
}

/** The engines take most of the time, and change less often than the page: what
 * came of a large file is kept beside them. */
async function brotli(raw) {
  const kept = raw.length < 1e6 ? null : join(store, `${createHash('sha256').update(raw).digest('hex')}.br`);
  if (kept && existsSync(kept)) return readFileSync(kept);
  const br = await promisify(brotliCompress)(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });
  if (kept) {
    mkdirSync(store, { recursive: true });
    writeFileSync(kept + '.new', br);
    renameSync(kept + '.new', kept); // whole, or not there
  }
  return br;
}
