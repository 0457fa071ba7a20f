package bosk

import "copse/game"

// levels is how strong the levels of play were found to be, from 1 to 10, each
// against an opponent that says something about it, in as many games as stands
// beside it:
//
//	copse arena bosk --players level:N,AGAINST --games GAMES --seed levels
func levels() []game.Level {
	return []game.Level{
		{Against: "random", Wins: 99},    // 300
		{Against: "greedy", Wins: 22},    // 200
		{Against: "greedy", Wins: 40},    // 300
		{Against: "greedy", Wins: 54},    // 300
		{Against: "greedy", Wins: 61},    // 230
		{Against: "greedy", Wins: 77},    // 300
		{Against: "greedy", Wins: 87},    // 200
		{Against: "flat:2000", Wins: 76}, // 34
		{Against: "level:8", Wins: 55},   // 84
		{Against: "flat:2000", Wins: 91}, // 80
	}
}
