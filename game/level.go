package game

// Level is the measured strength of one of the levels of play in a game, at a table
// of two.
type Level struct {
	Against string // who sat opposite: a reference player or a lower level, by the name on the wire
	Wins    int    // games of a hundred that the level won; a tie counts half
}
