/** How the forest is looked at: where its origin is on the screen, and how large
 * a unit is. Moving it touches one transform and draws nothing again. */

/** Units of a space. */
export const unit = 52;

const least = 0.35;
const most = 2;

/** How large the forest gets by itself: beyond that a fresh one looks lost. */
const mostByItself = 1.35;

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export class Camera {
  x = $state(0); // of the origin, in pixels
  y = $state(0);
  k = $state(1); // pixels of a unit
  drawn = $state(1); // the size in which the picture was last drawn sharply
  gliding = $state(false); // it moves by itself
  moved = $state(false); // by the person; from then on it does not fit by itself
  private settling: ReturnType<typeof setTimeout> | undefined;

  pan(dx: number, dy: number) {
    this.gliding = false;
    this.moved = true;
    this.x += dx;
    this.y += dy;
  }

  /** Makes everything larger by a factor; the point stays where it is. */
  zoom(by: number, px: number, py: number, glide = false) {
    const k = Math.min(most, Math.max(least, this.k * by));
    this.gliding = glide;
    this.moved = true;
    this.x = px - ((px - this.x) * k) / this.k;
    this.y = py - ((py - this.y) * k) / this.k;
    this.k = k;
    this.settle(glide ? 280 : 120);
  }

  /** Shows a box of spaces as large as a screen allows. */
  fit(box: Box, width: number, height: number, glide: boolean) {
    if (width <= 0 || height <= 0) return;
    const [w, h] = [(box.right - box.left) * unit, (box.bottom - box.top) * unit];
    const k = Math.min(mostByItself, Math.max(least, Math.min(width / w, height / h)));
    this.gliding = glide;
    this.moved = false;
    this.k = k;
    this.x = width / 2 - ((box.left + box.right) / 2) * unit * k;
    this.y = height / 2 - ((box.top + box.bottom) / 2) * unit * k;
    if (glide) this.settle(280);
    else this.drawn = k;
  }

  /** Brings a place, in spaces, to a point of the screen, in this size. It is not
   * the person who moved it. */
  look({ x, y }: { x: number; y: number }, k: number, px: number, py: number) {
    this.gliding = true;
    this.k = Math.min(most, Math.max(least, k));
    this.x = px - x * unit * this.k;
    this.y = py - y * unit * this.k;
    this.settle(280);
  }

  /** Moves by so many pixels, by itself. */
  glide(dx: number, dy: number) {
    this.gliding = true;
    this.x += dx;
    this.y += dy;
    this.settle(280);
  }

  /** How it stands, to come back to. */
  stand(): { x: number; y: number; k: number; moved: boolean } {
    return { x: this.x, y: this.y, k: this.k, moved: this.moved };
  }

  restore({ x, y, k, moved }: ReturnType<Camera['stand']>) {
    Object.assign(this, { x, y, k, moved, gliding: true });
    this.settle(280);
  }

  /** Moves just so far that a box of spaces is in sight. */
  reveal(box: Box, width: number, height: number) {
    const edge = 12;
    const shift = (from: number, to: number, at: number, room: number) => {
      const [a, b] = [at + from * unit * this.k, at + to * unit * this.k];
      return a < edge ? edge - a : b > room - edge ? room - edge - b : 0;
    };
    const [dx, dy] = [shift(box.left, box.right, this.x, width), shift(box.top, box.bottom, this.y, height)];
    if (!dx && !dy) return;
    this.gliding = true;
    this.x += dx;
    this.y += dy;
  }

  /** Draws sharply once the size has come to rest. */
  private settle(after: number) {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.gliding = false;
      this.drawn = this.k;
    }, after);
  }

  /** A point of the screen in spaces. */
  at(px: number, py: number): { x: number; y: number } {
    return { x: (px - this.x) / (this.k * unit), y: (py - this.y) / (this.k * unit) };
  }
}
