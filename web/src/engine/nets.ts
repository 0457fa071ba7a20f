/** Where nets come from: files that are fetched when somebody thinks who judges by one. */

/** In milliseconds: for how long a thought waits for a net, and for how long one that did
 * not come, or was of no use, is not asked for again. Meanwhile its level plays without. */
export const patience = { wait: 5_000, rest: 60_000 };

/** No net is larger, in bytes. */
export const largest = 100_000;

interface Coming {
  since: number;
  file?: Uint8Array; // it is here, and nobody has taken it
  busy: Promise<void> | undefined; // it is being fetched
}

/** Finds nets by their names. Whoever has one asks no more, so a net that is asked for
 * again did not come or was of no use: it is fetched once in a while at most. What comes
 * too late for one thought serves the next.
 * @param addresses the addresses of all, by name */
export function netFiles(addresses: Record<string, string>, get: typeof fetch = fetch, now = () => performance.now()): (name: string) => Promise<Uint8Array | undefined> {
  const all = new Map<string, Coming>();
  return async (name) => {
    const address = addresses[name];
    if (!address) return undefined;
    let one = all.get(name);
    if (!one || (!one.busy && !one.file && now() - one.since >= patience.rest)) {
      const fresh: Coming = (one = { since: now(), busy: undefined });
      all.set(name, fresh);
      fresh.busy = fetched(address, get).then((file) => {
        fresh.file = file;
        fresh.busy = undefined;
      });
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([fresh.busy, new Promise((late) => (timer = setTimeout(late, patience.wait)))]);
      clearTimeout(timer);
    }
    const { file } = one;
    one.file = undefined;
    return file;
  };
}

async function fetched(address: string, get: typeof fetch): Promise<Uint8Array | undefined> {
  try {
    const response = await get(address, { signal: AbortSignal.timeout(patience.rest) });
    const bytes = response.ok ? await response.arrayBuffer() : undefined;
    return bytes && bytes.byteLength <= largest ? new Uint8Array(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Where the nets are, by the names of their files. */
const addresses = import.meta.glob<string>('../../../nets/*.net', { query: '?url', import: 'default', eager: true });

/** Finds the nets that come with Copse. */
export const net = netFiles(Object.fromEntries(Object.entries(addresses).map(([file, address]) => [file.slice('../../../nets/'.length, -'.net'.length), address])));
