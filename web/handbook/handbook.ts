/** What a page of the handbook does beyond being read: it is searched. */
import './handbook.css';
import { find, type Found, type Kept } from './find.ts';

const input = document.querySelector<HTMLInputElement>('#search')!;
const count = document.querySelector<HTMLElement>('.count')!;
const panel = document.querySelector<HTMLElement>('.found')!;
const list = panel.querySelector('ol')!;
const book = document.querySelector('.book')!;
const article = document.querySelector('article')!;
const most = 40; // are shown

let words: Promise<Kept[]> | null = null;

/** All that the documents say, fetched when somebody is about to search. */
function fetchWords(): Promise<Kept[]> {
  words ??= fetch(input.dataset.words!)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))))
    .catch((e) => {
      words = null; // asked again with the next letter
      throw e;
    });
  return words;
}

let asked = 0;

async function look() {
  const mine = ++asked;
  const question = input.value.trim();
  const to = new URL(location.href);
  if (question) to.searchParams.set('q', question);
  else to.searchParams.delete('q');
  if (to.href !== location.href) history.replaceState(null, '', to); // who comes back finds it again
  if (!question) return show(null, '');
  try {
    const found = find(await fetchWords(), question);
    if (mine === asked) show(found, question);
  } catch {
    if (mine !== asked) return;
    show([], question);
    count.textContent = 'The search could not be loaded: type again to try once more.';
  }
}

function show(found: Found[] | null, question: string) {
  article.hidden = found !== null;
  book.classList.toggle('searching', found !== null);
  panel.hidden = !found?.length;
  list.replaceChildren(...(found ?? []).slice(0, most).map(entry));
  count.textContent = found === null ? '' : told(found.length, question);
}

function told(n: number, question: string): string {
  if (n === 0) return `Nothing was found for “${question}”.`;
  if (n === 1) return `One place was found for “${question}”.`;
  return n > most ? `${n} places were found for “${question}”: the first ${most}.` : `${n} places were found for “${question}”.`;
}

function entry({ href, document: title, heading, excerpt }: Found): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = heading;
  const where = document.createElement('span');
  where.className = 'small';
  where.textContent = title === heading ? '' : title;
  const text = document.createElement('p');
  text.append(
    ...excerpt.map(({ text, hit }) => {
      if (!hit) return text;
      const mark = document.createElement('mark');
      mark.textContent = text;
      return mark;
    }),
  );
  item.append(link, where, text);
  return item;
}

/** The links that were found, with the field before them. */
const stops = () => [input, ...list.querySelectorAll('a')];

document.addEventListener('keydown', (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || e.isComposing) return;
  const at = stops().findIndex((stop) => stop === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (e.key === '/' && !(e.target as Element).closest('input')) {
    input.focus();
    input.select();
  } else if (e.key === 'Escape' && at >= 0 && input.value) {
    input.value = '';
    input.focus();
    void look();
  } else if (e.key === 'Enter' && at === 0) list.querySelector('a')?.click();
  else if (step && at >= 0 && stops().length > 1) stops()[Math.max(0, Math.min(at + step, stops().length - 1))].focus();
  else return;
  e.preventDefault();
});

input.addEventListener('focus', () => void fetchWords().catch(() => {}), { once: true });
input.addEventListener('input', () => void look());
addEventListener('pageshow', () => {
  input.value = new URL(location.href).searchParams.get('q') ?? '';
  if (input.value || !panel.hidden) void look();
});

/** What is not wider than its place needs no stop for the keyboard. */
const sized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls = target.scrollWidth > target.clientWidth;
    if (scrolls) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});
for (const box of document.querySelectorAll('article pre, article .wide')) sized.observe(box);
