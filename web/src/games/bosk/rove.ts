/** Makes the buttons of a group one tab stop: arrows go from one to the next. */
export function rove(group: HTMLElement) {
  const list = () => [...group.querySelectorAll<HTMLButtonElement>('button')];
  const key = (e: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    const here = list().indexOf(e.target as HTMLButtonElement);
    if (!by || here < 0 || e.altKey || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    list()[(here + by + list().length) % list().length].focus();
  };
  const stops = (at?: Element | null) => {
    const buttons = list();
    const stop = buttons.find((b) => b === at) ?? buttons.find((b) => b.getAttribute('aria-pressed') === 'true') ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  };
  const enter = (e: FocusEvent) => stops((e.target as Element).closest('button'));
  group.addEventListener('keydown', key);
  group.addEventListener('focusin', enter);
  stops();
  return () => {
    group.removeEventListener('keydown', key);
    group.removeEventListener('focusin', enter);
  };
}
