/** The four trees that seats are in Bosk and in Tree Society: crowns are drawn on
 * 40 × 52 with the foot of the trunk at (20, 51). */
export type Species = 'maple' | 'oak' | 'beech' | 'ginkgo';

/** In the order of the seats. */
export const order: readonly Species[] = ['maple', 'oak', 'beech', 'ginkgo'];

interface Print {
  fill: string;
  deep: string;
  vein: string;
  text: string; // on the fill
  dark: string; // of the name, on a dark page
}

/** Seats are the same by day and by night, in every season. */
export const prints: Record<Species, Print> = {
  maple: { fill: '#A31D2B', deep: '#5E0F18', vein: '#F0A29B', text: '#FFFAF0', dark: '#FF8E8E' },
  oak: { fill: '#D9771C', deep: '#7A3A00', vein: '#7A3A00', text: '#2A2721', dark: '#F5A55B' },
  beech: { fill: '#5538A0', deep: '#2C1A5E', vein: '#B9A4F5', text: '#FFFAF0', dark: '#B9A4F5' },
  ginkgo: { fill: '#F7D64A', deep: '#6B4E00', vein: '#6B4E00', text: '#2A2721', dark: '#F7D64A' },
};

export const crown: Record<Species, string> = {
  maple: 'M20,3C27,3,31,7,31,12C36,13,39,18,38,24C38,31,33,36,26,36C24,38,16,38,14,36C7,36,2,31,2,24C1,18,4,13,9,12C9,7,13,3,20,3Z',
  oak: 'M20,7C25,4,32,6,33,11C38,12,40,17,38,21C41,26,38,32,32,32C30,37,23,38,20,35C17,38,10,37,8,32C2,32,-1,26,2,21C0,17,2,12,7,11C8,6,15,4,20,7Z',
  beech: 'M20,0C27,4,33,13,33,23C33,32,28,38,20,38C12,38,7,32,7,23C7,13,13,4,20,0Z',
  ginkgo: 'M20,1L27,11L25,12L32,21L29,22L37,34C32,38,26,36,20,38C14,36,8,38,3,34L11,22L8,21L15,12L13,11Z',
};

export const trunk = 'M17.6,51L18.4,30H21.6L22.4,51Z';
