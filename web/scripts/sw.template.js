/** Keeps Copse in the browser: all of it, so that it plays without the net.
 * scripts/pack.mjs fills in what there is to keep. */
const version = '__VERSION__';
const files = __FILES__;
const pages = __PAGES__; // a last step of * is any one step
const cacheName = 'copse-' + version;
const entrance = '/index.html';

addEventListener('install', (e) => e.waitUntil(keepAll()));
addEventListener('activate', (e) => e.waitUntil(takeOver()));
addEventListener('fetch', (e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== 'GET' || url.origin !== location.origin) return;
  if (files.includes(url.pathname)) e.respondWith(kept(url.pathname, e.request));
  // What is no page of ours, such as the API's documents, is the server's to answer.
  else if (e.request.mode === 'navigate' && isPage(url.pathname)) e.respondWith(kept(entrance, e.request));
});

const isPage = (path) => pages.includes(path) || pages.includes(path.replace(/[^/]+$/, '*'));

/** A new version waits until no page of the old one is open, or until a page
 * asks for it: then all pages are loaded anew. */
addEventListener('message', (e) => {
  if (e.data === 'take over') skipWaiting();
});

/** Fetches every file, past the browser's own cache. Names under assets/ change
 * with what is in them: those may come from there, or from an older version. */
async function keepAll() {
  const cache = await caches.open(cacheName);
  const missing = [];
  for (const file of files) {
    const known = file.startsWith('/assets/') ? await caches.match(file) : undefined;
    if (known) await cache.put(file, known);
    else missing.push(new Request(file, { cache: file.startsWith('/assets/') ? 'default' : 'reload' }));
  }
  await cache.addAll(missing);
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith('copse-') && name !== cacheName) await caches.delete(name);
  await clients.claim();
}

async function kept(file, request) {
  const cache = await caches.open(cacheName);
  return (await cache.match(file)) ?? fetch(request);
}
