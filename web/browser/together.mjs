/** The screens of those who play together, each with how to come to it. */
import { drawn } from './drive.mjs';
import { guest, playOn, whoSitsAt } from './guests.mjs';
import { sizes } from './stand.mjs';

const friends = new Map();

/** Luc, Mia-Sophie and Noé, of this server. */
function friendsAt(url) {
  if (!friends.has(url)) friends.set(url, Promise.all([guest(url, 'Luc'), guest(url, 'Mia-Sophie'), guest(url, 'Noé')]));
  return friends.get(url);
}

/** Anna at the browser, and her friends. */
export async function gather(page, to) {
  await to('/credits');
  const anna = whoSitsAt(page);
  if (!(await anna.ask('GET /api/me')).signedIn) {
    await anna.ask('POST /api/me', { name: 'Anna' });
    await page.evaluate(() => localStorage.setItem('copse.online', '1'));
    await page.reload(); // the page has not seen her sign in
  }
  const [luc, mia, noe] = await friendsAt(new URL(page.url()).origin);
  return { anna, luc, mia, noe };
}

/** A table of two at which the game has begun. */
export async function begin([one, two], game = 'bosk', settings = {}) {
  const table = await one.set({ game, seats: 2, ...settings });
  await one.sit(table, 0);
  await two.sit(table, 1);
  await one.ask(`POST /api/tables/${table}/start`, {});
  return table;
}

/** Opens a table of Anna and Luc, after so many moves and when it is her turn. */
async function play(page, to, { game = 'bosk', moves = 5, settings, before = async () => {} } = {}) {
  const { anna, luc } = await gather(page, to);
  const table = await begin([anna, luc], game, settings);
  await playOn(table, [anna, luc], (n, seat) => n >= moves && seat === 0);
  await before({ anna, luc, table });
  await to(`/t/${table}`);
  await page.locator('[data-phase]').waitFor();
  await page.locator('[data-line="connected"]').first().waitFor({ state: 'attached' });
  await drawn(page);
  return { anna, luc, table };
}

/** Marks a dialog above a screen that is looked at by itself. */
export const aboveSeen = (show) => Object.assign(show, { above: true });

/** Opens a part of the settings that asks before it does anything. */
const asked = (button) =>
  aboveSeen(async (page, to) => {
    await gather(page, to);
    await to('/settings');
    await page.locator(button).click();
    await page.locator('dialog[open]').waitFor();
  });

/** Anna with friends, somebody who wants to be one, somebody whom she asked, somebody whom
 * she blocks, a company and an invitation: all there is on one screen. */
async function withFriends(page, to) {
  const { anna, luc, mia, noe } = await gather(page, to);
  const table = await anna.set({ game: 'bosk', seats: 4, visible: 'open' });
  await anna.sit(table, 0);
  for (const [i, who] of [luc, noe].entries()) await who.sit(table, i + 1);
  const { friends, asks, asked, companies, link } = await anna.ask('GET /api/friends');
  if (!friends.length) {
    const met = await mia.set({ game: 'bosk', seats: 4 });
    await mia.sit(met, 0);
    await anna.sit(met, 1);
    await anna.ask('POST /api/friends', { table: met, seat: 0 });
    await mia.ask('POST /api/friends', { table: met, seat: 1 });
    const { friends: hers } = await mia.ask('GET /api/friends');
    await mia.ask(`POST /api/tables/${met}/leave`);
    await anna.ask(`POST /api/tables/${met}/leave`);
    const waits = await mia.set({ game: 'treesociety', seats: 3 });
    await mia.sit(waits, 0);
    await mia.ask(`POST /api/tables/${waits}/invitations`, { friends: [hers.find((f) => f.name === 'Anna').friend] });
  }
  if (!asks.length) await luc.ask('POST /api/friends', { table, seat: 0 });
  if (!asked.length) await anna.ask('POST /api/friends', { table, seat: 2 });
  const { friends: mine } = await anna.ask('GET /api/friends');
  if (!companies.length) await anna.ask('POST /api/companies', { name: 'Tuesdays', friends: [mine[0].friend], game: 'grandbois' });
  if (!link) await anna.ask('POST /api/friend-link');
  if (!(await anna.ask('GET /api/blocks')).blocked.length) {
    const rude = await guest(new URL(page.url()).origin, 'Stump');
    await rude.sit(table, 3);
    await anna.ask('POST /api/blocks', { table, seat: 3 });
    await rude.ask(`POST /api/tables/${table}/leave`);
  }
  return { table };
}

export const together = {
  'setting a table, as nobody yet': async (page, to) => {
    await to('/together/bosk');
    await page.locator('#guest').waitFor();
  },
  'play now, as nobody yet': async (page, to) => {
    await to('/play/bosk');
    await page.locator('#guest').waitFor();
  },
  'settings, as nobody yet': async (page, to) => {
    await to('/settings');
    await page.locator('[data-me]').waitFor();
  },
  'a lobby before one has a name': async (page, to) => {
    await to('/credits');
    const [luc] = await friendsAt(new URL(page.url()).origin);
    const table = await luc.set({ game: 'grandbois', seats: 4 });
    await luc.sit(table, 0);
    await to(`/t/${table}`);
    await page.locator('#guest').waitFor();
  },
  'friends, as nobody yet': async (page, to) => {
    await to('/friends');
    await page.locator('#guest').waitFor();
  },
  'friends': async (page, to) => {
    await withFriends(page, to);
    await to('/friends');
    await page.locator('[data-invitations] [data-table]').waitFor();
    await page.locator('[data-new-company]').click();
  },
  'home, invited by a friend': async (page, to) => {
    await withFriends(page, to);
    await to('/');
    await page.locator('[data-invitations] [data-table]').first().waitFor();
    await page.locator('[data-house]').waitFor();
  },
  'what I can be to the others': aboveSeen(async (page, to) => {
    const { table } = await withFriends(page, to);
    await to(`/t/${table}`);
    await page.locator('[data-invite-friends]').waitFor();
    await page.locator('[data-people]').click();
    await page.locator('[data-others] [data-block]').first().click();
  }),
  'continuing here': async (page, to) => {
    await to('/continue#ABCD-EFGH');
    await page.locator('#code').waitFor();
  },
  'setting a table, and open tables': async (page, to) => {
    const { luc, mia } = await gather(page, to);
    const table = await luc.set({ game: 'grandbois', seats: 4, visible: 'open' });
    await luc.sit(table, 0);
    await mia.sit(table, 2);
    await to('/together/grandbois');
    await page.locator('[data-table]').first().waitFor();
  },
  'play now, while one waits': async (page, to) => {
    const { anna } = await gather(page, to);
    await anna.ask('DELETE /api/play');
    await anna.ask('POST /api/play', { game: 'grandbois', seats: 4, pace: 'evening', bots: 600_000 });
    await to('/play/grandbois');
    await page.locator('[data-waiting="waiting"]').waitFor();
  },
  'the lobby': async (page, to) => {
    const { anna, luc } = await gather(page, to);
    const table = await anna.set({ game: 'grandbois', seats: 3, pace: 'days', undo: 'none', hints: true });
    await anna.sit(table, 0);
    await luc.sit(table, 1);
    await luc.say(table, { text: 'On commence quand Mia est là ? Elle cherche encore son chargeur.' });
    await to(`/t/${table}`);
    await page.locator('[data-start]').waitFor();
    await page.locator('[data-talk] b').first().waitFor();
    await page.locator('.phrase').first().waitFor();
  },
  'sending somebody away': async (page, to) => {
    const { anna, mia } = await gather(page, to);
    const table = await anna.set({ game: 'treesociety', seats: 3, options: { draft: true, startingCards: true } });
    await anna.sit(table, 0);
    await mia.sit(table, 1);
    await to(`/t/${table}`);
    await page.locator('[data-options]').waitFor();
    await page.locator('[data-kick]').click();
    await page.locator('[data-kick-sure]').waitFor();
  },
  'a lobby from which one was sent away': async (page, to) => {
    const { anna, luc } = await gather(page, to);
    const table = await luc.set({ game: 'grandbois', seats: 3 });
    await luc.sit(table, 0);
    await anna.sit(table, 1);
    await to(`/t/${table}`);
    await page.locator('[data-seat="1"][data-held="person"]').waitFor();
    await luc.ask(`POST /api/tables/${table}/kick`, { seat: 1 });
    await page.locator('[data-barred]').waitFor();
  },
  'my tables, and games that were played': async (page, to) => {
    const { anna, luc, mia } = await gather(page, to);
    const over = await begin([anna, mia], 'grandbois');
    await playOn(over, [anna, mia], (n) => n > 6);
    await mia.ask(`POST /api/tables/${over}/resign`);
    await begin([luc, anna]);
    await begin([anna, mia], 'grandbois');
    const lobby = await anna.set({ game: 'bosk', seats: 4 });
    await anna.sit(lobby, 3);
    await to('/');
    await page.locator(`[data-table="${lobby}"]`).waitFor();
    await page.locator('[data-played]').first().waitFor();
  },
  'a table of two, and what was missed': async (page, to) => {
    await play(page, to);
    await page.locator('[data-missed]').waitFor();
  },
  'a table of two in GrandBois': (page, to) => play(page, to, { game: 'grandbois', settings: { hints: true } }),
  'a table that is watched': async (page, to) => {
    const { luc, mia } = await gather(page, to);
    const table = await begin([luc, mia], 'grandbois');
    await playOn(table, [luc, mia], (n) => n > 8);
    await to(`/t/${table}`);
    await page.locator('[data-phase]').waitFor();
    await drawn(page);
  },
  'talk beside the board': async (page, to) => {
    await play(page, to, { before: ({ luc, table }) => luc.say(table, { phrase: 'good-move' }) });
    await page.locator('#tab-talk').click();
    await page.locator('[data-talk] b').first().waitFor();
  },
  'talk above the board': async (page, to) => {
    await play(page, to, { before: ({ luc, table }) => luc.say(table, { text: 'Wait, that squirrel was mine!' }) });
    await page.setViewportSize(sizes.phone);
    await page.locator('.bar .talk').click();
    await page.locator('dialog [data-talk] b').first().waitFor();
  },
  'somebody asks for a step back': async (page, to) => {
    const { luc, table } = await play(page, to, { settings: { pace: 'evening' } });
    await luc.ask(`POST /api/tables/${table}/undo`, {});
    await page.locator('[data-ask="undo"]').waitFor();
  },
  'what can be asked of the others': async (page, to) => {
    await play(page, to);
    await page.locator('[data-menu]').click();
    await page.locator('dialog[open]').waitFor();
  },
  'the end by resignation': async (page, to) => {
    const { luc, table } = await play(page, to, { game: 'grandbois', moves: 12 });
    await luc.ask(`POST /api/tables/${table}/resign`);
    await page.locator('dialog svg polyline').first().waitFor();
    await page.waitForFunction(() => !document.querySelector('dialog table').innerText.includes('?'));
  },
  'the end without a winner': async (page, to) => {
    const { anna, luc, table } = await play(page, to, { moves: 8 });
    await anna.ask(`POST /api/tables/${table}/abandon`);
    await luc.ask(`POST /api/tables/${table}/answer`, { for: 'abandon', yes: true });
    await page.locator('dialog svg polyline').first().waitFor();
  },
  'the end of the first of two games': async (page, to) => {
    const { anna, luc } = await gather(page, to);
    const table = await begin([anna, luc], 'grandbois', { sides: true });
    await to(`/t/${table}`);
    await page.locator('[data-phase]').waitFor();
    await drawn(page);
    await playOn(table, [anna, luc], () => false);
    await page.locator('[data-following]').waitFor();
    await page.locator('dialog svg polyline').first().waitFor();
  },
  'the one result of every seat': async (page, to) => {
    const { anna, luc, mia } = await gather(page, to);
    const table = await anna.set({ game: 'bosk', seats: 3, sides: true });
    for (const [seat, who] of [anna, luc, mia].entries()) await who.sit(table, seat);
    await anna.ask(`POST /api/tables/${table}/start`, {});
    await to(`/t/${table}`);
    await page.locator('[data-phase]').waitFor();
    await drawn(page);
    await playOn(table, [anna, luc, mia], (n) => n > 8);
    await mia.ask(`POST /api/tables/${table}/resign`);
    await luc.ask(`POST /api/tables/${table}/resign`);
    await page.locator('[data-sides] .rank').first().waitFor();
    await page.locator('dialog svg polyline').first().waitFor();
  },
  'settings, me among friends': async (page, to) => {
    await gather(page, to);
    await to('/settings');
    await page.locator('#my-name').waitFor();
  },
  'settings, with word when it is my turn': async (page, to) => {
    const { anna } = await gather(page, to);
    const keys = { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
    await anna.ask('POST /api/me/doorbell/browsers', { subscription: { endpoint: 'https://fcm.googleapis.com/fcm/send/looked-at', keys }, language: 'en', zone: 'America/Argentina/Buenos_Aires' });
    await to('/settings');
    await page.locator('[data-doorbell] [data-from]').waitFor();
  },
  'continuing on a phone': asked('[data-phone]'),
  'signing out everywhere': asked('[data-sign-out]'),
  'deleting oneself': asked('[data-delete-me]'),
};
