// node talk.mjs engine.wasm: on each line of standard input the number of an
// engine, a space and a request, or the word learn and the file of a net; on each
// line of standard output its answer.
import { readFileSync } from 'node:fs'

// What Go asks of the system: nothing but time, random numbers, and a place for
// its last words if it dies. Everything else is answered by 52, "there is no such function".
function wasi(memory) {
  const view = () => new DataView(memory().buffer)
  const none = (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0)
  return {
    args_sizes_get: none,
    args_get: () => 0,
    environ_sizes_get: none,
    environ_get: () => 0,
    clock_time_get: (id, _precision, at) => {
      const ms = id === 0 ? Date.now() : performance.now()
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true)
      return 0
    },
    random_get: (at, length) => {
      const bytes = new Uint8Array(memory().buffer, at, length)
      for (let i = 0; i < length; i += 65536) crypto.getRandomValues(bytes.subarray(i, i + 65536))
      return 0
    },
    fd_write: (fd, parts, count, written) => {
      let bytes = 0
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(parts + 8 * i, true)
        const length = view().getUint32(parts + 8 * i + 4, true)
        process.stderr.write(new Uint8Array(memory().buffer.slice(at, at + length)))
        bytes += length
      }
      view().setUint32(written, bytes, true)
      return 0
    },
    // Go's scheduler and collector ask for time to pass: it always has. An event
    // is what was subscribed to (8 bytes) and no error; nothing but time happens.
    poll_oneoff: (subscriptions, events, count, happened) => {
      for (let i = 0; i < count; i++) {
        new Uint8Array(memory().buffer, events + 32 * i, 32).fill(0)
        view().setBigUint64(events + 32 * i, view().getBigUint64(subscriptions + 48 * i, true), true)
      }
      view().setUint32(happened, count, true)
      return 0
    },
    sched_yield: () => 0,
    proc_exit: (code) => {
      throw new Error(`the engine stopped with code ${code}`)
    },
    fd_prestat_get: () => 8, // no such file: there are none
  }
}

const wasm = new WebAssembly.Module(readFileSync(process.argv[2]))
let exports
const given = wasi(() => exports.memory)
const imports = {}
for (const { name } of WebAssembly.Module.imports(wasm)) imports[name] = given[name] ?? (() => 52)
exports = new WebAssembly.Instance(wasm, { wasi_snapshot_preview1: imports }).exports
exports._initialize()

for (const line of readFileSync(0, 'utf8').split('\n').slice(0, -1)) {
  const [, engine, request] = line.match(/^(-?\d+|learn) (.*)$/)
  const bytes = engine === 'learn' ? readFileSync(request) : new TextEncoder().encode(request)
  const at = exports.reserve(bytes.length)
  if (at !== 0) new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes)
  if (engine === 'learn') {
    console.log(String(exports.learn(bytes.length)))
    continue
  }
  const length = exports.answer(Number(engine), bytes.length)
  const reply = length < 0 ? String(length) : new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.reply(), length))
  console.log(reply)
}
