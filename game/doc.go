// Package game says what a game is.
//
// A game is a pure library of rules: it holds no clock, no network, no random
// numbers of its own and no prose. Everything else in Copse (the engine, the
// arena, the screens) asks it. A sitting of a game is a log
// of moves, chance's among them, and everything else is computed from it.
//
// The contract is [Rules]; package gametest holds the laws that tie its
// methods to each other and runs them over every game. [Of] forgets a game's
// types, so that those who know no game speak to all of them in JSON.
package game
