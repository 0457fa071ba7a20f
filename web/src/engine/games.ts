/** What the engines say of their games before anything is played: cmd/print has
 * written it down, so that no engine has to be loaded for it. */
import type { GameInfo } from './protocol.ts';

/** A game as it is printed. */
export interface Leaflet {
  info: GameInfo;
  first: Record<string, object>; // by seats: what a watcher sees before anything has happened
  else: Record<string, { choice: unknown; view: object }[]>; // by option: what is otherwise with another choice
}

const files = import.meta.glob<Leaflet>('../../build/print/games/*.json', { import: 'default' });

/** What is printed of a game. */
export function leafletOf(game: string): Promise<Leaflet> {
  const file = files[`../../build/print/games/${game}.json`];
  return file ? file() : Promise.reject(new Error(`there is no game called ${game}`));
}

/** What can be played. */
export async function gamesOf(): Promise<GameInfo[]> {
  return (await Promise.all(Object.values(files).map((file) => file()))).map((leaflet) => leaflet.info);
}
