// Package gametest holds the laws that every game must keep.
//
// [Run] plays random games at every player count and holds every law along the
// way, [Replay] replays whole games that were written down once, for ever, and
// [Bench] says how fast a game plays. [Tiny] is a small game with secrets of
// every kind: it proves the laws, because bugs planted in it are caught, and it
// is the example to read before writing a game.
package gametest
