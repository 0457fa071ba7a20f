package treesociety

import "copse/game"

// measured is how strong the levels of play were found to be, from 1 to 10, each
// against an opponent that says something about it, in as many games as stands
// beside it:
//
//	copse arena treesociety --players level:N,AGAINST --games GAMES --seed levels
func measured() []game.Level {
	return []game.Level{
		{Against: "random", Wins: 99},  // 100
		{Against: "level:1", Wins: 70}, // 200
		{Against: "greedy", Wins: 13},  // 40
		{Against: "greedy", Wins: 35},  // 40
		{Against: "greedy", Wins: 50},  // 40
		{Against: "greedy", Wins: 60},  // 40
		{Against: "level:6", Wins: 62}, // 120
		{Against: "level:7", Wins: 63}, // 80
		{Against: "level:8", Wins: 65}, // 50
		{Against: "greedy", Wins: 90},  // 14
	}
}
