/** The engine without a worker, for tests: the same program, asked directly. */
import { readFileSync } from 'node:fs';
import { Engine } from './engine.ts';
import { ask, type Program } from './program.ts';
import { wasi } from './wasi.ts';

export class InProcess {
  private readonly program: Program;
  private made = 0;

  constructor() {
    let program: Program;
    const module = new WebAssembly.Module(readFileSync('build/engine.wasm'));
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi(() => program.memory) });
    this.program = program = instance.exports as Program;
    program._initialize();
  }

  engine(): Engine {
    return new Engine(this, this.made++ % 16);
  }

  async line(engine: number, line: string): Promise<string> {
    return ask(this.program, engine, line);
  }

  free() {}
}
