import { mount } from 'svelte';
import './style/base.css';
import App from './App.svelte';
import { followLinks } from './app/route.svelte.ts';
import { apply, settings } from './app/settings.svelte.ts';
import { leafletOf } from './engine/games.ts';
import { rulesShop } from './engine/shop.svelte.ts';
import { findFace, gameNames } from './games/registry.ts';
import { all, find } from './table/kept.ts';
import { speak } from './words/words.svelte.ts';

const words = speak(settings.language);

// What is likely to be played is fetched before anybody asks: at a table all that
// its board needs at once, where one sets up a game or learns one the engine as soon as the page has
// nothing else to do, elsewhere once it has been there for a while: to compile an engine
// keeps a phone busy. Whoever needs it asks again, and says what is wrong. It is a task of
// its own: until then the page has only been read.
const [, first, second] = location.pathname.split('/');
const kept = first === 'table' || first === 'replay' ? find(second ?? '') : null;
const game = [kept?.game, first, second, all()[0]?.game].find((name) => name !== undefined && gameNames.includes(name));
const fetchEngine = () => (game ? rulesShop().warm(game).catch(() => {}) : Promise.resolve());
const there = kept ? new Promise((done) => setTimeout(done)).then(fetchParts) : Promise.resolve();
if (second === 'new' || second === 'learn') (window.requestIdleCallback ?? setTimeout)(fetchEngine);
else if (!kept) setTimeout(fetchEngine, 3000);

function fetchParts() {
  if (game && first === 'table') void Promise.all([import('./table/TableScreen.svelte'), findFace(game), leafletOf(game)]).catch(() => {});
  return fetchEngine();
}

apply(settings);
followLinks();
await words;
mount(App, { target: document.getElementById('app')! });
// To keep all of Copse is to load it all: at a table not before one can play.
void there.then(() => import('./app/offline.svelte.ts')).then(({ keepOffline }) => keepOffline(), () => {}); // next time, then
