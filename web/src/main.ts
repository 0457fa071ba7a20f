import { mount } from 'svelte';
import './style/base.css';
import App from './App.svelte';
import { keepOffline } from './app/offline.svelte.ts';
import { followLinks } from './app/route.svelte.ts';
import { apply, settings } from './app/settings.svelte.ts';
import { gamesOf } from './engine/shop.svelte.ts';
import { speak } from './words/words.svelte.ts';

// The engine is the largest thing to load: at a table it is fetched first of
// all, elsewhere as soon as the page has nothing else to do.
if (/^\/(table|replay|t)\//.test(location.pathname)) fetchEngine();
else (window.requestIdleCallback ?? setTimeout)(fetchEngine);

function fetchEngine() {
  gamesOf().catch(() => {}); // whoever needs it asks again, and says what is wrong
}

apply(settings);
followLinks();
await speak(settings.language);
mount(App, { target: document.getElementById('app')! });
keepOffline();
