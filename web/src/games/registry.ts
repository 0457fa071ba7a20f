import type { Face, Shelf } from '../table/face.ts';

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

/** What tables and replays are handed, since they know no game. */
export const shelf: Shelf = { names: gameNames, find: findFace };
