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
		{Against: "greedy", Wins: 43},    // 174
		{Against: "greedy", Wins: 72},    // 156
		{Against: "greedy", Wins: 81},    // 290
		{Against: "greedy", Wins: 87},    // 46
		{Against: "flat:2000", Wins: 71}, // 34
		{Against: "level:8", Wins: 71},   // 48
		{Against: "flat:2000", Wins: 85}, // 80
	}
}
