package treesociety

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"copse/bot"
	"copse/game"
)

// straight is a straight line through points.
type straight struct{ n, x, y, xx, xy float64 }

func (l *straight) add(x, y float64) {
	l.n, l.x, l.y, l.xx, l.xy = l.n+1, l.x+x, l.y+y, l.xx+x*x, l.xy+x*y
}

func (l *straight) slope() float64 { return (l.xy - l.x*l.y/l.n) / (l.xx - l.x*l.x/l.n) }

// TestSoMuchComesTrue plays games by a level and compares what everyone expected to gain
// until the end, turn by turn, with what they gained.
func TestSoMuchComesTrue(t *testing.T) {
	t.Parallel()
	var lines [4]straight
	for n := range 100 {
		hoped(t, n, func(rounds, expects, gains float64) {
			lines[min(len(lines)-1, int(rounds)/2)].add(expects, gains)
		})
	}
	for i := range lines {
		if got, want := lines[i].slope(), comesTrue(float64(2*i)); math.Abs(got-want) > 0.12 {
			t.Errorf("%d rounds before the end %.2f of what is expected comes true, and not %.2f", 2*i, got, want)
		}
	}
}

// hoped plays a game of two, and tells at the end what each expected to gain whenever
// a turn began, and what it gained.
func hoped(t *testing.T, number int, tell func(rounds, expects, gains float64)) {
	t.Helper()
	type hope struct {
		seat                int
		rounds, has, expect float64
	}
	thinker := bot.Of(Game())
	p, err := thinker.Start(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	r, rng, turn := New(2, DefaultBox(), UsualOptions()), rand.New(rand.NewPCG(uint64(number), 3)), -1
	s := r.Start()
	var hopes []hope
	for p.ToAct() != game.None {
		seat := p.ToAct()
		if now := r.Turn(&s); seat != game.Chance && now != turn {
			turn = now
			rounds, st := r.roundsLeft(&s), r.Standing(&s)
			for i, score := range st.Seats[:2] {
				hopes = append(hopes, hope{i, rounds, float64(score.Total), r.expect(&s, game.Seat(i), rounds)})
			}
		}
		line := []game.RawMessage{}
		if seat == game.Chance {
			line = append(line, r.AppendMove(nil, game.Outcome(r, &s, r.Moves(&s, seat, nil), rng)))
		} else {
			thought, err := thinker.Think(context.Background(), p, bot.Ask{Player: "level:4", Seed: strconv.Itoa(number)})
			if err != nil {
				t.Fatal(err)
			}
			line = thought.Line
		}
		for _, raw := range line {
			if p, _, err = p.Play(seat, raw); err != nil {
				t.Fatal(err)
			}
			move, err := r.ReadMove(raw)
			if err != nil {
				t.Fatal(err)
			}
			r.Play(&s, seat, move, nil)
		}
	}
	st := r.Standing(&s)
	for _, h := range hopes {
		tell(h.rounds, h.expect-h.has, float64(st.Seats[h.seat].Total)-h.has)
	}
}
