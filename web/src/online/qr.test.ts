// @vitest-environment node
import { expect, test } from 'vitest';
import { masks, path, qr, times } from './qr.ts';

/** Reads a code as a camera's program would, from the modules alone. */
function read(code: boolean[][]): string {
  const size = code.length;
  const version = (size - 17) / 4;
  const words = [26, 44, 70, 100, 134][version - 1];
  const correction = [7, 10, 15, 20, 26][version - 1];
  let format = 0;
  [[8, 0], [8, 1], [8, 2], [8, 3], [8, 4], [8, 5], [8, 7], [8, 8], [7, 8], [5, 8], [4, 8], [3, 8], [2, 8], [1, 8], [0, 8]].forEach(([r, c]) => (format = (format << 1) | (code[r][c] ? 1 : 0)));
  format ^= 0x5412;
  expect(format >> 13).toBe(1); // the level of correction
  const mask = masks[(format >> 10) & 7];
  const fixed = (r: number, c: number) =>
    r === 6 || c === 6 || (r < 9 && (c < 9 || c >= size - 8)) || (r >= size - 8 && c < 9) || (version > 1 && Math.abs(r - size + 7) < 3 && Math.abs(c - size + 7) < 3);
  const bits: number[] = [];
  for (const [r, c] of path(size)) if (!fixed(r, c)) bits.push(code[r][c] !== mask(r, c) ? 1 : 0);
  const bytes = Array.from({ length: words }, (_, i) => parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2));
  // A word of the code is zero at every root of its divisor.
  for (let i = 0, root = 1; i < correction; i++, root = times(root, 2)) expect(bytes.reduce((sum, byte) => times(sum, root) ^ byte, 0)).toBe(0);
  expect(bytes[0] >> 4).toBe(4); // bytes
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15]);
  const length = (nibbles[1] << 4) | nibbles[2];
  return new TextDecoder().decode(Uint8Array.from({ length }, (_, i) => (nibbles[3 + 2 * i] << 4) | nibbles[4 + 2 * i]));
}

test('a code holds its text, at every size', () => {
  for (const length of [1, 17, 18, 32, 33, 53, 54, 78, 79, 106]) {
    const text = 'https://copse.example/t/zgfc6yzt12ha/è'.repeat(4).slice(0, length);
    if (new TextEncoder().encode(text).length > 106) continue;
    const code = qr(text)!;
    expect(read(code)).toBe(text);
    expect(code.every((row) => row.length === code.length)).toBe(true);
  }
});

test('finders stand in three corners, and the dark module where it belongs', () => {
  const code = qr('http://localhost:8080/t/zgfc6yzt12ha')!;
  const size = code.length;
  const ring = (r: number, c: number) => Array.from({ length: 7 }, (_, y) => Array.from({ length: 7 }, (_, x) => (code[r + y][c + x] ? '#' : '.')).join('')).join('\n');
  const finder = '#######\n#.....#\n#.###.#\n#.###.#\n#.###.#\n#.....#\n#######';
  expect([ring(0, 0), ring(0, size - 7), ring(size - 7, 0)]).toEqual([finder, finder, finder]);
  expect(code[size - 8][8]).toBe(true);
});

test('what is too long has no code', () => {
  expect(qr('x'.repeat(107))).toBeNull();
});
