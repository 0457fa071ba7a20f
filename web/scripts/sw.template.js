/** Keeps Copse in the browser: all of it, so that it plays without a line.
 * scripts/pack.mjs fills in what there is to keep. */
const version = '__VERSION__';
const files = __FILES__;
const pages = __PAGES__; // a last step of * is any one step
const cacheName = 'copse-' + version;
const entrance = '/index.html';

addEventListener('install', (e) => e.waitUntil(afterAWhile().then(keepAll)));
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

/** To keep all of Copse is to load and to compile it all: on a small machine the page that
 * somebody waits for comes first. */
const afterAWhile = () => new Promise((done) => setTimeout(done, 3000));

/** Nets are kept once somebody has played who judges by them: without one a level plays
 * too, only not as well. */
const lazy = (file) => file.endsWith('.net');

/** Fetches every file but those, past the browser's own cache. Names under assets/ change
 * with what is in them: those may come from there, or from an older version. */
async function keepAll() {
  const cache = await caches.open(cacheName);
  const missing = [];
  for (const file of files) {
    const known = file.startsWith('/assets/') ? await caches.match(file) : undefined;
    if (known) await cache.put(file, known);
    else if (!lazy(file)) missing.push(new Request(file, { cache: file.startsWith('/assets/') ? 'default' : 'reload' }));
  }
  await cache.addAll(missing);
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith('copse-') && name !== cacheName) await caches.delete(name);
  await clients.claim();
}

/** What else may come in its place, such as the page of somebody else's gate, is not kept. */
const isNet = async (response) => (await response.text()).startsWith('copse net\n');

async function kept(file, request) {
  const cache = await caches.open(cacheName);
  const known = await cache.match(file);
  if (known) return known;
  const response = await fetch(request);
  if (lazy(file) && response.ok && (await isNet(response.clone()))) await cache.put(file, response.clone()).catch(() => {}); // where there is no room, it is fetched again
  return response;
}

/** Somebody is told something though no page is open: by the server, in its words, which
 * are in the language of this browser. What is about a table takes the place of what was
 * said of it before, and is not shown to whoever looks at it. */
addEventListener('push', (e) => e.waitUntil(ring(e.data)));

async function ring(data) {
  let told = {};
  try {
    told = data.json();
  } catch {
    // A browser must show something.
  }
  const path = /^[\w-]{1,64}$/.test(told.table ?? '') ? '/t/' + told.table : '/settings';
  const looks = (window) => window.visibilityState === 'visible' && new URL(window.url).pathname === path;
  if (told.do === 'turn' && (await windows()).some(looks)) return;
  await registration.showNotification(told.title || 'Copse', {
    body: told.body ?? '', tag: path, icon: '/icon-192.png', badge: '/icon-192.png', timestamp: told.at ?? Date.now(), data: { path },
  });
}

const windows = () => clients.matchAll({ type: 'window', includeUncontrolled: true });

/** A press opens that table, in the window where it is. */
addEventListener('notificationclick', (e) => {
  e.notification.close();
  e.waitUntil(show(e.notification.data?.path ?? e.notification.tag ?? '/'));
});

async function show(path) {
  const there = (await windows()).find((window) => new URL(window.url).pathname === path);
  await (there ? there.focus() : clients.openWindow(path));
}

/** The browser has another subscription than before: the server is told where. */
addEventListener('pushsubscriptionchange', (e) => e.waitUntil(resubscribe(e)));

async function resubscribe({ oldSubscription: old, newSubscription: made }) {
  const set = await (await fetch('/api/me/doorbell')).json();
  const own = set.browsers?.find((browser) => browser.here);
  if (!set.key || !own) return; // nobody here wants to be told any more
  const key = Uint8Array.from(atob(set.key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const subscription = made ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  await fetch('/api/me/doorbell/browsers', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ subscription, language: own.language, zone: set.zone, ...(old ? { old: old.endpoint } : {}) }),
  });
}
