/** What is to be drawn soon, the first asked for first. */
const waiting: (() => void)[] = [];

/** Does something soon, in a task of its own and one a frame: in between the page is
 * laid out and painted, and hears who uses it. What it answers takes the wish back. */
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

const draw = () => requestAnimationFrame(() => setTimeout(next));

function next() {
  try {
    if (waiting.length) waiting[0]!();
    else for (const what of after.splice(0)) what();
  } finally {
    waiting.shift();
    if (waiting.length || after.length) draw(); // what was drawn may have asked for more
  }
}
