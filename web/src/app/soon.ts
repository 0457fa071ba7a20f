/** What is to be drawn soon, the first asked for first. */
const waiting: (() => void)[] = [];

/** Does something soon, in a task of its own: in between the page hears who uses it, and
 * is laid out and painted as often as there is a frame. What it answers takes the wish back. */
export function soon(what: () => void): () => void {
  waiting.push(what);
  if (waiting.length === 1) draw();
  return () => {
    const at = waiting.indexOf(what);
    if (at >= 0) waiting[at] = () => {};
  };
}

/** What is to be done when all of it is drawn. */
const after: (() => void)[] = [];

/** Does something once all is drawn that was to be drawn soon. */
export function afterAll(what: () => void) {
  if (waiting.length) after.push(what);
  else what();
}

/** For how long after a frame has begun parts are drawn before they are shown, in
 * milliseconds: a large part has a frame to itself, small ones share one. */
const spell = 8;

const draw = () => requestAnimationFrame((began) => setTimeout(next, 0, began));

function next(began: number) {
  try {
    if (waiting.length) waiting[0]!();
    else for (const what of after.splice(0)) what();
  } finally {
    waiting.shift();
    if (waiting.length || after.length) setTimeout(() => (performance.now() - began < spell ? next(began) : draw())); // what was drawn may have asked for more
  }
}
