package game

// Level is what was measured of one of the levels of play in a game: how it fares
// at a table of two.
type Level struct {
	Against string // who sat opposite: a reference player or a lower level, by the name on the wire
	Wins    int    // games of a hundred that the level won, half of each tie
}
