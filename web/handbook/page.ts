/** The pages of the handbook as HTML. They are whole without a script, but for the
 * search. */
import { address, escape, menu, type Document, type Group, type Part } from './read.ts';

/** What a page is made with: addresses of files, and what is said in other languages. */
export interface Made {
  begin: string; // runs before anything is shown
  script: string;
  style: string;
  fonts: string[];
  words: string; // what is searched
  tongues: { lang: string; text: string }[]; // that the documents are in English, for those who read something else
  mark: string; // the mark of Copse, an SVG
}

const home = '/docs';
const rules = [
  { href: '/rules/bosk', title: 'Rules of Bosk' },
  { href: '/rules/grandbois', title: 'Rules of GrandBois' },
  { href: '/rules/treesociety', title: 'Rules of Tree Society' },
];
const calls = { href: '/api/docs', title: 'All calls of the API' };

/** What else of this server belongs to a group. */
const besides: Record<string, { href: string; title: string; about: string }[]> = {
  Play: rules.map((one) => ({ ...one, about: 'In our own words, numbered, in three languages.' })),
  'Write a bot or a client': [{ ...calls, about: 'Every request of this server with what it takes and gives; also as OpenAPI.' }],
};

/** The page of a document. */
export function documentPage(document: Document, all: Document[], list: Group[], made: Made): string {
  const at = all.indexOf(document);
  const ways = [
    { rel: 'prev', text: 'Before', to: all[at - 1] },
    { rel: 'next', text: 'Next', to: all[at + 1] },
  ].filter(({ to }) => to);
  const content = `<h1>${escape(document.title)}</h1>
${contents(document.parts, 'folded')}
${document.body}
<nav class="ways" aria-label="Before and after">
${ways.map(({ rel, text, to }) => `<a class="button ${rel}" rel="${rel}" href="${address(to.name)}"><span class="small">${text}</span> ${escape(menu(to.title))}</a>`).join('\n')}
</nav>`;
  return page({ title: document.title, about: document.about, at: address(document.name), content, aside: contents(document.parts, 'beside'), list, all, made });
}

/** The page that leads to all of them. */
export function homePage(all: Document[], list: Group[], made: Made): string {
  const groups = list.map(({ group, documents }) => {
    const own = documents.map(({ name, about }) => ({ href: address(name), title: all.find((one) => one.name === name)!.title, about }));
    const entries = [...(besides[group] ?? []), ...own];
    return `<section aria-labelledby="${id(group)}">
<h2 id="${id(group)}">${escape(group)}</h2>
<ul class="shelf">
${entries.map(({ href, title, about }) => `<li class="panel"><a href="${href}">${escape(title)}</a><p>${escape(about)}</p></li>`).join('\n')}
</ul>
</section>`;
  });
  const about = 'How to play with Copse, write a program for it, host it, and how it is made.';
  const content = `<h1>Documents</h1>
<p class="lead">${about} This server brings them along: you need nothing else to read them.</p>
${groups.join('\n')}`;
  return page({ title: 'Documents', about, at: home, content, aside: '', list, all, made });
}

const id = (group: string) => group.toLowerCase().replaceAll(' ', '-');

/** The headings of a page: beside it, or folded above it where there is no room. */
function contents(parts: Part[], where: 'beside' | 'folded'): string {
  const shown = parts.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const items = shown.map(({ level, heading, id }) => `<li class="level-${level}"><a href="#${id}">${escape(heading)}</a></li>`).join('\n');
  if (where === 'folded') return `<details class="folded"><summary>On this page</summary>\n<ol>\n${items}\n</ol></details>`;
  return `<nav class="beside" aria-labelledby="on-this-page">\n<h2 id="on-this-page">On this page</h2>\n<ol>\n${items}\n</ol></nav>`;
}

/** The list of all documents. */
function documents(list: Group[], all: Document[], at: string): string {
  const entry = (href: string, title: string) => `<li><a href="${href}"${href === at ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`;
  const group = ({ group, documents }: Group) => `<li><span class="group">${escape(group)}</span>
<ul>
${[...(besides[group] ?? []).map(({ href, title }) => entry(href, title)), ...documents.map(({ name }) => entry(address(name), menu(all.find((one) => one.name === name)!.title)))].join('\n')}
</ul></li>`;
  return `<ul class="groups">\n${entry(home, 'All documents')}\n${list.map(group).join('\n')}\n</ul>`;
}

interface Page {
  title: string;
  about: string;
  at: string;
  content: string;
  aside: string;
  list: Group[];
  all: Document[];
  made: Made;
}

function page({ title, about, at, content, aside, list, all, made }: Page): string {
  const listed = documents(list, all, at);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#F4EDDD" />
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#161B17" />
<meta name="description" content="${escape(about)}" />
<title>${escape(title)} · Copse</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml" />
<script src="${made.begin}"></script>
${made.fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin />`).join('\n')}
<link rel="stylesheet" href="${made.style}" />
<script type="module" src="${made.script}"></script>
</head>
<body>
<a class="skip button act" href="#main">Skip to the content</a>
<header>
<div class="row">
<a class="brand" href="/" aria-label="Copse, home">${made.mark}<span>Copse</span></a>
<nav aria-label="Main">
<a class="button plain" href="/">Play</a>
<a class="button plain" href="${home}"${at === home ? ' aria-current="page"' : ' aria-current="true"'}>Documents</a>
<a class="button plain" href="${calls.href}">API</a>
</nav>
</div>
</header>
${made.tongues.map(({ lang, text }) => `<p class="tongue" lang="${lang}">${escape(text)}</p>`).join('\n')}
<div class="book${aside ? '' : ' short'}">
<div class="side">
<div class="search" role="search">
<label for="search">Search the documents</label>
<input id="search" type="search" autocomplete="off" enterkeyhint="search" aria-describedby="how" data-words="${made.words}" />
<p class="small" id="how">Press <kbd>/</kbd> to search, <kbd>↓</kbd> to go through what was found.</p>
</div>
<details class="folded"><summary>All documents</summary>
<nav aria-label="Documents">
${listed}
</nav></details>
<nav class="beside" aria-labelledby="documents">
<h2 id="documents">Documents</h2>
${listed}
</nav>
</div>
<main id="main" tabindex="-1">
<p class="small count" role="status"></p>
<section class="found" aria-label="What was found" hidden><ol></ol></section>
<article>
${content}
</article>
</main>
${aside}
</div>
<footer>
<div class="row"><a href="/">Copse</a><a href="/licences.txt">Licences</a></div>
</footer>
</body>
</html>
`;
}
