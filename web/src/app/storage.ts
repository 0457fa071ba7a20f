/** Where the page keeps things: the browser's own storage or, where that is
 * blocked, memory, so that one can play at least until the page is closed. */
export const storage: Storage = working() ?? memory();

function working(): Storage | null {
  try {
    void localStorage.length; // throws where it is blocked
    return localStorage;
  } catch {
    return null;
  }
}

function memory(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (i) => [...items.keys()][i] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}
