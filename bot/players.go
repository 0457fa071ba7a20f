package bot

// The players by their names on the wire, for ever.
const (
	Random = "random" // any move is as good as any other
	Easy   = "easy"   // overlooks much, but nothing that would look foolish
	Greedy = "greedy" // plans its own turn
	Ahead  = "ahead"  // plans its own turn, and asks what the others make of it
)

// Players are all players, from the weakest to the strongest.
func Players() []string { return []string{Random, Easy, Greedy, Ahead} }

// chooser is how a player chooses: the moves it considered, the one it makes
// first. Whoever is to act has a move.
type chooser[S, M comparable] func(*mind[S, M]) []choice[M]

// choice is a move, and what it is worth where that was asked.
type choice[M comparable] struct {
	move   M
	worth  float64
	judged bool
}

// find is the way in which a player chooses; nil where there is no such player.
func find[S, M comparable](player string) chooser[S, M] {
	switch player {
	case Random:
		return random[S, M]
	case Easy:
		return easy[S, M]
	case Greedy:
		return greedy[S, M]
	case Ahead:
		return ahead[S, M]
	}
	return nil
}

// random takes any move.
func random[S, M comparable](m *mind[S, M]) []choice[M] {
	moves := m.moves()
	return []choice[M]{{move: moves[m.rng.IntN(len(moves))]}}
}
