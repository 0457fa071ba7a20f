/** The park as it lies on the screen: what a scene means for those who draw it
 * or point at it, and how large everything is. */
import type { BoardProps, Choice } from '../../table/face.ts';
import { cell, type Point } from './geometry.ts';
import type { BoskHand } from './hand.svelte.ts';
import { nameOf, placeOf, samePlace, type Place, type Season, type View } from './view.ts';

/** A trail that is aimed at, with my sum there if it is only thought of. */
export interface Lit {
  trail: number;
  sum: number | null;
}

const nothing = new Map<string, Choice>();

export class Park {
  private readonly fed: () => BoardProps;
  svg: SVGSVGElement | undefined = $state.raw();
  width = $state(0); // pixels that we are given
  height = $state(0);
  settled = $state(false); // whatever comes now grows or falls; what was here when we came does not

  constructor(fed: () => BoardProps) {
    this.fed = fed;
  }

  readonly scene = $derived.by(() => this.fed().scene);
  readonly table = $derived.by(() => this.fed().table);
  readonly hand = $derived.by(() => this.fed().hand as BoskHand | null);

  readonly view = $derived(this.scene.view as View);
  readonly side = $derived(this.view.board.length);
  readonly me = $derived(typeof this.scene.viewer === 'number' ? this.scene.viewer : (this.view.toAct ?? 0));
  readonly species = $derived(this.view.players.map((p) => p.species));
  readonly season: Season = $derived(this.hand ? this.hand.season : this.view.season);
  readonly wind = $derived((this.hand ? this.hand.began.wind : this.view.wind)?.blows ?? null);
  readonly task = $derived(this.hand?.task ?? null);
  readonly targets = $derived(this.hand?.targets ?? nothing);
  readonly held = $derived(this.scene.held ? placeOf(this.scene.held) : null);
  readonly hovered = $derived(this.hand?.hovered ?? null);

  // --- size: the ground and its edge fill the square that we are given -----

  /** Fills a room whenever that has been laid out, and never asks for its size before. */
  readonly fit = (room: Element) => new ResizeObserver(() => ([this.width, this.height] = [room.clientWidth, room.clientHeight])).observe(room); // goes with the room
  readonly whole = $derived(Math.max(120, Math.min(this.width, this.height)));
  readonly roomy = $derived(this.whole >= 560);
  readonly trailing = $derived(this.season === 'spring' || this.season === 'summer');
  readonly margin = $derived(!this.roomy ? { near: 18, far: 20 } : this.trailing ? { near: 26, far: 34 } : { near: 28, far: 28 });
  readonly px = $derived((this.whole - this.margin.near - this.margin.far) / (this.side * cell)); // pixels a unit
  readonly near = $derived(this.margin.near / this.px); // units of the edge
  readonly far = $derived(this.margin.far / this.px);
  readonly span = $derived(this.side * cell + this.near + this.far);
  readonly small = $derived(this.px * cell < 40); // for fingers
  readonly treeScale = $derived(this.small ? 1.16 : 1);
  readonly print = $derived(12 / this.px); // the least size of a number

  // --- places -------------------------------------------------------------

  /** Whether the places that matter are squares; else crossings of trails. */
  readonly onSquares = $derived(this.task === 'leaf' || this.task === 'squirrel' || (!this.task && !this.trailing));
  readonly places = $derived(Array.from({ length: this.onSquares ? this.side : this.side - 1 }, (_, i) => i + (this.onSquares ? 0 : 1)));

  /** The targets, row by row. */
  readonly inOrder = $derived([...this.targets.values()].map((c) => placeOf(c.move)!).sort((a, b) => a[0] - b[0] || a[1] - b[1]));

  readonly treeAt = $derived(new Map(this.view.trees.map((t) => [nameOf(t.at), t])));
  readonly squareAt = $derived(new Map(this.view.squares.map((q) => [nameOf(q.at), q])));

  /** The tree that sheds in this draft: it stands until the turn is confirmed. */
  readonly shedding = $derived(this.scene.draft[0]?.do === 'shed' ? (this.hand?.began.trees.find((t) => samePlace(t.at, this.hand?.tree)) ?? null) : null);

  /** Squares on which this draft lays something. */
  readonly drafted = $derived(new Set(this.scene.draft.flatMap((m) => (m.do === 'leaf' || m.do === 'squirrel' ? [nameOf(m.to as Place)] : []))));

  /** The target that is pointed at and does not stand as a ghost already. */
  readonly thought: Place | null = $derived(this.hovered && !samePlace(this.hovered, this.held) && this.targets.has(nameOf(this.hovered)) ? this.hovered : null);

  /** The two trails of the crossing that is aimed at. */
  readonly lit: { row: Lit | null; column: Lit | null } = $derived.by(() => {
    const { held, thought } = this;
    if (this.task === 'plant' && thought && this.hand!.value !== null) {
      const { facts } = this.targets.get(nameOf(thought))!;
      return { row: { trail: thought[0], sum: facts.row as number }, column: { trail: thought[1], sum: facts.column as number } };
    }
    if (this.task === 'plant' && held) return { row: { trail: held[0], sum: null }, column: { trail: held[1], sum: null } };
    return { row: null, column: null };
  });

  /** The line of the score sheet that is being counted. */
  readonly counted = $derived(this.table?.interlude && this.hand ? (this.scene.sheet.filter((l) => l.part === this.table!.interlude)[this.hand.counted] ?? null) : null);

  middle([row, column]: Place, square = this.onSquares): Point {
    const half = square ? 0.5 : 0;
    return { x: (column + half) * cell, y: (row + half) * cell };
  }

  /** A point of the screen in units of the ground; null well beside it. */
  pointOf(e: { clientX: number; clientY: number }): Point | null {
    const box = this.svg?.getBoundingClientRect();
    if (!box || !box.width) return null;
    const scale = this.span / box.width;
    const point = { x: (e.clientX - box.left) * scale - this.near, y: (e.clientY - box.top) * scale - this.near };
    const [least, most] = [-cell / 2, (this.side + 0.5) * cell];
    return point.x < least || point.y < least || point.x > most || point.y > most ? null : point;
  }
}
