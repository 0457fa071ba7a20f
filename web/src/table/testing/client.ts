/** A sitting with everything around it: the engine answers when it is let, and what
 * it sends lies on the line until somebody carries it. */
import type { Effect, Happening, Input, Terms } from '../inputs.ts';
import { complete, sitDown, step, type Sitting } from '../sitting.ts';
import { counts, settings, Tiny } from './tiny.ts';

export const terms: Terms = { settings, secrets: false, cards: false, counts, draws: false, thinks: false, takesBack: true };

export class Client {
  sitting: Sitting;
  readonly engine = new Tiny();
  pending: Effect[] = []; // what was to be done and was not yet
  readonly done = new Map<number, boolean>(); // acts, by how they ended
  readonly all: Effect[] = [];
  n = 0; // acts so far
  at = 0;

  constructor(here: number[], over: Partial<Terms> = {}, first: unknown = null) {
    this.sitting = sitDown({ ...terms, ...over }, { here, going: 'play' }, undefined, first);
  }

  hear(what: Happening) {
    this.at += 1000;
    const [next, effects] = step(this.sitting, { ...what, at: this.at } as Input);
    this.sitting = next;
    for (const effect of effects) {
      this.all.push(effect);
      if (effect.do === 'done') {
        if (this.done.has(effect.n)) throw new Error(`act ${effect.n} ends twice`);
        this.done.set(effect.n, effect.ok);
      } else if (['ask', 'send', 'fetch', 'fetch-look', 'wait', 'linger', 'frame', 'think', 'take-back'].includes(effect.do)) this.pending.push(effect);
    }
  }

  /** Has the engine answer the next thing that it was asked. */
  answer(): boolean {
    const i = this.pending.findIndex((effect) => effect.do === 'ask');
    if (i < 0) return false;
    const [asked] = this.pending.splice(i, 1) as [Extract<Effect, { do: 'ask' }>];
    this.hear({ is: 'answer', id: asked.id, replies: asked.questions.map((question) => this.engine.ask(question)) });
    return true;
  }

  /** Lets the engine answer until it is asked no more, and pauses end. */
  settle(pauses = true) {
    for (let turns = 0; ; turns++) {
      if (turns > 5000) throw new Error('it does not come to rest');
      if (this.answer()) continue;
      const i = pauses ? this.pending.findIndex((effect) => effect.do === 'linger') : -1;
      if (i < 0) return;
      const [{ id }] = this.pending.splice(i, 1) as [Extract<Effect, { do: 'linger' }>];
      this.hear({ is: 'wake', id });
    }
  }

  take<Name extends Effect['do']>(name: Name): Extract<Effect, { do: Name }> | undefined {
    const i = this.pending.findIndex((effect) => effect.do === name);
    return i < 0 ? undefined : (this.pending.splice(i, 1)[0] as Extract<Effect, { do: Name }>);
  }

  /** What a person would call it: the phase, and how far the draft is. */
  get situation(): string {
    const { phase, steps, aim } = this.sitting;
    return phase.is === 'person' ? (complete(this.sitting) ? 'made up' : steps.length || aim ? 'drafting' : 'person') : phase.is;
  }
}
