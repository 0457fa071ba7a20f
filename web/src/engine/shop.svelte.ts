import { Workshop } from './engine.ts';
import type { GameInfo } from './protocol.ts';

/** How much of the engine has been loaded, from 0 to 1. */
export const load = $state({ share: 0 });

let rules: Workshop | undefined;
let thought: Workshop | undefined;

/** The worker that knows the rules, started when it is first asked for. */
export function rulesShop(): Workshop {
  return (rules ??= new Workshop((share) => (load.share = share)));
}

let games: Promise<GameInfo[]> | undefined;

/** What can be played, as the engine tells it. */
export function gamesOf(): Promise<GameInfo[]> {
  return (games ??= (async () => {
    const engine = rulesShop().engine();
    try {
      return (await engine.ask('games', {})).games;
    } finally {
      engine.leave();
    }
  })());
}

/** The worker in which bots think, so that a long thought holds up no click. */
export function thoughtShop(): Workshop {
  return (thought ??= new Workshop());
}

/** Ends every thought at once. */
export function stopThinking() {
  thought?.end();
  thought = undefined;
}

/** Gives up a worker that broke, so that the next question starts another. */
export function forgetShops() {
  rules?.end();
  rules = undefined;
  games = undefined;
  stopThinking();
}
