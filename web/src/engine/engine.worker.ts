/** The rules, in a thread of their own: the Go engine as WebAssembly. It gets
 * lines of the engine protocol and answers each in order. */
import address from '../../build/engine.wasm?url';
import { ask, type Program } from './program.ts';
import { wasi } from './wasi.ts';

export interface Asked {
  id: number;
  engine: number;
  line: string;
}

export type Message = { loaded: number } | { broken: string } | { id: number; line: string };

const tell = (message: Message) => postMessage(message);

const ready = start().catch((e: Error) => {
  tell({ broken: e.message });
  throw e;
});

onmessage = async ({ data }: MessageEvent<Asked>) => {
  const program = await ready;
  try {
    tell({ id: data.id, line: ask(program, data.engine, data.line) });
  } catch (e) {
    tell({ broken: (e as Error).message });
  }
};

async function start(): Promise<Program> {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`the engine could not be loaded (${response.status})`);
  let loaded = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        tell({ loaded: (loaded += chunk.length) });
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
