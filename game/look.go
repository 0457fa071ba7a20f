package game

// Look is a position as seat sees it, its types remembered, for those who think
// in them. It is the only way back to the types, and nothing but a view comes
// through it: whoever thinks for a seat cannot know more than the seat. It tells
// whether the position is of a game with these types.
func Look[S, M comparable](p Position, seat Seat) (r Playable[S, M], view S, ok bool) {
	typed, ok := p.(*position[S, M])
	if !ok {
		return nil, view, false
	}
	typed.rules.See(&typed.s, seat, &view)
	return typed.rules, view, true
}
