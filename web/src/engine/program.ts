/** The Go engine as WebAssembly, asked by calling functions: cmd/wasm says how. */
export interface Program extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  reserve(bytes: number): number;
  answer(engine: number, bytes: number): number;
  learn(bytes: number): number;
  reply(): number;
}

const toBytes = new TextEncoder();
const toText = new TextDecoder();

/** Puts bytes where the program reads them, and tells whether there is room for them. */
function put(program: Program, bytes: Uint8Array): boolean {
  const at = program.reserve(bytes.length);
  if (at) new Uint8Array(program.memory.buffer, at, bytes.length).set(bytes);
  return at !== 0;
}

/** Has a program judge by the net that is wanted for a line, if one is and it can be had.
 * Where not, its player plays without, as it does at tables for which there is no net. Who
 * thinks may want one, and who helps one that has it.
 * @param had finds the file of a net by its name */
export async function equip(program: Program, engine: number, line: string, had: (name: string) => Promise<Uint8Array | undefined>) {
  const { do: what, player, errand } = JSON.parse(line);
  if (what !== 'think' && !errand?.net) return;
  const { net } = JSON.parse(ask(program, engine, JSON.stringify({ do: 'wants', player })));
  const bytes = net && (await had(net));
  if (bytes && put(program, bytes)) program.learn(bytes.length); // where it is damaged, nothing was learned
}

/** One line of the engine protocol, answered by the engine of a number. */
export function ask(program: Program, engine: number, line: string): string {
  const request = toBytes.encode(line);
  if (!put(program, request)) throw new Error('a request is too long for the engine');
  const length = program.answer(engine, request.length);
  if (length < 0) throw new Error('the engine does not take this request');
  return toText.decode(new Uint8Array(program.memory.buffer, program.reply(), length));
}
