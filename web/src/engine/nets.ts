/** Where nets come from: files that are fetched when somebody thinks who judges by one. */

/** For how long a net is waited for, and for how long one that did not come is not
 * asked for again, in milliseconds. Meanwhile its level plays without. */
export const patience = { wait: 5_000, rest: 60_000 };

/** Finds nets by their names. Whoever asks has no use for the same one twice, unless it
 * did not come or was damaged: so each is fetched once in a while at most.
 * @param addresses the addresses of all, by name */
export function netFiles(addresses: Record<string, string>, get: typeof fetch = fetch, now = () => performance.now()): (name: string) => Promise<Uint8Array | undefined> {
  const last = new Map<string, number>();
  return async (name) => {
    const address = addresses[name];
    if (!address || now() - (last.get(name) ?? -Infinity) < patience.rest) return undefined;
    last.set(name, now());
    try {
      const response = await get(address, { signal: AbortSignal.timeout(patience.wait) });
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    } catch {
      return undefined;
    }
  };
}
