/** Who this browser is on the server: a guest with a name, kept by a cookie. */
import { settings } from '../app/settings.svelte.ts';
import { storage } from '../app/storage.ts';
import type { DeskMark, MeReply } from './api.gen.ts';
import { ask, hex, Problem } from './client.ts';
import { keep } from './doorbell.ts';
import { stream } from './stream.svelte.ts';

const place = 'copse.online';

/** Remembers a member's name, for the way to their page: every screen has it. */
function rememberMember(name: string) {
  try {
    if (name) storage.setItem('copse.member', name);
    else storage.removeItem('copse.member');
    globalThis.dispatchEvent?.(new StorageEvent('storage', { key: 'copse.member' })); // this window hears it as the others do
  } catch {
    // No room: the way there is in the settings.
  }
}

/** Remembers whether this browser has a name there: home asks the server nothing
 * for those who have none. Where it is another than before, other windows hear of it. */
function remember(is: boolean, another = false) {
  try {
    if (!is) storage.removeItem(place);
    else if (another || storage.getItem(place) === null) storage.setItem(place, hex(4));
  } catch {
    // No room: home shows no tables of the server until one is opened.
  }
}

class Me {
  known = $state(false); // the server was asked
  signedIn = $state(false);
  name = $state('');
  member = $state(false); // the name is kept for us
  passkeys = $state(''); // whether they are offered here, or why not
  site = $state(''); // where they are, if elsewhere
  banned: DeskMark | null = $state.raw(null); // we may read why, and go
  muted: DeskMark | null = $state.raw(null); // we may say set phrases
  operator = $state(false);
  private told = false; // see chimes

  /** Some browser of ours is told something though its page is shut: so the server must
   * know whether anybody looks at this one. */
  get chimes() {
    return this.told;
  }

  set chimes(on: boolean) {
    this.told = on;
    stream.minds(on);
  }

  /** Asks the server, once. */
  async look(): Promise<void> {
    if (this.known) return;
    const reply = await ask('GET /api/me');
    this.passkeys = reply.passkeys ?? '';
    this.site = reply.site ?? '';
    this.banned = reply.banned ?? null;
    this.muted = reply.muted ?? null;
    this.operator = reply.operator ?? false;
    this.is(reply);
  }

  /** Takes over who the server says we are; `another` where that is not who we were. */
  is({ signedIn, name, member, chimes }: MeReply, another = false) {
    this.signedIn = signedIn;
    this.chimes = chimes ?? false;
    this.name = name ?? '';
    this.member = member !== undefined;
    this.known = true;
    remember(signedIn, another);
    rememberMember(this.member ? this.name : '');
    if (another) {
      stream.anew();
      void this.check().catch(() => {}); // what is in force for them is told there
    }
  }

  /** Asks once more: whether the server still knows us. Where it does not, or where we are
   * somebody else (`another`), everything that is followed is shown to us anew. */
  async check(another = false): Promise<boolean> {
    const before = this.known ? this.signedIn : null;
    this.known = false;
    await this.look();
    if (another || this.signedIn !== before) stream.anew();
    return this.signedIn;
  }

  /** Takes a name: as a new guest, or another one. */
  async take(name: string): Promise<void> {
    const body = { name };
    let reply;
    try {
      reply = this.signedIn ? await ask('PATCH /api/me', { body }) : await ask('POST /api/me', { body });
    } catch (e) {
      if (!(e instanceof Problem) || e.key !== 'server.signed-in') throw e;
      reply = await ask('PATCH /api/me', { body }); // in another window meanwhile
    }
    const fresh = !this.signedIn;
    this.signedIn = true;
    this.known = true;
    this.name = reply.name ?? name;
    remember(true, fresh);
    rememberMember(this.member ? this.name : '');
    settings.name ||= this.name.slice(0, 20);
    if (fresh) stream.anew();
  }

  /** Ends every sign-in, on all devices: nobody knows us any more. */
  async signOutEverywhere(): Promise<void> {
    await ask('DELETE /api/me/sessions');
    this.leave();
  }

  /** Has the server forget us: the games stay, the name goes. */
  async deleteMe(): Promise<void> {
    await ask('DELETE /api/me');
    this.leave();
  }

  private leave() {
    this.signedIn = false;
    this.name = '';
    this.member = this.operator = this.chimes = false;
    this.banned = this.muted = null;
    keep(false);
    remember(false);
    rememberMember('');
    stream.anew();
  }

  /** Goes on here as the person who made a code elsewhere; `replace` also where
   * this browser is somebody else. */
  async goOn(code: string, replace = false): Promise<void> {
    this.is(await ask('POST /api/continue', { body: { code, replace } }), true);
  }
}

export const me = new Me();

// A stream ends with who it was for, and another window may become somebody else.
stream.ended = () => void (me.signedIn && me.check().catch(() => {}));
globalThis.addEventListener?.('storage', ({ key }: StorageEvent) => void (key === place && me.check(true).catch(() => {})));
