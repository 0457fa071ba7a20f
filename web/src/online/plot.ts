/** What a plot of a rating shows, without drawing it. */
export interface Span {
  least: number; // points at its foot
  most: number; // and at its top
}

interface Moment {
  mean: number;
  spread: number;
}

/** From where to where a plot goes: all that lies within two spreads, and always a
 * stretch of the scale that has some levels in it. */
export function plotOf(past: readonly Moment[], levels: readonly number[]): Span {
  const low = past.map(({ mean, spread }) => mean - 2 * spread);
  const high = past.map(({ mean, spread }) => mean + 2 * spread);
  const middle = levels[Math.floor(levels.length / 2)] ?? 1500;
  const least = low.length ? Math.min(...low) : middle - 200;
  const most = high.length ? Math.max(...high) : middle + 200;
  const more = Math.max(0, 200 - (most - least)) / 2 + 20;
  return { least: least - more, most: most + more };
}

/** The levels that are drawn as lines: those that fit, none nearer to another than
 * words are high. */
export function levelRules(levels: readonly number[], { least, most }: Span, pixels: number, high = 18): { level: number; points: number }[] {
  const rules: { level: number; points: number }[] = [];
  levels.forEach((points, i) => {
    const last = rules.at(-1);
    if (points >= least && points <= most && (!last || (points - last.points) * pixels >= high)) rules.push({ level: i + 1, points });
  });
  return rules;
}
