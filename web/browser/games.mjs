/** Games that the engine plays with itself, to be laid before a page: at any
 * move, and the same ones for the same seed. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { binary, bot, kept, person } from './stand.mjs';

/** The engine as a program: asks are answered in order. */
export function engine() {
  const program = spawn(binary, ['engine'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = [];
  createInterface({ input: program.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line)));
  return {
    async ask(name, what = {}) {
      const answer = await new Promise((resolve) => {
        waiting.push(resolve);
        program.stdin.write(JSON.stringify({ do: name, ...what }) + '\n');
      });
      if (!answer.ok) throw new Error(`${name} ${JSON.stringify(what)}: ${JSON.stringify(answer.refusal ?? answer.error)}`);
      return answer;
    },
    end: () => program.stdin.end(),
  };
}

/** Plays a game until `until` says so of a moment, or to its end.
 * @param {object} what
 * @param {string} what.game
 * @param {object[]} [what.players] who sits at the table afterwards
 * @param {string} [what.level] who plays now, for everybody
 * @param {(moment: {view: any, toAct: number | 'chance' | null, line: object[]}) => boolean} [what.until]
 */
export async function play({ game, players = [person(), bot()], options = {}, seed = 'a seed for tests', level = 'greedy', until = () => false, ...rest }) {
  const { ask, end } = engine();
  try {
    const line = [];
    const { games } = await ask('games');
    const { version } = games.find((g) => g.name === game);
    let { toAct } = await ask('new', { game, version, options, seats: players.length, chance: 'manual', seed });
    for (;;) {
      const { view } = await ask('view', { seat: 'watcher' });
      if (!toAct.length || until({ view, toAct: toAct[0] ?? null, line })) break;
      const [seat] = toAct;
      if (seat === 'chance') {
        const drawn = await ask('draw');
        line.push({ seat, move: drawn.move });
        ({ toAct } = drawn);
        continue;
      }
      const { move } = await ask('think', { player: level, seed: `${seed} ${line.length}` });
      ({ toAct } = await ask('play', { seat, move }));
      line.push({ seat, move });
    }
    let result = null;
    if (!toAct.length) {
      const { seats } = await ask('standing');
      result = { totals: seats.map((s) => s.total), ranks: seats.map((s) => s.rank) };
    }
    return kept({ game, version, options, players, seed, line, result, id: `${game}-${line.length}`, ...rest });
  } finally {
    end();
  }
}

/** A game of Bosk when a seat begins its turn in a season: in spring after so
 * many trees, in autumn in this round or a later one. */
export const bosk = (season, { seat = 0, round = 1, planted = 0, ...rest } = {}) =>
  play({
    game: 'bosk',
    ...rest,
    until: ({ view, toAct }) => view.season === season && toAct === seat && !view.path && (season !== 'autumn' || view.round >= round) && (season !== 'spring' || view.trees.length >= planted),
  });

/** A game of GrandBois when a seat is asked for something after some tiles. */
export const grandbois = (asked, { seat = 0, laid = 0, ...rest } = {}) =>
  play({ game: 'grandbois', ...rest, until: ({ view, toAct }) => view.asked === asked && toAct === seat && view.laid.length >= laid });

/** A game of Tree Society when a seat (null: any) is in a phase of its turn, or in
 * the middle of something; rounds count from 1. */
export const treesociety = (phase, { seat = 0, round = 1, when = () => true, ...rest } = {}) =>
  play({ game: 'treesociety', ...rest, until: ({ view, toAct }) => view.phase === phase && (seat === null ? typeof toAct === 'number' : toAct === seat) && view.round >= round && when(view) });

/** A game that is over. */
export const finished = (game, rest = {}) => play({ game, ...rest });
