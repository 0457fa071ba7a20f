/** What was agreed on when a table was set. */
import type { GameInfo } from '../engine/protocol.ts';
import { optionsOf, valueOf, type Chosen } from '../screens/flags.ts';
import { known, say, tell } from '../words/words.svelte.ts';
import type { Settings } from './api.gen.ts';

const term = (what: string, how: (string | number)[]) => say('page.online.term', { what, how });

/** How the game is played: switches that are on, numbers, and words chosen. */
export function optionTerms({ game, options }: Pick<Settings, 'game' | 'options'>, info: GameInfo | null): string[] {
  const chosen = (options ?? {}) as Chosen;
  const word = (text: string) => (known(`${game}.guild.${text}`) ? tell(`${game}.guild.${text}`) : text);
  return optionsOf(info).flatMap((option) => {
    const key = `${game}.option.${option.name}`;
    if (!known(key)) return [];
    const value = valueOf(option, chosen);
    if (typeof value === 'boolean') return value ? [tell(key)] : [];
    return [term(tell(key), typeof value === 'number' ? [value] : value.map(word))];
  });
}

/** How people sit together: the pace, who may come, what may be taken back, and
 * whether bots keep their seats. */
export function tableTerms({ pace, visible, undo, hints, takeOver, side, seats }: Pick<Settings, 'pace' | 'visible' | 'undo' | 'hints' | 'takeOver' | 'side' | 'seats'>): string[] {
  const called = `table.pace.${pace || 'live'}`;
  const comes = visible === 'private' ? say('page.online.visible.private') : visible === 'open' ? say('page.online.visible.open') : say('page.online.visible.link');
  return [
    ...(known(called) ? [term(say('page.online.pace'), [tell(called)])] : []),
    term(say('page.online.visible'), [comes]),
    term(say('page.online.undo.rule'), [undo === 'none' ? say('page.online.undo.none') : say('page.online.undo.consent')]),
    term(say('page.online.take.rule'), [takeOver ? say('page.online.take.yes') : say('page.online.take.no')]),
    ...(hints ? [say('page.online.hints')] : []),
    ...(side ? [say('page.online.sides.term', { n: seats })] : []),
  ];
}
