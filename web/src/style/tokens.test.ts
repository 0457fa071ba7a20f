// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Theme = 'light' | 'dark';

const css = readFileSync('src/style/tokens.css', 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);/g)].map(([, name, light, dark]) => [name, { light, dark }]),
);

/** Relative luminance, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const colour = (name: string, theme: Theme) => {
  const token = tokens.get(name);
  if (!token) throw new Error(`--${name} is not a pair of light and dark in tokens.css`);
  return token[theme];
};

describe.each(['light', 'dark'] as const)('by %s', (theme) => {
  const surfaces = ['page', 'sheet', 'well'];
  const loud = ['moss', 'amber', 'berry', 'sky'];

  test.each(['ink', 'ink-2', ...loud])('--%s can be read on every surface', (text) => {
    for (const surface of surfaces) expect(contrast(colour(text, theme), colour(surface, theme)), surface).toBeGreaterThanOrEqual(4.5);
  });

  test.each(loud)('text can be read on --%s', (ground) => {
    expect(contrast(colour('on', theme), colour(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['page', 'sheet'])('--edge bounds a control on --%s', (surface) => {
    expect(contrast(colour('edge', theme), colour(surface, theme))).toBeGreaterThanOrEqual(3);
  });
});

test('contrast is counted as WCAG counts it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
