/** The Go engine as WebAssembly, asked by calling functions: cmd/wasm says how. */
export interface Program extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  reserve(bytes: number): number;
  answer(engine: number, bytes: number): number;
  reply(): number;
}

const toBytes = new TextEncoder();
const toText = new TextDecoder();

/** One line of the engine protocol, answered by the engine of a number. */
export function ask(program: Program, engine: number, line: string): string {
  const request = toBytes.encode(line);
  const at = program.reserve(request.length);
  if (!at) throw new Error('a request is too long for the engine');
  new Uint8Array(program.memory.buffer, at, request.length).set(request);
  const length = program.answer(engine, request.length);
  if (length < 0) throw new Error('the engine does not take this request');
  return toText.decode(new Uint8Array(program.memory.buffer, program.reply(), length));
}
