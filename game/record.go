package game

import (
	"slices"
)

// Record is a game as one seat lived it: what it saw at first, and every move since
// as it heard it. It is all that a bot or a page gets. After a move that Reveals it
// begins anew.
type Record[S, M comparable] struct {
	Seat  Seat
	First S
	Then  []Heard[M]
}

// Heard is a move and who made it.
type Heard[M comparable] struct {
	By   Seat
	Move M
}

// Begin begins the record of a seat, or of a watcher, at position s.
func Begin[S, M comparable](r Rules[S, M], s *S, seat Seat) Record[S, M] {
	rec := Record[S, M]{Seat: seat}
	r.See(s, seat, &rec.First)
	return rec
}

// Hear adds a move that was made in position before and led to after.
func (rec *Record[S, M]) Hear(r Rules[S, M], before, after *S, by Seat, m M) {
	if r.Reveals(before, m) {
		*rec = Begin(r, after, rec.Seat)
		return
	}
	rec.Then = append(rec.Then, Heard[M]{By: by, Move: Hear(r, m, by, rec.Seat)})
}

// Now is the view to which the record has come.
func (rec *Record[S, M]) Now(r Rules[S, M]) S {
	s := rec.First
	for _, h := range rec.Then {
		r.Play(&s, h.By, h.Move, nil)
	}
	return s
}

// Recall is what a seat has lived through on the way to p, with its types, for
// players that think in them. It is the only way back to the types, and it gives a
// record and nothing else: whoever thinks for a seat cannot know more than the
// seat. It tells whether the position is of a game with these types.
func Recall[S, M comparable](p Position, seat Seat) (r Playable[S, M], rec Record[S, M], ok bool) {
	typed, ok := p.(*position[S, M])
	if !ok {
		return nil, rec, false
	}
	return typed.rules, recall(typed, seat), true
}

// RulesOf is the rules of a position with their types, and nothing of the position. It
// tells whether it is of a game with these types.
func RulesOf[S, M comparable](p Position) (r Playable[S, M], ok bool) {
	typed, ok := p.(*position[S, M])
	if !ok {
		return nil, false
	}
	return typed.rules, true
}

// recall goes the way to a position once more, as a seat heard it.
func recall[S, M comparable](p *position[S, M], seat Seat) Record[S, M] {
	var way []*step[M]
	for at := p.last; at != nil; at = at.before {
		way = append(way, at)
	}
	s := *p.first
	rec := Begin(p.rules, &s, seat)
	for _, step := range slices.Backward(way) {
		before := s
		p.rules.Play(&s, step.by, step.move, nil)
		rec.Hear(p.rules, &before, &s, step.by, step.move)
	}
	return rec
}

// HeardMove is a move as somebody heard it, its types forgotten.
type HeardMove struct {
	By   Seat       `json:"seat"`
	Move RawMessage `json:"move"`
}
