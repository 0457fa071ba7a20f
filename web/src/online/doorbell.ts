/** Being told by this browser that it is my turn though no page is open: whether it can,
 * how to switch it on and off, and what lies about of earlier. The service worker shows it
 * (scripts/sw.template.js). */
import { storage } from '../app/storage.ts';
import { language } from '../words/words.svelte.ts';
import type { DoorbellReply } from './api.gen.ts';
import { ask } from './client.ts';

/** Whether this browser can be told, or why not. */
export type Can = 'yes' | 'plain' | 'install' | 'denied' | 'never';

/** Where it is kept that this browser is told, and that it was offered. */
const here = 'copse.doorbell';
const offered = 'copse.doorbell.offered';

/** What this browser can, by what it says of itself. */
export function canOf({ secure, worker, push, notes, permission, apple }: { secure: boolean; worker: boolean; push: boolean; notes: boolean; permission: NotificationPermission; apple: boolean }): Can {
  if (!secure) return 'plain';
  if (apple && !push) return 'install'; // a page of the home screen can
  if (!worker || !push || !notes) return 'never';
  return permission === 'denied' ? 'denied' : 'yes';
}

/** Whether this is a phone or a tablet of Apple; the latter calls itself a Mac. */
const apple = () => /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

export async function can(): Promise<Can> {
  const notes = 'Notification' in window;
  const what = canOf({ secure: isSecureContext, worker: 'serviceWorker' in navigator, push: 'PushManager' in window, notes, permission: notes ? Notification.permission : 'default', apple: apple() });
  return what === 'yes' && !(await worker()) ? 'never' : what;
}

const worker = async () => (await navigator.serviceWorker.getRegistration().catch(() => undefined)) ?? null;

/** The browser did not let itself be switched on: why is its own affair. */
export class Unwilling extends Error {
  constructor(readonly denied: boolean) {
    super();
  }
}

export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

const same = (one: ArrayBuffer | null, two: Uint8Array) => one !== null && one.byteLength === two.length && new Uint8Array(one).every((byte, i) => byte === two[i]);

/** Switches it on in this browser, which asks its user first. */
export async function switchOn(key: string): Promise<DoorbellReply> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Unwilling(Notification.permission === 'denied');
  const at = await worker();
  if (!at) throw new Unwilling(false);
  const applicationServerKey = bytesOf(key);
  let subscription: PushSubscription;
  let old: string | undefined;
  try {
    const before = await at.pushManager.getSubscription();
    if (before && !same(before.options.applicationServerKey, applicationServerKey)) { // of another house, or of an earlier key
      old = before.endpoint;
      await before.unsubscribe();
    }
    subscription = await at.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  } catch {
    throw new Unwilling(false);
  }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  const reply = await ask('POST /api/me/doorbell/browsers', { body: { subscription: subscription.toJSON() as { [name: string]: unknown }, language: language(), zone, ...(old ? { old } : {}) } });
  keep(true);
  return reply;
}

/** Switches it off in this browser. */
export async function switchOff(id: string): Promise<void> {
  await ask('DELETE /api/me/doorbell/browsers/{browser}', { at: { browser: id } });
  keep(false);
  const subscription = await (await worker())?.pushManager.getSubscription();
  await subscription?.unsubscribe().catch(() => false); // the server has forgotten it
}

/** Remembers that this browser is told, or is not. */
export function keep(on: boolean) {
  try {
    if (on) storage.setItem(here, '1');
    else storage.removeItem(here);
  } catch {
    // No room: a hidden tab may tell what the browser tells too.
  }
}

/** Whether this browser is told though no page is open. */
export const isTold = () => storage.getItem(here) !== null;

/** Whether to offer it: once, and only where it can be had by a press. */
export async function toOffer(): Promise<boolean> {
  return storage.getItem(offered) === null && !isTold() && (await can()) === 'yes';
}

export function wasOffered() {
  try {
    storage.setItem(offered, '1');
  } catch {
    // It is offered once more.
  }
}

/** Takes away what was shown of a table: somebody looks at it now, or the turn is over. */
export async function hush(table: string) {
  const at = 'serviceWorker' in navigator ? await worker() : null;
  for (const note of (await at?.getNotifications?.({ tag: `/t/${table}` }).catch(() => [])) ?? []) note.close();
}
