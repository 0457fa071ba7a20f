/** How animals, grounds and towers look: paths in our own hand. Heads and towers
 * are drawn in 24 by 24, grounds in 48 by 48. */

export interface Beast {
  head: string; // the silhouette, in `ink`
  cut: string; // eyes and mouth, filled in the ground's colour
  line: string; // the same as strokes
  ground: string;
  ink: string;
  mark: string; // of the pattern, one tone from the ground
  grain: string; // the pattern of the ground
  thick: number; // of its strokes; 0 where the pattern is filled
  size: number; // of a single head in its space
}

const dot = (x: number, y: number, r: number) => `M${x - r},${y}a${r},${r},0,1,0,${2 * r},0a${r},${r},0,1,0,${-2 * r},0Z`;
const fours = (draw: (x: number, y: number) => string) => [[12, 12], [36, 12], [12, 36], [36, 36]].map(([x, y]) => draw(x, y)).join('');
const nines = (draw: (x: number, y: number) => string) => [8.7, 24, 39.3].flatMap((y) => [8.7, 24, 39.3].map((x) => draw(x, y))).join('');

const beasts: Record<string, Beast> = {
  toad: {
    head: 'M2.5,14.5C2.5,11.4,4,9.6,5.8,8.9C5.2,5.4,10.2,4.2,10.8,8H13.2C13.8,4.2,18.8,5.4,18.2,8.9C20,9.6,21.5,11.4,21.5,14.5C21.5,18.6,17.2,20.6,12,20.6S2.5,18.6,2.5,14.5Z',
    cut: dot(8.4, 8.6, 1.25) + dot(15.6, 8.6, 1.25),
    line: 'M5.5,14.6Q12,18.8,18.5,14.6',
    ground: '#6FA3DC',
    ink: '#12365C',
    mark: '#5C92CE',
    grain: fours((x, y) => dot(x, y, 3.4) + dot(x, y, 8.4)) + dot(24, 24, 3.4),
    thick: 1.5,
    size: 0.62,
  },
  rabbit: {
    head: 'M8.8,12.2C6.2,9.2,5.6,2.2,8.1,1.8C10.4,1.5,11.2,6.4,11.4,9.8H12.6C12.8,6.4,13.6,1.5,15.9,1.8C18.4,2.2,17.8,9.2,15.2,12.2C18.6,14,19,22.2,12,22.2S5.4,14,8.8,12.2Z',
    cut: dot(9.8, 15.4, 1) + dot(14.2, 15.4, 1),
    line: 'M12,17.6v1.5M8.5,4.6c.5,1.4,.9,2.8,1.1,4.2M15.5,4.6c-.5,1.4-.9,2.8-1.1,4.2',
    ground: '#E296B4',
    ink: '#5C1533',
    mark: '#EDB3C9',
    grain: fours((x, y) => dot(x - 6, y - 6, 2.1) + dot(x + 6, y + 6, 2.1) + dot(x + 6, y - 6, 1) + dot(x - 6, y + 6, 1)),
    thick: 0,
    size: 0.64,
  },
  fox: {
    head: 'M2.6,2.6L9,7.2H15L21.4,2.6C22,7.4,21.6,10.6,20.4,13L22,15.4L17.6,17C15.8,19.6,14,21.4,12,22.6C10,21.4,8.2,19.6,6.4,17L2,15.4L3.6,13C2.4,10.6,2,7.4,2.6,2.6Z',
    cut: dot(12, 20, 1.35),
    line: 'M7.2,11.6l2.8,1.5M16.8,11.6l-2.8,1.5',
    ground: '#7FAE62',
    ink: '#1D3F14',
    mark: '#6C9C50',
    grain: [10, 22, 34, 46].map((y) => `M2,${y}l5.5,-6l5.5,6l5.5,-6l5.5,6l5.5,-6l5.5,6l5.5,-6l5.5,6`).join(''),
    thick: 1.7,
    size: 0.6,
  },
  raccoon: {
    head: 'M4.8,3.4C7.2,2.7,8.8,4.2,9.4,5.9Q12,5.2,14.6,5.9C15.2,4.2,16.8,2.7,19.2,3.4C20.9,5.2,20.2,8,19.3,9.4L22.8,14.4L19,16.6C17.4,19.6,14.6,21.2,12,21.2S6.6,19.6,5,16.6L1.2,14.4L4.7,9.4C3.8,8,3.1,5.2,4.8,3.4Z',
    cut: 'M4.4,12.6C7,10.6,10.4,11.2,12,13.2C13.6,11.2,17,10.6,19.6,12.6C18.6,15.8,15,16,13,14.6H11C9,16,5.4,15.8,4.4,12.6Z' + dot(12, 18.4, 1.25),
    line: '',
    ground: '#B84A35',
    ink: '#FFFAF0',
    mark: '#A53E2B',
    grain: 'M0.8,7H47.2M0.8,15.5H47.2M0.8,24H47.2M0.8,32.5H47.2M0.8,41H47.2',
    thick: 2.6,
    size: 0.62,
  },
  lizard: {
    head: 'M12,1.2C14.2,1.2,15.2,3,14.8,4.9L18.4,4.2L19,5.8L15,7.6C15.6,9.6,15.4,11.6,14.5,13.2L18.6,15L17.9,16.7L13.4,15.2C12.8,16.6,13,17.6,13.9,18.5C15.4,20,18.2,19.8,19.2,17.9L20.8,18.8C19.2,22.6,13.8,23.2,11.2,20.4C9.6,18.6,9.6,16.6,10.3,15.1L6.1,16.7L5.4,15L9.5,13.2C8.6,11.4,8.4,9.6,9,7.6L5,5.8L5.6,4.2L9.2,4.9C8.8,3,9.8,1.2,12,1.2Z',
    cut: dot(10.7, 3.4, 0.55) + dot(13.3, 3.4, 0.55),
    line: 'M12,6.4v1.2M12,9.4v1.2M12,12.4v1',
    ground: '#F3CF45',
    ink: '#5A3D00',
    mark: '#E3BB2A',
    grain: nines((x, y) => `M${x},${y - 7.4}l7.4,7.4l-7.4,7.4l-7.4,-7.4Z`),
    thick: 1.3,
    size: 0.66,
  },
  bear: {
    head: 'M5.4,3.4C8,2.8,9.6,4.4,10,5.6Q12,5,14,5.6C14.4,4.4,16,2.8,18.6,3.4C21.4,4.6,21,7.9,19.5,9.1C20.8,10.9,21.2,13.2,20.6,15.6C19.6,19.6,15.8,21.8,12,21.8S4.4,19.6,3.4,15.6C2.8,13.2,3.2,10.9,4.5,9.1C3,7.9,2.6,4.6,5.4,3.4Z',
    cut: dot(8.8, 11.4, 1.05) + dot(15.2, 11.4, 1.05) + dot(12, 14.8, 1.2),
    line: 'M8.4,16a3.6,2.8,0,1,0,7.2,0a3.6,2.8,0,1,0,-7.2,0Z',
    ground: '#3B302A',
    ink: '#F8E9CF',
    mark: '#4B3E36',
    grain: fours((x, y) => `M${x - 8},${y - 6}l6,6M${x + 3},${y + 1}l6,6`),
    thick: 2.4,
    size: 0.72,
  },
  clearing: {
    head: '',
    cut: '',
    line: '',
    ground: '#F8F2DA',
    ink: '#6B5B2A',
    mark: '#E6DCB4',
    grain: 'M4,11l1.6,-4l1.6,4M41,11l1.6,-4l1.6,4M5,45l1.6,-4l1.6,4M40,45l1.6,-4l1.6,4M22,4.6l1.2,-3l1.2,3',
    thick: 1.5,
    size: 0.6,
  },
};

/** Animals of a box that we have not drawn: a paw says that there are some. */
const paw: Beast = {
  head: 'M12,11C15.6,11,19,15.4,18,18.8C17.2,21.4,14.4,20.6,12,20.6S6.8,21.4,6,18.8C5,15.4,8.4,11,12,11Z' + dot(4.6, 11, 2.2) + dot(9, 6, 2.5) + dot(15, 6, 2.5) + dot(19.4, 11, 2.2),
  cut: '',
  line: '',
  ground: '#B8B2A4',
  ink: '#2A2721',
  mark: '#A8A292',
  grain: 'M0,24H48M24,0V48',
  thick: 1.5,
  size: 0.6,
};

export function beast(kind: string): Beast {
  return beasts[kind] ?? paw;
}

/** Where one to four heads stand in a space, and their size, as shares of it. */
export const crowd: readonly (readonly [x: number, y: number, size: number])[][] = [
  [],
  [[0.5, 0.51, 0]],
  [[0.33, 0.35, 0.44], [0.67, 0.66, 0.44]],
  [[0.5, 0.29, 0.4], [0.28, 0.69, 0.4], [0.72, 0.69, 0.4]],
  [[0.29, 0.29, 0.38], [0.71, 0.29, 0.38], [0.29, 0.71, 0.38], [0.71, 0.71, 0.38]],
];

export interface TowerArt {
  body: string; // the silhouette
  door: string; // openings, in `deep`
  joints: string; // strokes in `deep`
  shade: string; // the side away from the light
  fill: string;
  deep: string;
  glint: string; // the highlight top left
}

const crenellated: Omit<TowerArt, 'fill' | 'deep' | 'glint'> = {
  body: 'M6.4,22.5L7.6,11H6L5.4,3.4H8.2V5.6H10.6V3.4H13.4V5.6H15.8V3.4H18.6L18,11H16.4L17.6,22.5Z',
  door: 'M10.6,22.5v-4.4a1.4,1.4,0,0,1,2.8,0v4.4ZM11.3,12.8h1.4v2.6h-1.4Z',
  joints: 'M6,10.9H18',
  shade: 'M13.4,5.6H15.8V3.4H18.6L18,11H16.4L17.6,22.5H14.4L13.8,11Z',
};
const pointed: typeof crenellated = {
  body: 'M12,1L18.8,10.4H16.6L17.6,22.5H6.4L7.4,10.4H5.2Z',
  door: 'M10.6,22.5v-4.4a1.4,1.4,0,0,1,2.8,0v4.4ZM11.3,12.8h1.4v2.8h-1.4Z',
  joints: 'M6.6,10.4H17.4',
  shade: 'M12,1L18.8,10.4H16.6L17.6,22.5H14.4L13.6,10.4Z',
};
const domed: typeof crenellated = {
  body: 'M12,1.2L12.7,3.3C16,3.8,18.4,6.4,18.6,10.4H16.8V22.5H7.2V10.4H5.4C5.6,6.4,8,3.8,11.3,3.3Z',
  door: 'M10.6,22.5v-4.4a1.4,1.4,0,0,1,2.8,0v4.4ZM9.2,12.8h1.5v2.6h-1.5ZM13.3,12.8h1.5v2.6h-1.5Z',
  joints: 'M6.4,10.4H17.6',
  shade: 'M12.7,3.3C16,3.8,18.4,6.4,18.6,10.4H16.8V22.5H14V10.4C14,7.4,13.6,5.2,12.7,3.3Z',
};
const stilted: typeof crenellated = {
  body: 'M12,1.4L19.4,6.6H17.8V13.4H16.6L18.8,22.5H16.2L15.6,19.4L12,17.2L8.4,19.4L7.8,22.5H5.2L7.4,13.4H6.2V6.6H4.6Z',
  door: 'M9.4,8.6h2v3h-2ZM12.6,8.6h2v3h-2Z',
  joints: 'M5.8,6.6H18.2M7,13.4H17M9,13.6L15.2,18.6M15,13.6L8.8,18.6',
  shade: 'M12,1.4L19.4,6.6H17.8V13.4H16.6L18.8,22.5H16.2L14.4,13.4V6.6Z',
};

const towers: Record<string, TowerArt> = {
  white: { ...crenellated, fill: '#FBF7EC', deep: '#857657', glint: '#FFFFFF' },
  black: { ...pointed, fill: '#26221E', deep: '#0B0907', glint: '#8B8175' },
  'blue-grey': { ...domed, fill: '#5B7286', deep: '#2B3E4E', glint: '#B9CBD9' },
  brown: { ...stilted, fill: '#7A4F2B', deep: '#3F2610', glint: '#D3A679' },
};

/** The names of the towers seat by seat, as in the printed box. */
export const towerNames: readonly string[] = ['white', 'black', 'blue-grey', 'brown'];

/** Lines of the seats in a chart: the towers' colours, as far as they can be
 * seen on a sheet by day and by night. */
export const lineColours: string[] = ['light-dark(#a8926a, #fbf7ec)', 'light-dark(#26221e, #8b8175)', 'light-dark(#5b7286, #86a3ba)', 'light-dark(#7a4f2b, #c08550)'];

export function towerOf(seat: number): TowerArt {
  return towers[towerNames[seat]] ?? towers.white;
}

/** A Golden Chestnut, 24 by 24: shell and pale foot. */
export const chestnut = {
  shell: 'M12,2.2C13.2,4.4,20.6,6.6,20.6,13.4C20.6,18.6,16.8,21.4,12,21.4S3.4,18.6,3.4,13.4C3.4,6.6,10.8,4.4,12,2.2Z',
  foot: 'M4.2,16.6C6.4,14.6,17.6,14.6,19.8,16.6C18.4,19.8,15.6,21.4,12,21.4S5.6,19.8,4.2,16.6Z',
};
