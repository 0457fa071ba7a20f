/** QR codes for links: bytes, the lowest level of correction, one block of data,
 * so up to 106 bytes. Rows of dark (true) and light modules, without the quiet
 * zone; null where the text is too long. */

/** Codewords by version from 1: all of them, and those of data among them. */
const versions = [
  [26, 19],
  [44, 34],
  [70, 55],
  [100, 80],
  [134, 108],
] as const;

export function qr(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = versions.findIndex(([, data]) => bytes.length + 2 <= data) + 1;
  if (!version) return null;
  const [all, room] = versions[version - 1];
  const plain = laid(version, withCorrection(codewords(bytes, room), all - room));
  let best: boolean[][] | null = null;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    const code = masked(plain, mask);
    const cost = penalty(code);
    if (cost < least) [best, least] = [code, cost];
  }
  return best;
}

/** The data: what kind it is, how long, the bytes, and what fills the rest. */
function codewords(bytes: Uint8Array, room: number): number[] {
  const nibbles = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const words: number[] = [];
  for (let i = 0; i < nibbles.length; i += 2) words.push((nibbles[i] << 4) | (nibbles[i + 1] ?? 0));
  for (let i = 0; words.length < room; i++) words.push(i % 2 ? 0x11 : 0xec);
  return words;
}

/** Multiplies in the field of 256 elements that the codes are made in. */
export function times(a: number, b: number): number {
  let product = 0;
  for (; b; b >>= 1) {
    if (b & 1) product ^= a;
    a = (a << 1) ^ (a & 0x80 ? 0x11d : 0);
  }
  return product;
}

function withCorrection(data: number[], count: number): number[] {
  let divisor = [1];
  let root = 1;
  for (let i = 0; i < count; i++) {
    divisor = [...divisor, 0].map((n, j) => n ^ (j ? times(divisor[j - 1], root) : 0));
    root = times(root, 2);
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i];
    divisor.forEach((n, j) => (rest[i + j] ^= times(n, lead)));
  }
  return [...data, ...rest.slice(data.length)];
}

/** Which modules a mask turns over. */
export const masks: ((r: number, c: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** A code before any mask: its modules, and which of them are of the data. */
interface Plain {
  code: boolean[][];
  data: boolean[][];
}

function laid(version: number, words: number[]): Plain {
  const size = 17 + 4 * version;
  const code: boolean[][] = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const data: boolean[][] = Array.from({ length: size }, () => Array<boolean>(size).fill(true));
  const set = (r: number, c: number, dark: boolean) => {
    if (r < 0 || c < 0 || r >= size || c >= size) return;
    code[r][c] = dark;
    data[r][c] = false;
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [r, c] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    for (let y = -4; y <= 4; y++) for (let x = -4; x <= 4; x++) set(r + y, c + x, ![2, 4].includes(Math.max(Math.abs(y), Math.abs(x))));
  }
  if (version > 1) {
    for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) set(size - 7 + y, size - 7 + x, Math.max(Math.abs(y), Math.abs(x)) !== 1);
  }
  for (let i = 0; i < 15; i++) for (const [r, c] of formatAt(i, size)) set(r, c, false); // which mask says
  set(size - 8, 8, true);
  let i = 0;
  for (const [r, c] of path(size)) {
    if (!data[r][c]) continue;
    code[r][c] = i < words.length * 8 && ((words[i >> 3] >> (7 - (i & 7))) & 1) === 1;
    i++;
  }
  return { code, data };
}

/** A code under a mask, which it names. */
function masked({ code, data }: Plain, mask: number): boolean[][] {
  const turns = masks[mask];
  const under = code.map((row, r) => row.map((dark, c) => (data[r][c] ? dark !== turns(r, c) : dark)));
  const format = formatBits(mask);
  for (let i = 0; i < 15; i++) for (const [r, c] of formatAt(i, code.length)) under[r][c] = ((format >> i) & 1) === 1;
  return under;
}

/** The two places of a bit of the format. */
const formatAt = (i: number, size: number): [number, number][] => [
  [i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, 8],
  [8, i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i],
];

/** The way in which data is laid: columns by two from the right, up and down. */
export function* path(size: number): Generator<[number, number]> {
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let n = 0; n < size; n++) for (const c of [right, right - 1]) yield [up ? size - 1 - n : n, c];
  }
}

function formatBits(mask: number): number {
  const data = (1 << 3) | mask; // 01: the lowest level of correction
  let rest = data << 10;
  for (let i = 14; i >= 10; i--) if ((rest >> i) & 1) rest ^= 0x537 << (i - 10);
  return ((data << 10) | rest) ^ 0x5412;
}

/** How hard a code is to read, by the standard's own count. */
function penalty(code: boolean[][]): number {
  const size = code.length;
  let cost = 0;
  for (let way = 0; way < 2; way++) {
    for (let i = 0; i < size; i++) {
      let run = 0;
      let seen = 0; // the last eleven, as bits
      for (let j = 0; j < size; j++) {
        const dark = way ? code[j][i] : code[i][j];
        run = j && dark === ((seen & 1) === 1) ? run + 1 : 1;
        if (run >= 5) cost += run === 5 ? 3 : 1;
        seen = ((seen << 1) | Number(dark)) & 0x7ff;
        if (j >= 10 && (seen === 0b10111010000 || seen === 0b00001011101)) cost += 40;
      }
    }
  }
  for (let r = 1; r < size; r++) for (let c = 1; c < size; c++) if (code[r][c] === code[r - 1][c] && code[r][c] === code[r][c - 1] && code[r][c] === code[r - 1][c - 1]) cost += 3;
  const dark = code.flat().filter(Boolean).length / size ** 2;
  return cost + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
