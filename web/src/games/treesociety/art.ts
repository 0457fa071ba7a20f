/** Paper and print: the shapes and colours of Tree Society. Emblems, fruit and
 * signs are drawn on 24 × 24, banners on 40 × 44. */

export type Guild = 'architects' | 'bankers' | 'merchants' | 'writers' | 'botanists' | 'explorers';
export type FruitType = 'apple' | 'cherry' | 'grape' | 'blueberry' | 'orange';

export const guildOrder: readonly Guild[] = ['architects', 'bankers', 'merchants', 'writers', 'botanists', 'explorers'];
export const fruitOrder: readonly FruitType[] = ['apple', 'cherry', 'grape', 'blueberry', 'orange'];

interface Cloth {
  fill: string;
  ink: string; // of the emblem
  cut: string; // the end of the banner
  emblem: string;
}

/** Guilds differ by colour, emblem and the cut of their banner. */
export const cloths: Record<Guild, Cloth> = {
  architects: { fill: '#2F6DB5', ink: '#FFFAF0', cut: 'M0,0H40V38H0Z', emblem: 'M5.5,20.5L11,5.5M18.5,20.5L13,5.5M7.4,15.2H16.6M12,2.2A1.9,1.9,0,1,0,12,6A1.9,1.9,0,1,0,12,2.2' },
  bankers: { fill: '#E3B93C', ink: '#2A2721', cut: 'M0,0H40V33L20,43L0,33Z', emblem: 'M4,11H20V20H4ZM4,11C4,6.6,7.4,4.4,12,4.4S20,6.6,20,11M12,13.4V16.6M9.6,11V13.4H14.4V11' },
  merchants: { fill: '#3FB3AC', ink: '#2A2721', cut: 'M0,0H40V42L20,33L0,42Z', emblem: 'M12,3V20.4M5,6.2H19M5,6.2L2.2,13.4H7.8ZM19,6.2L16.2,13.4H21.8ZM7.8,20.4H16.2' },
  writers: { fill: '#9C2420', ink: '#FFFAF0', cut: 'M0,0H40V41L30,34L20,41L10,34L0,41Z', emblem: 'M4,21C6,12,11,5,20.4,3C19.4,11,14,16.2,8,16.2L4,21M8,16.2C11,12.4,13,9.6,16,7.2' },
  botanists: { fill: '#86964B', ink: '#2A2721', cut: 'M0,0H40V26Q40,42,20,42Q0,42,0,26Z', emblem: 'M12,21V9.4M12,14.6C7,14.6,4.6,11.6,4.6,7.2C9,7.2,12,9.6,12,14.6M12,11C12,6,15,3.6,19.4,3.6C19.4,8.4,16.4,11,12,11' },
  explorers: { fill: '#3F2A6B', ink: '#FFFAF0', cut: 'M0,0H40V30L0,42Z', emblem: 'M12,2L14.4,9.6L22,12L14.4,14.4L12,22L9.6,14.4L2,12L9.6,9.6Z' },
};

interface Print {
  fill: string;
  line: string;
}

export const juices: Record<FruitType, Print> = {
  apple: { fill: '#BFD35F', line: '#4F5E12' },
  cherry: { fill: '#8E1B33', line: '#4A0A18' },
  grape: { fill: '#64479F', line: '#2C1A5E' },
  blueberry: { fill: '#78B2E4', line: '#1F5487' },
  orange: { fill: '#DB7F1C', line: '#8A4600' },
};

export const stalk = '#4A3525';
export const foliage = '#4E7A34';

/** A fruit in plates: each is filled with its juice and outlined. */
interface Shape {
  plates: readonly string[];
  shade: string; // over the right third
  stems: string;
  leaf: string;
  light: string; // highlight strokes, in cream
  marks?: string; // crowns and pores, in the colour of the outline
}

const disc = (x: number, y: number, r: number) => `M${x - r},${y}a${r},${r},0,1,0,${2 * r},0a${r},${r},0,1,0,${-2 * r},0Z`;
const star = (x: number, y: number, r: number) =>
  'M' +
  Array.from({ length: 10 }, (_, i) => {
    const [far, turn] = [i % 2 ? r * 0.46 : r, (i * Math.PI) / 5 - Math.PI / 2];
    return `${(x + far * Math.cos(turn)).toFixed(2)},${(y + far * Math.sin(turn)).toFixed(2)}`;
  }).join('L') +
  'Z';

const bunch: readonly [number, number][] = [[7.6, 8], [12, 7.6], [16.4, 8], [5.8, 11.6], [9.9, 11.4], [14.1, 11.4], [18.2, 11.6], [8, 15], [12, 15], [16, 15], [10, 18.4], [14, 18.4], [12, 21.4]];

export const fruits: Record<FruitType, Shape> = {
  apple: {
    plates: ['M12,7C8,4,2.2,6,3,13C3.8,19,8,22.4,10.5,21.2Q12,20.6,13.5,21.2C16,22.4,20.2,19,21,13C21.8,6,16,4,12,7Z'],
    shade: 'M15.5,5.8C20.5,5.4,21.6,9.4,21,13C20.2,19,16,22.4,13.5,21.2C17,17.4,18,11,15.5,5.8Z',
    stems: 'M12,7.4C12,5.2,12.5,3.6,13.5,2.5',
    leaf: 'M13.5,4.2C15.5,1.8,18,1.8,19.2,2.8C17.6,5,15.6,5.6,13.5,4.2Z',
    light: 'M5.6,12.2C5.6,10,6.6,8.6,8,8.2M5.9,14.8v.1',
  },
  cherry: {
    plates: [disc(7.4, 17, 4.9), disc(16.8, 16.2, 4.9)],
    shade: 'M9,12.4A4.9,4.9,0,0,1,8.6,21.7A7,7,0,0,0,9,12.4ZM18.4,11.6A4.9,4.9,0,0,1,18,20.9A7,7,0,0,0,18.4,11.6Z',
    stems: 'M7.8,13C9,8.4,12,4.8,16.8,2.4C17.2,6,17.2,9,16.8,12',
    leaf: 'M16.6,2.6C12.4,1.4,9.4,2.2,8,4.2C11,5.8,14.4,5.2,16.6,2.6Z',
    light: 'M4.8,16.2q.6,-1.9 2.2,-2.2M14.2,15.4q.6,-1.9 2.2,-2.2',
  },
  grape: {
    plates: bunch.map(([x, y]) => disc(x, y, 2.5)),
    shade: '',
    stems: 'M12,5.6V2.2',
    leaf: 'M12.5,4C15,1.4,18.6,1.8,19.8,3.8C17.2,5.8,14.6,5.8,12.5,4Z',
    light: bunch.map(([x, y]) => `M${x - 1.1},${y - 0.4}q.3,-.9 1,-1`).join(''),
  },
  blueberry: {
    plates: [disc(8.4, 14.8, 6.2), disc(16.6, 8.8, 5.4)],
    shade: 'M11.4,9.4A6.2,6.2,0,0,1,9.4,20.9A8.6,8.6,0,0,0,11.4,9.4ZM18.8,3.9A5.4,5.4,0,0,1,17.6,14.1A7.4,7.4,0,0,0,18.8,3.9Z',
    stems: '',
    leaf: 'M11,7.2C8.4,6,6,3.6,6.6,1.6C9.6,1.8,11.4,4,11,7.2Z',
    light: 'M4.4,13.6q.5,-2 2,-2.8',
    marks: star(8.4, 14.8, 3) + star(16.6, 8.8, 2.6),
  },
  orange: {
    plates: [disc(12, 13.4, 8.7)],
    shade: 'M15.6,5.5A8.7,8.7,0,0,1,13.4,22A12,12,0,0,0,15.6,5.5Z',
    stems: '',
    leaf: 'M12,5.4C13,2.8,16,1.8,18.6,2.8C17.6,5.4,15,6.6,12,5.4Z',
    light: 'M6.2,12.4q.6,-2.9 3,-4',
    marks: disc(8.4, 13.4, 0.7) + disc(10.6, 17.4, 0.7) + disc(14, 11.6, 0.7) + disc(14.6, 16.4, 0.7) + disc(17.4, 13.4, 0.7),
  },
};

/** The leaf of a fruit card that is sold for one more. */
export const leafMark = { shape: 'M4,20C4,10,10,4,20,4C20,14,14,20,4,20Z', vein: 'M4,20L15,9M9,15V10.6M12,12V8.4M9,15H13.4', fill: '#6F9A4E', line: '#2F4A1C' };

/** One-stroke signs of the table. Those of cards alone are in signs.ts. */
export const signs = {
  purse: 'M9,7.6C5,9.6,3,13,3,16.2C3,19.6,5.6,21,12,21S21,19.6,21,16.2C21,13,19,9.6,15,7.6M8.4,3L9.4,7.6H14.6L15.6,3C13.6,4.4,10.4,4.4,8.4,3ZM8.6,7.6H15.4',
  chest: 'M3.4,11.4H20.6V20H3.4ZM3.4,11.4C3.4,6.8,7,4.6,12,4.6S20.6,6.8,20.6,11.4M9.6,11.4V14.6H14.4V11.4',
  sale: 'M3,12.4L12.4,3H20.6V11.2L11.2,20.6ZM16.6,7V7.1',
  take: 'M12,3V13M8,9.4L12,13.4L16,9.4M4,14V20H20V14',
  refresh: 'M4.4,12A7.6,7.6,0,0,1,18,7.4M18.4,3V7.6H13.8M19.6,12A7.6,7.6,0,0,1,6,16.6M5.6,21V16.4H10.2',
  build: 'M3,12L9,6.4L15,12M4.8,10.6V20H13.2V10.6M19,20V8M15.8,11L19,7.8L22.2,11',
  rest: 'M19.6,14.6A8.4,8.4,0,1,1,10,3.8A6.8,6.8,0,0,0,19.6,14.6Z',
  banner: 'M6,21.4V3.4M6,4H19.4L16,8.6L19.4,13.2H6',
} as const;

export type SignName = keyof typeof signs;
