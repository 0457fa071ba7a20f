/** Moments at which something moves. */
import { play } from './games.mjs';
import { bot, person } from './stand.mjs';

/** A game of Bosk before the last turn of a round of autumn, which a person makes. */
export async function lastOfRound(round) {
  let seat = -1;
  const game = await play({
    game: 'bosk',
    id: `last-${round}`,
    until: ({ view, toAct }) => {
      if (view.round !== round || view.path || view.players.filter((p) => p.played === null).length !== 1) return false;
      seat = toAct;
      return true;
    },
  });
  return { ...game, players: [0, 1].map((n) => (n === seat ? person() : bot())) };
}

/** Holds whatever begins to move from now on, where it begins: no test has to be
 * quick to see it. To be called before the page is opened. */
export function holdMotion(page) {
  return page.addInitScript(() => {
    window.held = []; // all that ever began to move
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
      const animation = animate.apply(this, how);
      animation.pause();
      window.held.push(animation);
      return animation;
    };
  });
}

/** What moves now, as its elements; `where` names them. */
export function inMotion(page, where) {
  return page.evaluate((where) => document.getAnimations().filter((a) => a.playState === 'paused' && a.effect.target.matches(where)).length, where);
}
