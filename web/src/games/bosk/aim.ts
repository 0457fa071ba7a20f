/** Which place a pointer means, and what becomes of it: a hover, a target that
 * is aimed at, a path that is drawn. */
import { cell, nearest, type Point } from './geometry.ts';
import type { Park } from './park.svelte.ts';
import { nameOf, placeOf, samePlace, type Place } from './view.ts';

export class Aim {
  private readonly park: Park;
  private drawing = false; // a path of leaves is being drawn along
  private working = false;

  constructor(park: Park) {
    this.park = park;
  }

  // --- what a point means ---------------------------------------------------

  /** Where a touch may be meant: a crossing, and the crown that stands on it. */
  private spots(at: Place): Point[] {
    const { park } = this;
    const foot = park.middle(at);
    const tree = !park.onSquares && park.treeAt.has(nameOf(at));
    return tree ? [foot, { x: foot.x, y: foot.y - 28 * park.treeScale }] : [foot];
  }

  /** What a point means: what it hits, else the nearest target within 32 pixels. */
  private meant(point: Point): Place | null {
    const { places, inOrder, targets, treeAt, small, px, onSquares, task, hand } = this.park;
    const all = places.flatMap((r) => places.map((c): Place => [r, c]));
    const by = (list: Place[], reach: number) => nearest(point, list.flatMap((at) => this.spots(at).map((spot) => ({ at, spot }))), (t) => t.spot, reach)?.at ?? null;
    const hit = by(all, small ? 10 / px : cell / 2);
    if (hit && targets.has(nameOf(hit))) return hit;
    // Trees of ours are chosen by their crowns: bare crossings do not stand in their way.
    const others = [...(hand?.siblings.values() ?? [])].map((choice) => placeOf(choice.move)!);
    const near = by([...inOrder, ...others], Math.max(32 / px, onSquares ? cell * 0.7 : 0));
    if (task === 'shed') return (hit && treeAt.has(nameOf(hit)) ? hit : near) ?? hit ?? by(all, cell);
    return (small ? (hit ?? near) : hit) ?? near ?? by(all, cell);
  }

  /** Another tree of ours that may shed, where a point lies on its crown. */
  private otherTree(point: Point): Place | null {
    const { hand, onSquares, treeScale } = this.park;
    if (!hand || !onSquares || hand.laid.length) return null;
    const hit = nearest(point, hand.sheds.map((c) => placeOf(c.move)!), (at) => ({ x: at[1] * cell, y: at[0] * cell - 24 * treeScale }), 18);
    return hit && !samePlace(hit, hand.tree) ? hit : null;
  }

  // --- what becomes of it -----------------------------------------------------

  /** Looks at a target, or away. */
  over(at: Place | null) {
    const { hand, table, held, targets } = this.park;
    if (!hand || !table || samePlace(at, hand.hovered) || (!at && !hand.hovered)) return;
    hand.hovered = at;
    const choice = at && !samePlace(at, held) ? (targets.get(nameOf(at)) ?? null) : null;
    table.peek(choice && (choice.move.do !== 'plant' || hand.value !== null) ? choice : null);
  }

  /** Tries a place, or goes back to a leaf that was laid there. */
  async at(at: Place, spot: { x: number; y: number } | Element) {
    const { hand, held, targets } = this.park;
    if (this.working || !hand) return;
    this.working = true;
    try {
      if (samePlace(at, held)) return;
      if (hand.laid.some((p) => samePlace(p, at)) && !targets.has(nameOf(at))) await hand.rewind(at);
      else await hand.aim(at, spot);
    } finally {
      this.working = false;
    }
  }

  /** Tries what a point means; a crown beside all targets is another tree to shed. */
  private point(point: Point, at: Place, e: MouseEvent) {
    const { hand, targets } = this.park;
    const spot = { x: e.clientX, y: e.clientY };
    const tree = targets.has(nameOf(at)) ? null : this.otherTree(point);
    void (tree ? hand!.pickTree(tree, spot) : this.at(at, spot));
  }

  // --- the pointer ------------------------------------------------------------

  readonly hover = (e: PointerEvent) => {
    const { hand, table, targets } = this.park;
    if (!hand || !table || (e.pointerType !== 'mouse' && !hand.dragging)) return;
    const point = this.park.pointOf(e);
    const at = point && this.meant(point);
    this.over(at && targets.has(nameOf(at)) ? at : null);
  };

  readonly leave = () => this.over(null);

  readonly press = (e: PointerEvent) => {
    const { hand, task } = this.park;
    if (!hand || e.button || task !== 'leaf') return;
    const point = this.park.pointOf(e);
    const at = point && this.meant(point);
    if (!point || !at) return;
    this.drawing = true;
    this.point(point, at, e);
  };

  readonly move = (e: PointerEvent) => {
    const { hand, task, table, targets } = this.park;
    if (hand?.dragging || !this.drawing) this.hover(e);
    if (!this.drawing || task !== 'leaf' || table?.complete) return;
    const point = this.park.pointOf(e);
    if (!point) return;
    const at: Place = [Math.floor(point.y / cell), Math.floor(point.x / cell)];
    const { x, y } = this.park.middle(at);
    if (targets.has(nameOf(at)) && Math.hypot(point.x - x, point.y - y) < cell * 0.42) void this.at(at, { x: e.clientX, y: e.clientY });
  };

  readonly cancel = () => {
    this.drawing = false;
  };

  /** A tree that was dragged from the tray stands where it is let go. */
  readonly release = (e: PointerEvent) => {
    this.drawing = false;
    const { hand } = this.park;
    if (!hand?.dragging) return;
    hand.dragging = false;
    const point = this.park.pointOf(e);
    const at = point && this.meant(point);
    if (at) void this.at(at, { x: e.clientX, y: e.clientY });
  };

  readonly click = (e: MouseEvent) => {
    const { hand, task } = this.park;
    if (!hand || !task || task === 'wind') return;
    const target = e.target as Element;
    const named = target.closest('[data-at]')?.getAttribute('data-at');
    if (e.detail === 0 && named) return void this.at(named.split(',').map(Number) as [number, number], target); // a screen reader's click has no place
    if (task === 'leaf' && e.detail) return;
    const point = this.park.pointOf(e);
    const at = point && this.meant(point);
    if (point && at) this.point(point, at, e);
  };
}
