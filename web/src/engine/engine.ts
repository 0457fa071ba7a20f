import { Refused, type Requests } from './protocol.ts';
import type { Asked, Message } from './engine.worker.ts';

/** How many engines one worker holds: cmd/wasm has the same bound. */
const mostEngines = 16;

/** A worker that runs engines, of any game: the program of each is loaded when it
 * is first asked for. It can be ended at any time, and whoever still waits for it
 * hears of that. */
export class Workshop {
  private readonly worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, { resolve: (line: string) => void; reject: (e: Error) => void }>();
  private asked = 0;
  private dead: Error | null = null; // why it can no longer be asked
  private readonly numbers = new Set(Array.from({ length: mostEngines }, (_, i) => i)); // that are free

  /** @param progress hears which share of a program has been loaded */
  constructor(progress: (share: number) => void = () => {}) {
    this.worker.onmessage = ({ data }: MessageEvent<Message>) => {
      if ('loaded' in data) progress(__ENGINE_BYTES__[data.game] ? Math.min(1, data.loaded / __ENGINE_BYTES__[data.game]) : 0);
      else if ('broken' in data) this.end(new Error(data.broken));
      else {
        this.waiting.get(data.id)?.resolve(data.line);
        this.waiting.delete(data.id);
      }
    };
    this.worker.onerror = (e) => this.end(new Error(e.message || 'the engine could not be started'));
  }

  /** Another engine, with a game of its own. */
  engine(): Engine {
    return new Engine(this, this.number());
  }

  /** The number of an engine that nobody uses, until it is given back. */
  number(): number {
    const [number] = this.numbers;
    if (number === undefined) throw new Error('too many games are open at once');
    this.numbers.delete(number);
    return number;
  }

  /** Another engine may use this number. */
  free(number: number) {
    this.numbers.add(number);
  }

  /** Has the program of a game ready before it is needed. */
  async warm(game: string): Promise<void> {
    await this.ask({ game });
  }

  line(game: string, engine: number, line: string): Promise<string> {
    return this.ask({ game, engine, line });
  }

  private ask(what: { game: string; engine?: number; line?: string }): Promise<string> {
    if (this.dead) return Promise.reject(this.dead);
    return new Promise((resolve, reject) => {
      const id = ++this.asked;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, ...what } satisfies Asked);
    });
  }

  /** Whether it can still be asked. */
  get alive(): boolean {
    return !this.dead;
  }

  end(why = new Error('ended')) {
    this.dead = why;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(why);
    this.waiting.clear();
  }
}

/** One engine: asks it, and throws Refused where it says no. Which game's it is
 * the first request says. */
export class Engine {
  private left = false; // its number may be another engine's by now
  private game: string | undefined; // in play

  constructor(
    private readonly workshop: Pick<Workshop, 'line' | 'free'>,
    private readonly number: number,
  ) {}

  async ask<Name extends keyof Requests>(name: Name, what: Requests[Name][0]): Promise<Requests[Name][1]> {
    if (this.left) throw new Error('this engine was left: ask the workshop for another');
    const named = (what as { game?: string }).game;
    if (name === 'new' || name === 'open') this.game = named;
    const game = named ?? this.game;
    if (!game) throw new Error(`${name}: of which game?`);
    const reply = JSON.parse(await this.workshop.line(game, this.number, JSON.stringify({ do: name, ...what })));
    if (!reply.ok) throw new Refused(reply.refusal ?? reply.error);
    return reply;
  }

  /** Nobody will ask this engine again; whoever does is told so. */
  leave() {
    if (this.left) return;
    this.left = true;
    this.workshop.free(this.number);
  }
}
