// Command wasm is the engine for the browser: what copse engine answers on
// standard input, asked by calling functions. It is built as a library for
// WebAssembly, once for each game, as make does:
//
//	GOOS=wasip1 GOARCH=wasm go build -tags single,bosk -buildmode=c-shared -trimpath -ldflags='-s -w' -o bosk.wasm ./cmd/wasm
//
// Without the tags one program knows all games. Whoever is at a table plays one
// game, and loads what plays that.
//
// The caller, a worker of the page, instantiates it with the few functions of
// wasi_snapshot_preview1 that Go asks for (a clock, random numbers, a place for
// a last message), starts it once as any reactor of WASI is started, and then,
// for each request, calls
//
//	at = reserve(n)             where to put the n bytes of a request, or 0 if it is too long to be put anywhere
//	length = answer(engine, n)  answers it; -1 where there is no such engine or the bytes were not reserved
//	at = reply()                where the length bytes of the answer lie
//
// Requests and answers are JSON in UTF-8 without a line break, as docs/engine.md
// describes them. What was reserved stays where it is until the next reserve, a
// reply until the next answer. Any call may grow the memory, so its buffer is to
// be looked up anew after each.
//
// Strong levels judge by a net, which no program has in it. What the request wants
// names is fetched and put where a request would be, and then
//
//	taken = learn(n)            1 where the n bytes are a net that players can judge by, 0 where they are none
//
// There are several engines in one instance, by number from 0, each with a game
// of its own: one for the table, another for what somebody tries out.
// testdata/talk.mjs is a whole caller in a page of JavaScript.
package main

import (
	"copse/engine"
	"copse/game"
	"copse/games"
)

// mostEngines is how many engines one instance holds.
const mostEngines = 16

// host is the engines of an instance, and the bytes that it exchanges with its
// caller.
type host struct {
	games   func() []game.Game
	engines [mostEngines]*engine.Engine
	request []byte
	reply   []byte
}

// newHost is a host for the games that this program was built with.
func newHost() host { return host{games: games.All} }

// reserve makes space for a request of n bytes; none where no engine would take a
// request so long.
func (h *host) reserve(n int) []byte {
	if n < 0 || n > engine.LongestLine {
		h.request = nil
		return nil
	}
	if n > cap(h.request) {
		h.request = make([]byte, n)
	}
	h.request = h.request[:n]
	return h.request
}

// answer has an engine answer the first n bytes reserved, and gives the length of
// the reply; -1 where the caller made a mistake. An engine is made when it is first
// asked.
func (h *host) answer(number, n int) int {
	if number < 0 || number >= mostEngines {
		return -1
	}
	if h.engines[number] == nil {
		h.engines[number] = engine.New(h.games()...)
	}
	if n > engine.LongestLine {
		h.reply = engine.TooLong()
		return len(h.reply)
	}
	if n < 0 || n > len(h.request) {
		return -1
	}
	h.reply = h.engines[number].Answer(h.request[:n])
	return len(h.reply)
}

// learn has players judge by the net in the first n bytes reserved, and tells whether
// it is one.
func (h *host) learn(n int) bool {
	return n >= 0 && n <= len(h.request) && engine.Learn(h.request[:n]) == nil
}

// main is not called in a library; elsewhere there is nothing to do.
func main() {}
