import type { Face } from './face.ts';

/** The games that have a face, each loaded when it is first needed. */
const faces = {
  bosk: () => import('./bosk/bosk.ts'),
  grandbois: () => import('./grandbois/grandbois.ts'),
  treesociety: () => import('./treesociety/treesociety.ts'),
};

export const gameNames: readonly string[] = Object.keys(faces);

/** The face of a game; its words come with it. */
export async function findFace(game: string): Promise<Face> {
  return (await faces[game as keyof typeof faces]()).face;
}
