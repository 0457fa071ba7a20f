package treesociety

import "copse/game"

// measured is how strong the levels of play were found to be, from 1 to 10, each
// against an opponent that says something about it, in as many games as stands
// beside it:
//
//	copse arena treesociety --players level:N,AGAINST --games GAMES --seed levels
//
// It was measured with the first printing of the deck (--box games/treesociety/box.json)
// and before the levels learned to value effects that last.
func measured() []game.Level {
	return []game.Level{
		{Against: "random", Wins: 100}, // 100
		{Against: "level:1", Wins: 68}, // 400
		{Against: "level:2", Wins: 71}, // 400
		{Against: "greedy", Wins: 37},  // 60
		{Against: "level:4", Wins: 71}, // 400
		{Against: "greedy", Wins: 67},  // 200
		{Against: "greedy", Wins: 77},  // 60
		{Against: "level:7", Wins: 60}, // 400
		{Against: "level:8", Wins: 64}, // 300
		{Against: "greedy", Wins: 98},  // 40
	}
}
