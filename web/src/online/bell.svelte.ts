/** Calling somebody, mostly to their turn: sound, a dot on the tab's icon, a message of
 * the system where that was allowed. The tab's title is the table's own. */
import { play as sound } from '../app/sound.ts';
import { say } from '../words/words.svelte.ts';
import { isTold } from './doorbell.ts';

const icon = '/icon.svg';
const dotted = '/icon-turn.svg';

/** It is your turn in a game of this name. */
export const yourTurn = (game: string) => call(say('page.online.bell', { game }));

/** Calls somebody who may look elsewhere. */
export function call(title: string) {
  sound('turn');
  if (!document.hidden) return;
  dot(true);
  if ('Notification' in window && Notification.permission === 'granted' && !isTold()) { // else the service worker tells it
    const more = { icon: '/icon-192.png', tag: location.pathname };
    try {
      const shown = new Notification(title, more);
      shown.onclick = () => {
        focus();
        shown.close();
      };
    } catch { // phones want a service worker for it
      void navigator.serviceWorker?.getRegistration().then((worker) => worker?.showNotification(title, more)).catch(() => {});
    }
  }
}

/** Puts a dot on the tab's icon, or takes it away. */
export function dot(on: boolean) {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const to = on ? dotted : icon;
  if (link && !link.href.endsWith(to)) link.href = to;
}

if (typeof document !== 'undefined')
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) dot(false);
  });

/** Whether messages of the system can be asked for and were not yet. */
export function canAsk(): boolean {
  return 'Notification' in window && Notification.permission === 'default';
}

export async function askToCall(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}
