// Package game says what a game is.
//
// A game is a pure library of rules: it holds no clock, no network, no random
// numbers of its own and no prose. Everything else in Copse (the engine, the arena,
// the screens) asks it. A game that is played is a log of moves, chance's among
// them, and everything else is computed from the log.
//
// The contract is [Rules]; package gametest holds the laws that tie its methods to
// each other and runs them over every game. [Of] forgets a game's types, so that
// code that knows no game speaks to all of them in JSON.
package game
