package grandbois

import "copse/game"

// levels is how strong the levels of play were found to be, from 1 to 10, each
// against an opponent that says something about it, in 300 games (46 to 80 from
// level 7 on):
//
//	copse arena grandbois --players level:N,AGAINST --games 300 --seed levels
func levels() []game.Level {
	return []game.Level{
		{Against: "random", Wins: 99},
		{Against: "greedy", Wins: 16},
		{Against: "greedy", Wins: 33},
		{Against: "greedy", Wins: 49},
		{Against: "greedy", Wins: 58},
		{Against: "greedy", Wins: 81},
		{Against: "greedy", Wins: 87},
		{Against: "flat:2000", Wins: 68},
		{Against: "flat:2000", Wins: 77},
		{Against: "flat:2000", Wins: 85},
	}
}
