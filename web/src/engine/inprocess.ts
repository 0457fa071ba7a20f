/** The engine without a worker, for tests: the same program, asked directly. */
import { readFileSync } from 'node:fs';
import { Engine } from './engine.ts';
import { wasi } from './wasi.ts';

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  reserve(bytes: number): number;
  answer(engine: number, bytes: number): number;
  reply(): number;
}

export class InProcess {
  private readonly exports: Exports;
  private made = 0;

  constructor() {
    let exports: Exports;
    const module = new WebAssembly.Module(readFileSync('build/engine.wasm'));
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi(() => exports.memory) });
    this.exports = exports = instance.exports as Exports;
    exports._initialize();
  }

  engine(): Engine {
    return new Engine(this, this.made++ % 16);
  }

  async line(engine: number, line: string): Promise<string> {
    const bytes = new TextEncoder().encode(line);
    const at = this.exports.reserve(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    const length = this.exports.answer(engine, bytes.length);
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, this.exports.reply(), length));
  }

  free() {}
}
