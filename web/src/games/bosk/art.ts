/** Paper and print: the shapes and colours of Bosk. Leaves are
 * drawn on 24 × 24, crowns on 40 × 52 with the foot of the trunk at (20, 51). */
import type { Species } from '../species.ts';

export { crown, order, prints, trunk } from '../species.ts';

export const leaf: Record<Species, string> = {
  maple: 'M12,1.5L13.9,5.6L16.6,4.4L16,9.1L19.4,6.4L20.4,8.7L22.8,8.9L20.7,12.2L22.2,13.6L15.6,17L16.1,19.2L12.7,18.5V22.6H11.3V18.5L7.9,19.2L8.4,17L1.8,13.6L3.3,12.2L1.2,8.9L3.6,8.7L4.6,6.4L8,9.1L7.4,4.4L10.1,5.6Z',
  oak: 'M12,1.4C14,1.4,15.2,2.9,14.8,4.7C16.9,4.1,18.5,5.4,18.2,7.2C18,8.4,17.2,9.1,16.3,9.5C18.4,9.5,19.8,11,19.3,12.8C19,14,18,14.7,16.8,14.8C17.8,15.7,17.8,17.2,16.7,18.1C15.6,19,14,18.8,12.7,18.4V22.6H11.3V18.4C10,18.8,8.4,19,7.3,18.1C6.2,17.2,6.2,15.7,7.2,14.8C6,14.7,5,14,4.7,12.8C4.2,11,5.6,9.5,7.7,9.5C6.8,9.1,6,8.4,5.8,7.2C5.5,5.4,7.1,4.1,9.2,4.7C8.8,2.9,10,1.4,12,1.4Z',
  beech:
    'M12,1.2L13.8,3.4L14.5,3.4L15.6,5.8L16.4,6L17,8.4L17.8,8.8L17.8,11.2L18.4,11.8L17.6,14L17.8,14.8L16.2,16.4L16,17.2L12.7,18.8V22.6H11.3V18.8L8,17.2L7.8,16.4L6.2,14.8L6.4,14L5.6,11.8L6.2,11.2L6.2,8.8L7,8.4L7.6,6L8.4,5.8L9.5,3.4L10.2,3.4Z',
  ginkgo:
    'M11.3,22.6C11.3,19.5,11,17.6,10.2,16.4C7.2,15.2,3,13,1,10.9C2.2,5.9,6,2.8,11.1,2.2L12,8.2L12.9,2.2C18,2.8,21.8,5.9,23,10.9C21,13,16.8,15.2,13.8,16.4C13,17.6,12.7,19.5,12.7,22.6Z',
};

export const vein: Record<Species, string> = {
  maple: 'M12,18V5M12,16.5L6,10.5M12,16.5L18,10.5',
  oak: 'M12,18.4V4.5M12,14L8.2,12.2M12,14L15.8,12.2M12,9.8L9,7.6M12,9.8L15,7.6',
  beech: 'M12,18.8V4M12,15.5L8.4,12.8M12,15.5L15.6,12.8M12,11.5L8.8,9M12,11.5L15.2,9',
  ginkgo: 'M11.6,16.5L6,8M11.7,15.5L9.2,6M12.3,15.5L14.8,6M12.4,16.5L18,8',
};

/** Where three blossoms sit on a crown. */
export const blossoms: Record<Species, readonly [number, number][]> = {
  maple: [[9, 17], [30, 14], [31, 29]],
  oak: [[8, 17], [30, 12], [32, 27]],
  beech: [[14, 12], [27, 15], [14, 33]],
  ginkgo: [[16, 9], [29, 29], [9, 32]],
};

/** How large a tree of a value stands. */
export const growth: Record<number, number> = { 1: 0.72, 2: 0.84, 3: 0.96, 4: 1.1 };

/** Strong marks: what is printed over a fill of 40 × 40, clipped to the piece. */
export const bars: Record<Species, string> = {
  maple: '',
  oak: 'M-2,4H44M-2,11H44M-2,18H44M-2,25H44M-2,32H44M-2,39H44',
  beech: 'M-2,8L8,-2M-2,18L18,-2M-2,28L28,-2M-2,38L38,-2M4,42L44,2M14,42L44,12M24,42L44,22M34,42L44,32',
  ginkgo: 'M6,6h.01M15,6h.01M24,6h.01M33,6h.01M10,14h.01M19,14h.01M28,14h.01M37,14h.01M6,22h.01M15,22h.01M24,22h.01M33,22h.01M10,30h.01M19,30h.01M28,30h.01M37,30h.01M6,38h.01M15,38h.01M24,38h.01M33,38h.01',
};

/** A terrain's print: lines, or dots, repeated every 24 units; and its motif,
 * standing on (0, 0), at most half a square. */
interface Terrain {
  lines?: string;
  width?: number;
  dots?: readonly [x: number, y: number, r: number][];
  motif: string;
}

const flower = (x: number, y: number): [number, number, number][] =>
  [[0, -2.6], [2.5, -0.8], [1.5, 2], [-1.5, 2], [-2.5, -0.8]].map(([dx, dy]) => [x + dx, y + dy, 1.5]);

export const terrains: Record<string, Terrain> = {
  meadow: { lines: 'M5,9l1.5,-4l1.5,4M16,19l1.5,-4l1.5,4M17,6l1,-2.5l1,2.5M6,20l1,-2.5l1,2.5', width: 1.3, motif: 'M0,-20L5,-12H3L7,-5H1.2V0H-1.2V-5H-7L-3,-12H-5Z' },
  rapids: {
    lines: 'M2,7q3,-4 6,0t6,0M12,18q3,-4 6,0t6,0M0,18q3,-4 6,0',
    width: 1.6,
    motif: 'M-9,0C-9,-6,-4,-9,0,-8C5,-8,8,-4,9,0ZM-12,3c2,-2 4,-2 6,0c2,-2 4,-2 6,0c2,-2 4,-2 6,0c2,-2 4,-2 6,0v1.6h-24z',
  },
  sand: {
    dots: [[5, 5, 1.1], [13, 9, 1.1], [21, 5, 1.1], [5, 17, 1.1], [13, 21, 1.1], [21, 17, 1.1]],
    motif: 'M-1,0C-2,-6,-5,-10,-9,-12C-4,-11,-1,-8,0,-4C0,-10,1,-14,4,-18C3,-13,2,-8,2,-3C3,-6,6,-9,10,-10C6,-7,4,-4,3,0Z',
  },
  earth: { lines: 'M3,5h7M14,11h7M5,17h7M16,22h6', width: 1.6, motif: 'M-8,0L-6,-9C-6,-12,6,-12,6,-9L8,0C5,-1.6,3,1.4,0,0C-3,1.4,-5,-1.6,-8,0Z' },
  blossom: {
    dots: [...flower(7, 7), ...flower(18, 19)],
    motif: 'M-9,0C-12,-4,-9,-9,-5,-8.4C-5,-13,4,-13.6,5,-9C9,-10,12,-4,9,0Z',
  },
  lake: { lines: 'M3,6h10M8,10h6M14,18h9M2,20h6', width: 1.5, motif: 'M0,-4L9,-7C12,-2,6,2,0,2C-7,2,-11,-2,-9,-6C-6,-10,2,-11,5,-9.6Z' },
  rock: { lines: 'M3,9l4,-5l4,5zM13,21l5,-6l5,6z', width: 1.4, motif: 'M-9,0C-10,-4,-6,-5.4,0,-5.4C6,-5.4,10,-4,9,0ZM-6,-6.4C-7,-10,-3,-11,0,-11C4,-11,7,-9.6,6,-6.4ZM-3,-12C-4,-15,-1,-16,1,-16C3,-16,4,-14,3,-12Z' },
  'red-ground': { lines: 'M4,4l5,5M9,4l-5,5M15,15l5,5M20,15l-5,5', width: 1.5, motif: 'M-10,-5H8A3.4,4.2,0,0,1,8,3.4H-10A3.4,4.2,0,0,1,-10,-5ZM8,-3A1.7,2.2,0,0,0,8,1.4A1.7,2.2,0,0,0,8,-3ZM-6,-5L-5,-9H-2.4L-3,-5Z' },
};
