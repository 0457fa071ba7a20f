package treesociety

// What version 1 of the rules did otherwise, so that its games go the same way for
// ever. It took every card that was still to come for one of which nothing is
// known, fruit too, so that an effect lapsed whose sale was certain; it forgot
// that fruit which is put back fills the gaps of the market first, and lost
// guilds of which it knew nothing when their row was replaced once more; and it
// held that an empty chest cannot be emptied.
//
// Having forgotten the gaps, it let a seat begin what could not be finished. Then
// nothing was allowed at all, and no log goes on from there. So that such a game
// can be finished, skip gives up the rest of the effect there and nowhere else.

// answerFirst does what a move does that answers a choice in the middle of a job.
func (r *Rules) answerFirst(s *Position, m Move) {
	if m.do() != Take {
		r.answer(s, m)
		return
	}
	r.answered(s)
	for i, id := range s.stall {
		if id != m.id() {
			continue
		}
		s.stall[i] = 0
		if id != nameless {
			r.own(s.me(), id)
		}
		if !s.orchard.empty() { // something will lie there
			s.orchard.remove(s.orchard.lowest())
			s.stall[i] = nameless
		}
		return
	}
}

// stuck tells whether version 1 leaves nothing to do in the middle of an effect.
func (r *Rules) stuck(s *Position) bool {
	var room [256]Move
	return r.version == 1 && s.phase == building && s.need == needNone && s.job.stage > asked && len(r.doable(s, room[:0])) == 0
}

// giveUp ends an effect that version 1 cannot finish. Fruit that it has revealed
// goes back.
func (r *Rules) giveUp(s *Position) {
	if r.showsFruit(s) {
		putBack(s, &s.orchard)
	} else {
		putBack(s, &s.deck)
	}
	s.acting, s.job = noAction, job{}
}
