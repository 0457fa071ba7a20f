import type { Component } from 'svelte';
import { decode } from '../app/route.svelte.ts';
import { gameNames, shelf } from '../games/registry.ts';
import { say, tell } from '../words/words.svelte.ts';

export type Screen = { load: () => Promise<{ default: Component<any> }>; props: Record<string, unknown>; title: () => string };

/** A game that was played on the server. */
const fetchedGame = async (id: string) => (await import('../online/exported.ts')).fetched(id);

/** Which screen a path shows. pages.json lists the paths for the server and for the
 * service worker; a test holds the two together. */
export function find(path: string): Screen {
  const [first = '', second = '', ...rest] = path.split('/').slice(1).map(decode);
  const game = gameNames.includes(second);
  if (rest.join('')) return lost;
  if (path === '/') return { load: () => import('./Home.svelte'), props: {}, title: () => '' };
  if (gameNames.includes(first) && second === 'new')
    return { load: () => import('./NewGame.svelte'), props: { game: first }, title: () => tell(`${first}.name`) };
  if (gameNames.includes(first) && second === 'learn')
    return { load: () => import('../table/Learn.svelte'), props: { game: first }, title: () => tell(`${first}.name`) };
  if (first === 'treesociety' && second === 'cards')
    return { load: () => import('../games/treesociety/Cards.svelte'), props: {}, title: () => say('page.nav.cards') };
  if (first === 'rules' && game)
    return { load: () => import('./Rules.svelte'), props: { game: second }, title: () => tell(`${second}.name`) };
  if (first === 'table' && second)
    return { load: () => import('../table/TableScreen.svelte'), props: { id: second, shelf }, title: () => '' };
  if (first === 't' && second)
    return { load: () => import('../online/OnlineScreen.svelte'), props: { id: second }, title: () => '' };
  if (first === 'together' && (game || !second))
    return { load: () => import('../online/Together.svelte'), props: { game: second || gameNames[0] }, title: () => say('page.online.title') };
  if (first === 'play' && (game || !second))
    return { load: () => import('../online/PlayNow.svelte'), props: { game: second || gameNames[0] }, title: () => say('page.play.title') };
  if (first === 'people' && second)
    return { load: () => import('../online/Profile.svelte'), props: { name: second }, title: () => second };
  if (first === 'replay' && second)
    return { load: () => import('../table/Replay.svelte'), props: { id: second, shelf, fetched: fetchedGame }, title: () => say('page.replay.title') };
  if (second) return lost;
  if (first === 'continue') return { load: () => import('../online/Continue.svelte'), props: {}, title: () => '' };
  if (first === 'sign-in') return { load: () => import('../online/SignIn.svelte'), props: {}, title: () => say('page.nav.sign-in') };
  if (first === 'operator') return { load: () => import('../online/Operator.svelte'), props: {}, title: () => '' };
  if (first === 'friends') return { load: () => import('../online/Friends.svelte'), props: {}, title: () => say('page.friends.title') };
  if (first === 'settings') return { load: () => import('./Settings.svelte'), props: {}, title: () => say('page.settings.title') };
  if (first === 'credits') return { load: () => import('./Credits.svelte'), props: {}, title: () => say('page.credits.title') };
  return lost;
}

const lost: Screen = { load: () => import('./NotFound.svelte'), props: {}, title: () => '' };
