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
		{Against: "level:3", Wins: 68},   // 400
		{Against: "level:4", Wins: 63},   // 400
		{Against: "level:5", Wins: 65},   // 400
		{Against: "level:6", Wins: 64},   // 400, --seed levels11
		{Against: "level:7", Wins: 60},   // 400, --seed levels11
		{Against: "level:8", Wins: 66},   // 400, --seed levels10
		{Against: "flat:2000", Wins: 91}, // 80
	}
}
