/** Passkeys: what the browser does between two requests to the server. */
import type { KeptReply, MeReply } from './api.gen.ts';
import { ask, Problem } from './client.ts';
import { me } from './me.svelte.ts';

/** Somebody has closed the browser's window for passkeys, or took too long. */
export class Closed extends Error {}

/** Whether passkeys can be made and used here: nothing where they can, else the key of the
 * words that say why not. */
export type Why = 'address' | 'host' | 'elsewhere' | 'plain' | 'browser';

/** Why passkeys are not offered here; null where they are. */
export function why(): Why | null {
  if (me.passkeys !== 'offered') return (me.passkeys || 'host') as Why;
  if (!isSecureContext) return 'plain';
  return typeof PublicKeyCredential === 'function' ? null : 'browser';
}

const bytes = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const text = (raw: ArrayBuffer | null) => (raw ? btoa(String.fromCharCode(...new Uint8Array(raw))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') : '');

type Named = { id: string; type: 'public-key'; transports?: AuthenticatorTransport[] };
const named = (list: Named[] | undefined) => (list ?? []).map((one) => ({ ...one, id: bytes(one.id) }));

/** What a browser has made, as the server reads it. Older browsers, and keepers of
 * passwords that stand in for them, have no toJSON. */
function written(made: PublicKeyCredential): Record<string, unknown> {
  if (typeof made.toJSON === 'function') {
    try {
      return made.toJSON() as unknown as Record<string, unknown>;
    } catch {
      // Such a keeper has one that does not work.
    }
  }
  const answer = made.response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse;
  const response: Record<string, unknown> = { clientDataJSON: text(answer.clientDataJSON) };
  if (answer.attestationObject) {
    response.attestationObject = text(answer.attestationObject);
    response.transports = answer.getTransports?.() ?? [];
  } else {
    response.authenticatorData = text(answer.authenticatorData);
    response.signature = text(answer.signature);
    response.userHandle = text(answer.userHandle);
  }
  return { id: made.id, rawId: text(made.rawId), type: made.type, response, clientExtensionResults: made.getClientExtensionResults() };
}

async function meant(asks: () => Promise<Credential | null>): Promise<Record<string, unknown>> {
  let made: Credential | null;
  try {
    made = await asks();
  } catch (e) {
    if (e instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(e.name)) throw new Closed(e.name);
    if (e instanceof DOMException && e.name === 'InvalidStateError') throw new Problem(409, 'page.online.keep.twice', {}, '', '', 0);
    throw new Closed(String(e));
  }
  if (!made) throw new Closed('none');
  return written(made as PublicKeyCredential);
}

/** Makes a passkey: a guest is a member from then on. */
export async function keep(): Promise<KeptReply> {
  const { ticket, options } = await recently(() => ask('POST /api/me/passkey/begin'));
  const o = options as any;
  const publicKey = { ...o, challenge: bytes(o.challenge), user: { ...o.user, id: bytes(o.user.id) }, excludeCredentials: named(o.excludeCredentials) };
  const credential = await meant(() => navigator.credentials.create({ publicKey }));
  const kept = await ask('POST /api/me/passkeys', { body: { ticket, credential } });
  me.is(kept.me);
  return kept;
}

/** What a passkey has answered, ready to be sent: once, or once more to replace. */
export interface Answer {
  ticket: string;
  credential: Record<string, unknown>;
}

/** Asks for a passkey. Quietly is where the browser offers it at a field for a name, for as
 * long as somebody looks at it. */
export async function answer(quietly?: AbortSignal): Promise<Answer> {
  const { ticket, options } = await ask('POST /api/sign-in/begin', { stop: quietly });
  const o = options as any;
  const publicKey = { ...o, challenge: bytes(o.challenge), allowCredentials: named(o.allowCredentials) };
  const credential = await meant(() => navigator.credentials.get({ publicKey, ...(quietly ? { mediation: 'conditional', signal: quietly } : {}) }));
  return { ticket, credential };
}

/** Signs in by what a passkey has answered. Where this browser is somebody else that is
 * refused by server.replace, unless it is meant. */
export async function signIn(by: Answer, replace = false): Promise<void> {
  me.is(await told(by, replace), true);
}

async function told(by: Answer, replace: boolean): Promise<MeReply> {
  try {
    return await ask('POST /api/sign-in', { body: { ...by, replace } });
  } catch (e) {
    if (e instanceof Problem && e.key === 'server.passkey') forgotten(by);
    throw e;
  }
}

/** Tells whoever keeps a passkey that it is good for nothing here any more, so that it is
 * not offered again. */
function forgotten(by: Answer) {
  const can = globalThis.PublicKeyCredential as unknown as { signalUnknownCredential?: (o: { rpId: string; credentialId: string }) => Promise<void> };
  void can.signalUnknownCredential?.({ rpId: location.hostname, credentialId: String(by.credential.id) }).catch(() => {});
}

/** Does something for which a member must have signed in not long ago: where that is too
 * long ago they do, as themselves. */
export async function recently<T>(what: () => Promise<T>): Promise<T> {
  try {
    return await what();
  } catch (e) {
    if (!(e instanceof Problem) || e.key !== 'server.recent' || why()) throw e;
    await signIn(await answer());
    return await what();
  }
}

/** Whether browsers offer passkeys at a field by themselves. */
export async function offers(): Promise<boolean> {
  return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.().catch(() => false)) ?? false;
}
