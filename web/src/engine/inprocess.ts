/** The engines without a worker, for tests: the same programs, asked directly. */
import { existsSync, readFileSync } from 'node:fs';
import { Engine } from './engine.ts';
import { ask, equip, type Program } from './program.ts';
import { wasi } from './wasi.ts';

export class InProcess {
  private readonly programs = new Map<string, Program>();
  private made = 0;

  engine(): Engine {
    return new Engine(this, this.made++ % 16);
  }

  async line(game: string, engine: number, line: string): Promise<string> {
    const net = async (name: string) => (existsSync(`../nets/${name}.net`) ? new Uint8Array(readFileSync(`../nets/${name}.net`)) : undefined);
    await equip(this.program(game), engine, line, net);
    return ask(this.program(game), engine, line);
  }

  free() {}

  program(game: string): Program {
    const started = this.programs.get(game);
    if (started) return started;
    let program: Program;
    const module = new WebAssembly.Module(readFileSync(`build/engine-${game}.wasm`));
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi(() => program.memory) });
    program = instance.exports as Program;
    program._initialize();
    this.programs.set(game, program);
    return program;
  }
}
