// Package load plays many games at once over the API of a server and measures
// what that costs: how long a move takes to reach the other player, how much
// work the server has with it, how much memory a table needs. It knows the API
// and the rules, as any client does, and nothing of the server.
//
// Beside it stands the least that could do the same ([Bare]): HTTP, a stream for
// each player, one synced write for each move, and no game. What a server costs
// beyond that is its own.
package load
