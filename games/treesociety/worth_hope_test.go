package treesociety

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"copse/bot"
	"copse/game"
)

// hopes fails unless the moves, by whoever is to act, have these prospects: whether
// something is gained or lost by them, key and arguments.
func hopes(t *testing.T, r *Rules, drawn, want string, moves ...string) {
	t.Helper()
	s := picture(t, r, drawn)
	before, seat := s, r.ToAct(&s)
	play(t, r, &s, moves...)
	after := s
	var got []string
	for _, p := range r.Prospects(&before, &s, seat) {
		args, err := json.Marshal(p.Args)
		if err != nil {
			t.Fatal(err)
		}
		sign := map[bool]string{true: "gains by", false: "loses by"}[p.Points > 0]
		if p.Points == 0 {
			sign = "has nothing of"
		}
		got = append(got, fmt.Sprintf("%s %s %s", sign, strings.TrimPrefix(p.Key, "treesociety.why."), args))
	}
	told(t, moves, got, want)
	if s != after {
		t.Errorf("%v: the position was changed", moves)
	}
}

// Cards 5 and 15 score 1, 2 and 4 on their levels.
func TestProspectsOfATurn(t *testing.T) {
	r := plainRules(t, 2)
	const rest = `
		1: purse 1 row 17 18
		market 5 14 26 top 38 6 29
		stall 3 19 46 47 61
		turn 0 build sold 1 used`
	for name, c := range map[string]struct {
		player string
		moves  []string
		want   string
	}{
		"founded": {`0: purse 9 row 16 31`, []string{"found 5"}, `
			gains by hope {"card":"architects 5","id":5}
			loses by purse {"coins":7}`},
		"raised": {`0: purse 9 row 16 31 progress 15/1`, []string{"raise 15"}, `
			gains by hope {"card":"bankers 2","id":15}
			loses by purse {"coins":6}`},
		"completed: that shows in the score": {`0: purse 9 row 16 31 progress 15/2`, []string{"raise 15"}, `
			loses by purse {"coins":5}`},
		"a fruit card taken": {`0: purse 2 row 16 31`, []string{"rest", "take 3"}, `
			gains by fruit {"fruit":3}`},
		"nothing": {`0: purse 2 row 16 31`, []string{"rest"}, ``},
	} {
		t.Run(name, func(t *testing.T) { hopes(t, r, c.player+rest, c.want, c.moves...) })
	}
}

// straight is a straight line through points.
type straight struct{ n, x, y, xx, xy float64 }

func (l *straight) add(x, y float64) {
	l.n, l.x, l.y, l.xx, l.xy = l.n+1, l.x+x, l.y+y, l.xx+x*x, l.xy+x*y
}

func (l *straight) slope() float64 { return (l.xy - l.x*l.y/l.n) / (l.xx - l.x*l.x/l.n) }

// TestSoMuchComesTrue plays games by a level and compares what everyone expected to gain
// until the end, turn by turn, with what they gained. How far off that may be say the games
// themselves, in eight parts.
func TestSoMuchComesTrue(t *testing.T) {
	t.Parallel()
	const parts, each = 8, 20
	var all [4]straight
	var lines [parts][4]straight
	for n := range parts * each {
		hoped(t, n, func(rounds, expects, gains float64) {
			i := min(len(all)-1, int(rounds)/2)
			all[i].add(expects, gains)
			lines[n%parts][i].add(expects, gains)
		})
	}
	for i := range all {
		got, want, square := all[i].slope(), comesTrue(float64(2*i)), 0.0
		for _, part := range lines {
			square += (part[i].slope() - got) * (part[i].slope() - got)
		}
		off := math.Sqrt(square / parts / (parts - 1))
		if math.Abs(got-want) > 0.05+2.5*off || off > 0.1 {
			t.Errorf("%d rounds before the end %.2f (± %.2f) of what is expected comes true, and not %.2f", 2*i, got, off, want)
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
