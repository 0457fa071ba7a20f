/** Runs before a page of the handbook is shown: it looks as the person has chosen in
 * Copse, and says in their language that it is in English. */
function begin() {
  const root = document.documentElement;
  let kept: Record<string, unknown> = {};
  try {
    kept = JSON.parse(localStorage.getItem('copse.settings') ?? '{}') ?? {};
  } catch {
    // Nothing is kept, or nothing may be: it looks as the system does.
  }
  for (const [name, among] of [['theme', ['auto', 'light', 'dark']], ['motion', ['auto', 'full', 'reduced']]] as const) if (among.some((one) => one === kept[name])) root.dataset[name] = String(kept[name]);
  const wished = [kept.language, ...navigator.languages].map((tag) => String(tag).slice(0, 2).toLowerCase());
  root.dataset.reader = wished.find((tag) => ['en', 'fr', 'it'].includes(tag)) ?? 'en';
}

begin();
addEventListener('storage', begin); // chosen in another tab
