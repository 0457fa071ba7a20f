/** Where something small may lie above the table without lying in anybody's way. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  weight?: number; // how much more it should stay free than others
}

export interface Size {
  width: number;
  height: number;
}

export interface Berth {
  left: number;
  top: number;
  covers: number; // square pixels of what should stay free, by their weight
}

const edge = 8; // pixels kept to the edge of the screen
const step = 8; // pixels from one place that is tried to the next

/** How much of a box another covers, in square pixels. */
export function covered(a: Box, b: Box): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** A box at least as large as a finger, around the same middle. */
export function fingered({ left, top, right, bottom }: Box, least = 40): Box {
  const wide = Math.max(0, least - (right - left)) / 2;
  const high = Math.max(0, least - (bottom - top)) / 2;
  return { left: left - wide, top: top - high, right: right + wide, bottom: bottom + high };
}

/** The place inside the screen that is nearest to a box and covers nothing of what
 * should stay free; where there is none, the one that covers the least of it, and
 * among those the nearest. */
export function berthFor(size: Size, near: Box, free: readonly Box[], screen: Size): Berth {
  const most = { x: Math.max(edge, screen.width - edge - size.width), y: Math.max(edge, screen.height - edge - size.height) };
  const tries = (from: number, most: number, own: number): number[] => {
    const list = [Math.min(Math.max(from, edge), most)];
    for (let at = edge; at < most; at += step) list.push(at);
    list.push(most, ...[own].filter((at) => at >= edge && at <= most));
    return list;
  };
  const middle = { x: (near.left + near.right) / 2, y: (near.top + near.bottom) / 2 };
  const lefts = tries(middle.x - size.width / 2, most.x, near.right);
  const tops = tries(near.bottom, most.y, near.top - size.height);
  let best: (Berth & { far: number }) | null = null;
  for (const top of tops) {
    for (const left of lefts) {
      const box = { left, top, right: left + size.width, bottom: top + size.height };
      const far = away(box, near) + Math.abs(left + size.width / 2 - middle.x) / 8;
      if (best && best.covers === 0 && far >= best.far) continue;
      let covers = 0;
      for (const one of free) {
        covers += covered(box, one) * (one.weight ?? 1);
        if (best && covers > best.covers) break;
      }
      if (!best || covers < best.covers || (covers === best.covers && far < best.far)) best = { left, top, covers, far };
    }
  }
  return { left: best!.left, top: best!.top, covers: best!.covers };
}

/** How far two boxes lie from each other. */
function away(a: Box, b: Box): number {
  return Math.hypot(Math.max(0, b.left - a.right, a.left - b.right), Math.max(0, b.top - a.bottom, a.top - b.bottom));
}

/** What can be pressed at a table now: what the board marks as allowed, and every
 * control around it. `but` is left out, with all that is in it. */
export function pressable(but: Element | null = null): Box[] {
  const boxes: Box[] = [];
  for (const e of document.querySelectorAll('.table :is([data-legal], [data-sibling]), .table :is(button, a[href], summary, select, input, [role="button"], [role="tab"])')) {
    if (but?.contains(e) || !e.checkVisibility({ visibilityProperty: true })) continue;
    const { left, top, right, bottom } = e.getBoundingClientRect();
    if (right > left && bottom > top) boxes.push(fingered({ left, top, right, bottom }));
  }
  return boxes;
}
