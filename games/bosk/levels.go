package bosk

import "copse/game"

// levels is how strong the levels of play were found to be, from 1 to 10, each
// against an opponent that says something about it, in 300 games (46 to 80 from
// level 7 on):
//
//	copse arena bosk --players level:N,AGAINST --games 300 --seed levels
func levels() []game.Level {
	return []game.Level{
		{Against: "random", Wins: 99},
		{Against: "greedy", Wins: 22},
		{Against: "greedy", Wins: 40},
		{Against: "greedy", Wins: 48},
		{Against: "greedy", Wins: 64},
		{Against: "greedy", Wins: 77},
		{Against: "greedy", Wins: 87},
		{Against: "flat:2000", Wins: 92},
		{Against: "flat:2000", Wins: 92},
		{Against: "flat:2000", Wins: 91},
	}
}
