/** How long ago somebody may have pressed Play now to be taken for there: the press
 * itself has said so, and nobody is asked twice. */
const present = 10_000;

/** Whether who is found needs not be asked if they are there: they pressed a moment ago,
 * and look at the page. */
export const fresh = (pressed: number, now: number, sees: DocumentVisibilityState): boolean => sees === 'visible' && pressed > 0 && now - pressed < present;
