package treesociety

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// TestViewsWhileTheGuildMarketIsFilled reads every view back that is shown while
// chance fills a market that the next clause replaces again.
func TestViewsWhileTheGuildMarketIsFilled(t *testing.T) {
	for _, clauses := range []string{
		`{"verb":"refresh","rows":2},{"verb":"refresh","rows":1}`,
		`{"verb":"refresh","rows":2},{"verb":"refresh","rows":2}`,
		`{"verb":"refresh","rows":1},{"verb":"refresh","rows":2},{"verb":"refresh","rows":1}`,
	} {
		r := plainRules(t, 2, do(14, 1, clauses))
		s := picture(t, r, rich)
		play(t, r, &s, "found 14", "use")
		rng := rand.New(rand.NewPCG(1, 1))
		for s.job.stage == doing {
			raw, err := json.Marshal(r.ViewJSON(&s))
			if err != nil {
				t.Fatal(err)
			}
			if back, err := r.ReadView(raw); err != nil || back != s {
				t.Fatalf("%s: the view is not read back: %v\n%s", clauses, err, r.draw(&s))
			}
			by := r.ToAct(&s)
			list := r.Moves(&s, by, nil)
			m := list[rng.IntN(len(list))]
			for m.do() == Discard {
				m = list[rng.IntN(len(list))]
			}
			r.Play(&s, by, m, nil)
		}
	}
}

// TestTheCardOfAnEffectIsNotLikeAnother discards two completed cards, of which the
// second may not be the card itself: so the first must be.
func TestTheCardOfAnEffectIsNotLikeAnother(t *testing.T) {
	r := plainRules(t, 2, do(17, 3, `{"verb":"discard","from":"completed"},{"verb":"discard","from":"completed","other":true}`))
	s := picture(t, r, `
0: purse 30 row 16 31 progress 17/2 completed 16
1: purse 1 chest 1 row 2 17 32
market 5 14 26 top 38 6 15
stall 3 18 33 46 61
turn 0 build sold 1`)
	play(t, r, &s, "raise 17")
	if s.job.stage != asked {
		t.Fatal("the effect can be done, by discarding the card itself first")
	}
	play(t, r, &s, "use", "discard 17", "discard 16")
	if s.job.stage != idle || !s.player[0].completed.empty() {
		t.Error("both are discarded")
	}
}
