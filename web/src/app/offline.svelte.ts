/** Whether Copse is kept in this browser, whether the line is down, and whether a
 * newer Copse waits. */
export const offline = $state({
  ready: false, // all that is needed is kept: Copse plays without a line
  away: !navigator.onLine,
  update: false, // a newer version is kept, and waits for the next start
});

let waiting: ServiceWorker | null = null;

/** Has the browser keep Copse. Where it is being worked on nothing is kept: what
 * was changed should be seen. */
export function keepOffline() {
  addEventListener('online', () => (offline.away = false));
  addEventListener('offline', () => (offline.away = true));
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const late = () => void register().catch(() => {}); // without it Copse needs a line, no more
  if (document.readyState === 'complete') late();
  else addEventListener('load', late, { once: true });
}

async function register() {
  const keeper = navigator.serviceWorker;
  const first = !keeper.controller;
  const registration = await keeper.register('/sw.js', { scope: '/', updateViaCache: 'none' });
  watch(registration.waiting, first);
  watch(registration.installing, first);
  registration.addEventListener('updatefound', () => watch(registration.installing, first));
  void keeper.ready.then(() => (offline.ready = true));
  // All tabs are of one version: when one takes the new one, the others follow.
  let following = false;
  keeper.addEventListener('controllerchange', () => {
    if (first || following) return;
    following = true;
    location.reload();
  });
}

function watch(worker: ServiceWorker | null, first: boolean) {
  if (!worker) return;
  const look = () => {
    if (worker.state !== 'installed' || first) return;
    waiting = worker;
    offline.update = true;
  };
  look();
  worker.addEventListener('statechange', look);
}

/** Takes the version that waits; the page is loaded anew. */
export function takeUpdate() {
  if (waiting) waiting.postMessage('take over');
  else location.reload();
}
