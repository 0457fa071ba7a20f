/** Choosing what sheds: a tree and a tile, in either order, and changing one's mind. */
import type { Spot } from '../../table/face.ts';
import type { BoskHand } from './hand.svelte.ts';
import { nameOf, placeOf, samePlace, type Place, type Tile } from './view.ts';

export async function pickTree(hand: BoskHand, at: Place, spot: Spot) {
  const { table, view, began } = hand;
  if (!hand.mine) return;
  if (![...view.trees, ...began.trees].some((t) => samePlace(t.at, at))) return table.deny(hand.missing, spot);
  // A tree that may not shed is tried with any tile, so that the rules say why.
  if (hand.sheds.some((c) => samePlace(placeOf(c.move), at))) await swap(hand, at, hand.tile, spot);
  else await refused(hand, at, hand.tile ?? began.players[hand.me].tiles[0], spot);
}

export async function pickTile(hand: BoskHand, tile: Tile, spot: Spot) {
  if (!hand.mine) return takeAhead(hand, tile);
  if (!hand.sheds.length) return;
  if (hand.began.players[hand.me].tiles.includes(tile)) await swap(hand, hand.tree, tile, spot);
  else await refused(hand, hand.tree ?? placeOf(hand.sheds[0].move)!, tile, spot);
}

/** A turn is passing on: what is pressed before it can be seen is for whoever at this
 * screen is next, if they have it. */
function takeAhead(hand: BoskHand, tile: Tile) {
  const { toAct, people } = hand.table;
  if (typeof toAct === 'number' && people.includes(toAct) && hand.view.players[toAct].tiles.includes(tile)) hand.chosen = { tree: null, tile };
}

/** Hears from the rules why a tree or a tile cannot be chosen; what stands, stays. */
async function refused(hand: BoskHand, at: Place, tile: Tile, spot: Spot) {
  const { table, chosen } = hand;
  const draft = [...table.draft];
  if (draft.length) await table.restart();
  await table.try({ do: 'shed', at, tile }, spot);
  const { slip } = table;
  hand.chosen = chosen;
  for (const move of draft) if (!table.complete && table.draft.length <= draft.indexOf(move)) await table.try(move);
  table.slip = slip;
}

let swapping = false;

/** Puts another tree or tile in place of what was chosen. The leaves that lie
 * already fall again as far as they still can. */
async function swap(hand: BoskHand, tree: Place | null, tile: Tile | null, spot: Spot) {
  if (swapping) return;
  swapping = true;
  const { table } = hand;
  try {
    const leaves = samePlace(tree, hand.tree) ? table.draft.filter((m) => m.do === 'leaf') : [];
    if (table.draft.length === 1 && !table.complete) await table.undo();
    else if (table.draft.length) await table.restart();
    hand.chosen = { tree, tile };
    hand.hovered = null;
    if (!tree || tile === null) return;
    if (!(await table.try({ do: 'shed', at: tree, tile }, spot))) return;
    for (const leaf of leaves) {
      if (table.draft.some((m) => m.do === 'leaf' && samePlace(m.to as Place, leaf.to as Place))) continue;
      if (table.complete || hand.targets.get(nameOf(leaf.to as Place))?.move.do !== 'leaf') return;
      await table.try(leaf);
    }
  } finally {
    swapping = false;
  }
}

/** Takes leaves back until the one at a place is the last to have been laid. */
export async function rewind(hand: BoskHand, at: Place) {
  while (hand.laid.some((p) => samePlace(p, at)) && !samePlace(hand.laid.at(-1), at)) {
    const before = hand.table.draft.length;
    await hand.table.undo();
    if (hand.table.draft.length >= before) return;
  }
}
