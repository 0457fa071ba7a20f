package treesociety

import "copse/game"

// measured is how strong the levels of play were found to be, from 1 to 10, each
// against an opponent that says something about it, in as many games as stands
// beside it:
//
//	copse arena treesociety --players level:N,AGAINST --games GAMES --seed levels5
//
// It was measured with the third printing of the deck; levels 1 to 3, and 10, with the
// seed levels.
func measured() []game.Level {
	return []game.Level{
		{Against: "random", Wins: 100}, // 300
		{Against: "level:1", Wins: 61}, // 400
		{Against: "level:2", Wins: 60}, // 400
		{Against: "level:3", Wins: 58}, // 400
		{Against: "level:4", Wins: 59}, // 400
		{Against: "level:5", Wins: 62}, // 400
		{Against: "level:6", Wins: 58}, // 400, --seed levels11
		{Against: "level:7", Wins: 74}, // 400, --seed levels11
		{Against: "level:8", Wins: 59}, // 800, --seed levels10 and levels11
		{Against: "greedy", Wins: 98},  // 60
	}
}
