package treesociety

import "copse/game"

// measured is how strong the levels of play were found to be, from 1 to 10, each
// against an opponent that says something about it, in as many games as stands
// beside it:
//
//	copse arena treesociety --players level:N,AGAINST --games GAMES --seed levels
func measured() []game.Level {
	return []game.Level{
		{Against: "random", Wins: 100}, // 100
		{Against: "level:1", Wins: 70}, // 200
		{Against: "level:2", Wins: 75}, // 200
		{Against: "greedy", Wins: 37},  // 60
		{Against: "level:4", Wins: 74}, // 100
		{Against: "greedy", Wins: 60},  // 60
		{Against: "greedy", Wins: 77},  // 60
		{Against: "level:7", Wins: 68}, // 160
		{Against: "level:8", Wins: 66}, // 100
		{Against: "greedy", Wins: 98},  // 40
	}
}
