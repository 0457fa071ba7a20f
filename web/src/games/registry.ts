import type { Face } from './face.ts';

/** The games that have a face, each loaded when it is first needed. */
const faces: Record<string, () => Promise<{ face: Face }>> = {
  bosk: () => import('./bosk/bosk.ts'),
  grandbois: () => import('./grandbois/grandbois.ts'),
};

export const gameNames: readonly string[] = Object.keys(faces);

export async function findFace(game: string): Promise<Face> {
  return (await faces[game]()).face;
}
