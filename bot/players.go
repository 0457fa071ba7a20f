package bot

import "copse/game"

// The players by their names on the wire, for ever.
const (
	Random = "random" // makes any move
	Easy   = "easy"   // overlooks much, but makes no foolish move
	Greedy = "greedy" // plans its own turn
	Ahead  = "ahead"  // plans its own turn, and what the others would answer
)

// Players are the players that people meet, from the weakest to the strongest.
// Besides them there are flat:N, ismcts:N and veteran, references to measure against.
func Players() []string {
	return append([]string{Random, Easy, Greedy, Ahead}, levelNames()...)
}

// Known is nil where there is a player of that name; else a *game.Fault says which
// there are.
func Known(player string) error {
	_, err := find[struct{}, struct{}](player)
	return err
}

// chooser is how a player chooses: it gives the moves it considered, the one it
// makes first. The seat to act always has a move.
type chooser[S, M comparable] func(*mind[S, M]) []choice[M]

// choice is a move, and what it is worth where that was asked.
type choice[M comparable] struct {
	move      M
	line      []M     // the move and what would follow it in the turn; nil where only the move was thought of
	worth     float64 // in points of lead
	judged    bool    // worth was asked
	win       float64 // the chance to win
	playedOut bool    // games were played out, so win and worth are means over them
}

// moves is the line of a choice.
func (c *choice[M]) moves() []M {
	if len(c.line) == 0 {
		return []M{c.move}
	}
	return c.line
}

// find is the way in which a player chooses, or a *game.Fault where there is no
// such player.
func find[S, M comparable](player string) (chooser[S, M], error) {
	switch player {
	case Easy:
		return easy[S, M], nil
	case Ahead:
		return ahead[S, M], nil
	}
	if e, ok := level(player); ok {
		return func(m *mind[S, M]) []choice[M] { return search(m, e) }, nil
	}
	if choose, err := references[S, M](player); choose != nil || err != nil {
		return choose, err
	}
	known := []string{Random, Easy, Greedy, Ahead, levelPrefix + "N", flatPrefix + "N"}
	if ismctsOf[S, M]() != nil {
		known = append(known, ismctsPrefix+"N")
	}
	if veteranOf[S, M]("") != nil {
		known = append(known, Veteran)
	}
	return nil, game.Blame("bot.player", game.Args{"player": player, "known": known})
}

// random takes any move.
func random[S, M comparable](m *mind[S, M]) []choice[M] {
	moves := m.moves()
	return []choice[M]{{move: moves[m.rng.IntN(len(moves))]}}
}
