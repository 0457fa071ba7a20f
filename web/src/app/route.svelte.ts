/** Where in the app we are. Pages are paths, so links can be shared, opened in
 * another tab and gone back from. */

const address = $state({ path: location.pathname, hash: location.hash });

export function path(): string {
  return address.path;
}

export function hash(): string {
  return decode(address.hash.slice(1));
}

/** A piece of an address as text; what is no escape stays as it is. */
export function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

/** Goes to another page of the app. */
export function go(to: string, how: 'push' | 'replace' = 'push') {
  if (how === 'push') history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  look();
}

function look() {
  address.path = location.pathname;
  address.hash = location.hash;
}

/** Follows links within the app without loading the page anew. */
export function followLinks() {
  addEventListener('popstate', look);
  addEventListener('hashchange', look);
  document.addEventListener('click', (e) => {
    const link = (e.target as Element).closest?.('a');
    if (!link || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    e.preventDefault();
    go(url.pathname + url.search + url.hash);
  });
}
