/** The rules, in a thread of their own: the Go engine as WebAssembly. It gets
 * lines of the engine protocol and answers each in order. */
import address from '../../build/engine.wasm?url';
import { wasi } from './wasi.ts';

export interface Asked {
  id: number;
  engine: number;
  line: string;
}

export type Told = { loaded: number } | { broken: string } | { id: number; line: string };

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  reserve(bytes: number): number;
  answer(engine: number, bytes: number): number;
  reply(): number;
}

const tell = (message: Told) => postMessage(message);
const toBytes = new TextEncoder();
const toText = new TextDecoder();

const ready = start().catch((e: Error) => {
  tell({ broken: e.message });
  throw e;
});

onmessage = async ({ data }: MessageEvent<Asked>) => {
  const engine = await ready;
  try {
    tell({ id: data.id, line: ask(engine, data.engine, data.line) });
  } catch (e) {
    tell({ broken: (e as Error).message });
  }
};

async function start(): Promise<Exports> {
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
  let exports: Exports;
  const { instance } = await WebAssembly.instantiateStreaming(
    new Response(counted, { headers: { 'Content-Type': 'application/wasm' } }),
    { wasi_snapshot_preview1: wasi(() => exports.memory) },
  );
  exports = instance.exports as Exports;
  exports._initialize();
  return exports;
}

function ask(engine: Exports, number: number, line: string): string {
  const request = toBytes.encode(line);
  const at = engine.reserve(request.length);
  if (!at) throw new Error('a request is too long for the engine');
  new Uint8Array(engine.memory.buffer, at, request.length).set(request);
  const length = engine.answer(number, request.length);
  if (length < 0) throw new Error('the engine does not take this request');
  return toText.decode(new Uint8Array(engine.memory.buffer, engine.reply(), length));
}
