package grandbois

import "copse/game"

// levels is how strong the levels of play were found to be, from 1 to 10, each
// against an opponent that says something about it, in as many games as stands
// beside it:
//
//	copse arena grandbois --players level:N,AGAINST --games GAMES --seed levels
func levels() []game.Level {
	return []game.Level{
		{Against: "random", Wins: 99},    // 300
		{Against: "greedy", Wins: 16},    // 200
		{Against: "greedy", Wins: 33},    // 300
		{Against: "level:3", Wins: 62},   // 400
		{Against: "level:4", Wins: 71},   // 400, --seed levels11
		{Against: "level:5", Wins: 88},   // 400, --seed levels11
		{Against: "level:6", Wins: 58},   // 400, --seed levels11
		{Against: "level:7", Wins: 74},   // 400, --seed levels11
		{Against: "level:8", Wins: 72},   // 400, --seed levels11
		{Against: "flat:2000", Wins: 85}, // 80
	}
}
