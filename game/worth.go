package game

// Valuer is for games that say what a position is worth to a seat, so that
// bots need not play it to its end to compare it with another. A worth is in
// points: the lead over the others that seat may expect at the end of the game,
// what it has now and what its position promises. Of two positions the better
// one has the higher worth; when the game is over nothing is expected any more.
//
// It is asked only of positions in which nothing is hidden, true or imagined,
// at any point of a turn. It searches nothing and allocates nothing.
type Valuer[S any] interface {
	Worth(s *S, seat Seat) float64
}

// ReferenceValuer is for games whose Worth is still tuned: the worth by which
// the reference player judges, the same for ever. Strength is measured against
// that player, so the worth it goes by must not grow with the players measured.
type ReferenceValuer[S any] interface {
	ReferenceWorth(s *S, seat Seat) float64
}
