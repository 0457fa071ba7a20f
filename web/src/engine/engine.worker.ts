/** The rules, in a thread of their own: the Go engines as WebAssembly, one program
 * a game. It gets lines of the engine protocol and answers each in order. */
import { ask, equip, type Program } from './program.ts';
import { wasi } from './wasi.ts';

/** A line for an engine; without one the program of the game is only started. */
export interface Asked {
  id: number;
  game: string;
  engine?: number;
  line?: string;
}

export type Message = { loaded: number; game: string } | { broken: string } | { id: number; line: string };

/** Where the programs are, by their file names: engine-NAME.wasm. */
const addresses = import.meta.glob<string>('../../build/engine-*.wasm', { query: '?url', import: 'default', eager: true });

/** Finds a net by its name. How is loaded with the first: most never need one. */
const net = (name: string) => import('./nets.ts').then(({ net }) => net(name)).catch(() => undefined);

const tell = (message: Message) => postMessage(message);

/** The program of each game, once it has answered what it was asked so far. */
const programs = new Map<string, Promise<Program>>();

onmessage = ({ data: { id, game, engine, line } }: MessageEvent<Asked>) => {
  const answered = (programs.get(game) ?? start(game)).then(async (program) => {
    if (line !== undefined) await equip(program, engine!, line, net);
    tell({ id, line: line === undefined ? '' : ask(program, engine!, line) });
    return program;
  });
  programs.set(game, answered);
  answered.catch((e: Error) => tell({ broken: e.message }));
};

async function start(game: string): Promise<Program> {
  const address = addresses[`../../build/engine-${game}.wasm`];
  if (!address) throw new Error(`no engine plays ${game}`);
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`the engine could not be loaded (${response.status})`);
  let loaded = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        tell({ loaded: (loaded += chunk.length), game });
        out.enqueue(chunk);
      },
    }),
  );
  let program: Program;
  const { instance } = await WebAssembly.instantiateStreaming(
    new Response(counted, { headers: { 'Content-Type': 'application/wasm' } }),
    { wasi_snapshot_preview1: wasi(() => program.memory) },
  );
  program = instance.exports as Program;
  program._initialize();
  return program;
}
