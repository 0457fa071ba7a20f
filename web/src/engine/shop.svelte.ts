import { Workshop } from './engine.ts';

/** How much of the engine has been loaded, from 0 to 1. */
export const load = $state({ share: 0 });

let rules: Workshop | undefined;
let thought: Workshop | undefined;

/** The worker that knows the rules, started when it is first asked for; another
 * one if that broke. */
export function rulesShop(): Workshop {
  if (!rules?.alive) rules = new Workshop((share) => (load.share = share));
  return rules;
}

/** The worker in which bots think, so that a long thought holds up no click. */
export function thoughtShop(): Workshop {
  if (!thought?.alive) thought = new Workshop();
  return thought;
}

/** Ends every thought at once. */
export function stopThinking() {
  thought?.end();
  thought = undefined;
}
