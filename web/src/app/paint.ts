/** Does something once the screen has been drawn: what is not needed to see the
 * board does not compete with it. */
export function afterPaint(what: () => void) {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(what)));
}
