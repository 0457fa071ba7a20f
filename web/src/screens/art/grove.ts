/** Ten things that grow, from an acorn to a forest: one for each level. Each
 * stands with its foot on (0, 0) and is at most 44 wide and 104 high. */
export interface Growth {
  stem: string;
  bark: string;
  crowns: readonly { shape: string; fill: string }[]; // from the back to the front
  deep: string; // outlines and shade
}

const bark = '#6b4a32';

/** A round crown: where its middle, its top and its foot are, and half its width. */
function egg(x: number, top: number, foot: number, half: number): string {
  const y = (part: number) => top + (foot - top) * part;
  const right = `C${x + half * 0.65},${y(0.12)},${x + half},${y(0.4)},${x + half},${y(0.62)}C${x + half},${y(0.87)},${x + half * 0.55},${foot},${x},${foot}`;
  return `M${x},${top}${right}C${x - half * 0.55},${foot},${x - half},${y(0.87)},${x - half},${y(0.62)}C${x - half},${y(0.4)},${x - half * 0.65},${y(0.12)},${x},${top}Z`;
}

/** A fir of three tiers. */
function fir(x: number, top: number, foot: number, half: number): string {
  const y = (part: number) => top + (foot - top) * part;
  const at = (side: 1 | -1, part: number, down: number) => `${x + side * half * part},${y(down)}`;
  return `M${x},${top}L${at(1, 0.55, 0.34)}L${at(1, 0.3, 0.34)}L${at(1, 0.8, 0.67)}L${at(1, 0.45, 0.67)}L${at(1, 1, 1)}L${at(-1, 1, 1)}L${at(-1, 0.45, 0.67)}L${at(-1, 0.8, 0.67)}L${at(-1, 0.3, 0.34)}L${at(-1, 0.55, 0.34)}Z`;
}

function trunk(x: number, top: number, half: number): string {
  return `M${x - half},0L${x - half * 0.6},${top}H${x + half * 0.6}L${x + half},0Z`;
}

export const growths: readonly Growth[] = [
  {
    stem: 'M-7.5,-9C-7.5,-14,-3.4,-15.6,-1,-15.8V-19H1V-15.8C3.4,-15.6,7.5,-14,7.5,-9Z',
    bark,
    crowns: [{ shape: 'M-6.2,-9.4C-6.4,-4,-3,-1,0,0.6C3,-1,6.4,-4,6.2,-9.4Z', fill: '#b98a34' }],
    deep: '#5e3f10',
  },
  { stem: trunk(0, -15, 1.2), bark: '#5c7a33', crowns: [{ shape: 'M0,-12C-9,-11,-13,-17,-13,-23C-5,-24,0,-19,0,-13C0,-21,4,-26,12,-27C12,-19,8,-13,0,-12Z', fill: '#8fb35f' }], deep: '#3f5f1f' },
  {
    stem: trunk(0, -26, 1.4),
    bark: '#5c7a33',
    crowns: [
      { shape: 'M0,-10C-9,-9,-13,-14,-13,-20C-5,-21,0,-17,0,-11C0,-18,4,-23,12,-24C13,-16,8,-10,0,-10Z', fill: '#7ba34c' },
      { shape: 'M0,-23C-8,-22,-11,-28,-11,-35C-4,-35,0,-30,0,-24C0,-31,3,-37,10,-39C11,-30,8,-23,0,-23Z', fill: '#8fb35f' },
    ],
    deep: '#3f5f1f',
  },
  { stem: trunk(0, -22, 1.7), bark, crowns: [{ shape: egg(0, -48, -14, 11.5), fill: '#7ba34c' }], deep: '#365219' },
  { stem: '', bark, crowns: [{ shape: 'M-16,0C-23,-6,-21,-16,-14,-18C-15,-28,-6,-34,0,-30C6,-35,16,-29,14,-19C22,-17,23,-6,16,0Z', fill: '#95a845' }], deep: '#48540f' },
  { stem: '', bark, crowns: [{ shape: 'M-20,0V-30C-20,-38,-13,-40,-11,-36C-8,-42,-2,-42,0,-37C3,-42,9,-42,11,-36C14,-40,20,-38,20,-30V0Z', fill: '#6f9f62' }], deep: '#2c5122' },
  {
    stem: '',
    bark,
    crowns: [
      { shape: 'M-11,0C-14,-20,-8,-50,-1,-57C8,-48,13,-18,11,0Z', fill: '#5c8d4b' },
      { shape: 'M-21,0C-23,-16,-18,-34,-11,-39C-4,-33,-2,-14,-4,0Z', fill: '#7fa83a' },
      { shape: 'M3,0C1,-18,5,-40,12,-45C19,-38,23,-14,21,0Z', fill: '#74a04a' },
    ],
    deep: '#2b4a12',
  },
  {
    stem: trunk(0, -40, 2) + trunk(-12, -30, 1.8) + trunk(12, -28, 1.8),
    bark,
    crowns: [
      { shape: egg(0, -76, -32, 12.5), fill: '#5c8d4b' },
      { shape: egg(-10.5, -58, -20, 10), fill: '#7fa83a' },
      { shape: egg(10.5, -55, -18, 10), fill: '#6f9f62' },
    ],
    deep: '#254516',
  },
  {
    stem: trunk(0, -30, 2.4) + trunk(-13, -24, 2) + trunk(13, -24, 2),
    bark,
    crowns: [
      { shape: egg(-8, -86, -34, 11.5), fill: '#47783b' },
      { shape: egg(8, -90, -34, 12), fill: '#3f7040' },
      { shape: egg(-12.5, -62, -18, 8), fill: '#6f9f62' },
      { shape: egg(12.5, -64, -18, 8), fill: '#5c8d4b' },
      { shape: egg(0, -68, -18, 10.5), fill: '#7fa83a' },
    ],
    deep: '#1b3a12',
  },
  {
    stem: trunk(0, -30, 2.6) + trunk(-13, -24, 2.2) + trunk(13, -24, 2.2),
    bark,
    crowns: [
      { shape: fir(0, -104, -28, 14), fill: '#2f6a4a' },
      { shape: fir(-11.5, -92, -24, 9), fill: '#296044' },
      { shape: fir(11.5, -94, -24, 9), fill: '#34704e' },
      { shape: egg(-11.5, -54, -14, 9), fill: '#5c8d4b' },
      { shape: egg(11.5, -52, -14, 9), fill: '#47783b' },
      { shape: egg(0, -62, -14, 10), fill: '#6f9f62' },
    ],
    deep: '#0f3320',
  },
];
