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

const draw = () => requestAnimationFrame(() => setTimeout(next));

function next() {
  try {
    waiting[0]!();
  } finally {
    waiting.shift();
    if (waiting.length) draw();
  }
}
