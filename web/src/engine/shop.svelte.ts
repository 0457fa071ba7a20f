import type { Crew } from './crew.ts';
import { Workshop } from './engine.ts';

/** How much of the engine has been loaded, from 0 to 1. */
export const load = $state({ share: 0 });

let rules: Workshop | undefined;
let thought: Crew | undefined;
let stops = 0; // how often thoughts were ended

/** The worker that knows the rules, started when it is first asked for; another
 * one if that broke. */
export function rulesShop(): Workshop {
  if (!rules?.alive) rules = new Workshop((share) => (load.share = share));
  return rules;
}

/** The workers in which bots think, so that a long thought holds up no click. Who
 * hands out the work is fetched when somebody first thinks. */
export async function hiredCrew(): Promise<Crew> {
  const asked = stops;
  const { Crew, workers } = await import('./crew.ts');
  if (asked !== stops) throw new Error('the thought was ended before it began');
  if (!thought?.alive) {
    thought?.end();
    thought = new Crew(() => new Workshop(), workers(navigator.hardwareConcurrency));
  }
  return thought;
}

/** Ends every thought at once. */
export function stopThinking() {
  stops++;
  thought?.end();
  thought = undefined;
}
