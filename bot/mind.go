package bot

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"copse/game"
)

// mind is one player thinking about one move: what it sees, the worlds that it
// imagines behind that, and how much it has looked at so far.
type mind[S, M comparable] struct {
	rules    game.Playable[S, M]
	valuer   game.Valuer[S]
	narrower game.Narrower[S, M] // nil where the game has none
	seat     game.Seat
	record   game.Record[S, M]
	view     S // the view at the end of the record

	believes bool      // worlds are weighed by what was heard, and not imagined evenly
	known    []S       // every world that the view may be of, where the game lists them; see believed
	odds     []float64 // how likely each is

	seed  string
	rng   *rand.Rand
	fate  uint64   // where the chance of imagined worlds comes from
	luck  uint64   // where the chance of the world that is looked at comes from
	draws rand.PCG // the numbers made from luck, turn by turn

	clock
	looked int // positions whose worth was asked
	played int // games played on

	plan   plan[S, M]
	buf    []M                    // outcomes of chance
	totals [game.MaxSeats]float64 // that are forecast

	netSum uint32                     // the sum of the net that judges; 0 for none
	pieces int                        // into how many errands work is divided
	helped func([]errand[M]) []report // does errands; nil where nobody helps
}

func newMind[S, M comparable](ctx context.Context, rules game.Playable[S, M], rec game.Record[S, M], seed string) *mind[S, M] {
	m := &mind[S, M]{rules: rules, seat: rec.Seat, record: rec, view: rec.Now(rules), seed: seed, clock: newClock(ctx)}
	m.rng = rand.New(numbers(seed, rules.Turn(&m.view)))
	m.fate = m.rng.Uint64()
	m.narrower, _ = rules.(game.Narrower[S, M])
	if v, ok := rules.(game.Valuer[S]); ok {
		m.valuer = v
	} else {
		m.valuer = margin[S, M]{rules}
	}
	return m
}

// from goes back to the end of a record.
func (m *mind[S, M]) from(rec game.Record[S, M]) {
	m.record, m.view = rec, rec.Now(m.rules)
	m.known, m.odds = nil, nil
}

// moves are those of the seat, in the order of the rules.
func (m *mind[S, M]) moves() []M { return m.rules.Moves(&m.view, m.seat, nil) }

// sensible appends the moves of seat to buf that the game says are worth looking
// at; all of them where it says nothing.
func (m *mind[S, M]) sensible(s *S, seat game.Seat, buf []M) []M {
	buf = m.rules.Moves(s, seat, buf)
	if m.narrower != nil {
		buf = m.narrower.Narrow(s, seat, buf)
	}
	return buf
}

// worlds are positions that the view may be a view of, at most so many. Where
// nothing is hidden there is one.
func (m *mind[S, M]) worlds(most int) []S {
	worlds := make([]S, 0, most)
	for range most {
		w := m.view
		m.rules.Imagine(&w, m.seat, m.rng)
		worlds = append(worlds, w)
	}
	for _, w := range worlds[1:] {
		if w != worlds[0] {
			return worlds
		}
	}
	return worlds[:1]
}

// believed lists every world that the view may be of, and how likely each is by
// what the seat has heard; none where the game does not list them.
func (m *mind[S, M]) believed() ([]S, []float64) {
	if b, ok := m.rules.(game.Believer[S, M]); ok && m.known == nil {
		m.known, m.odds = b.Believe(&m.record, nil, nil)
	}
	return m.known, m.odds
}

// enter makes world number w the one that is looked at.
func (m *mind[S, M]) enter(w int) { m.luck = m.fate + uint64(w) }

// worth is what a position is worth to a seat.
func (m *mind[S, M]) worth(s *S, seat game.Seat) float64 {
	m.looked++
	return m.valuer.Worth(s, seat)
}

// lead is how far the seat may expect to be ahead of the best other in the end; in
// a game that forecasts nothing, what the position is worth.
func (m *mind[S, M]) lead(s *S) float64 {
	f, ok := m.rules.(game.Forecaster[S])
	if !ok {
		return m.valuer.Worth(s, m.seat)
	}
	m.totals = [game.MaxSeats]float64{}
	f.Forecast(s, &m.totals)
	best := math.Inf(-1)
	for other, points := range m.totals[:m.rules.Seats()] {
		if game.Seat(other) != m.seat {
			best = max(best, points)
		}
	}
	return m.totals[m.seat] - best
}

// leaveToChance draws until a player is to act or the game is over. In the same
// turn of the same world the same numbers are drawn, so that two plans are
// compared by what they are and not by their luck.
func (m *mind[S, M]) leaveToChance(s *S) {
	if m.rules.ToAct(s) != game.Chance {
		return
	}
	m.draws.Seed(m.luck, uint64(m.rules.Turn(s)))
	for m.rules.ToAct(s) == game.Chance {
		m.buf = m.rules.Moves(s, game.Chance, m.buf[:0])
		m.rules.Play(s, game.Chance, game.Outcome(m.rules, s, m.buf, &m.draws), nil)
	}
}

// margin judges a game that does not judge itself: the lead over the best other if
// the game ended now.
type margin[S, M comparable] struct{ rules game.Rules[S, M] }

func (g margin[S, M]) Worth(s *S, seat game.Seat) float64 {
	st := g.rules.Standing(s)
	best, first := game.Points(0), true
	for other := range game.Seat(g.rules.Seats()) {
		if total := st.Seats[other].Total; other != seat && (first || total > best) {
			best, first = total, false
		}
	}
	return float64(st.Seats[seat].Total - best)
}

// clock tells when to stop thinking.
type clock struct {
	ctx      context.Context
	deadline time.Time
	limited  bool
	asked    int
	stopped  bool
}

func newClock(ctx context.Context) clock {
	deadline, limited := ctx.Deadline()
	return clock{ctx: ctx, deadline: deadline, limited: limited}
}

// limit has the clock stop after so long, if not before.
func (c *clock) limit(most time.Duration) {
	if end := time.Now().Add(most); !c.limited || end.Before(c.deadline) {
		c.deadline, c.limited = end, true
	}
}

// often is how many times stop is called for each look at the clock.
const often = 16

// stop tells whether time is up. It looks at the deadline itself and does not leave
// that to the context, whose timer cannot run where there is only one thread.
func (c *clock) stop() bool {
	if !c.stopped && c.asked%often == 0 {
		c.stopped = c.ctx.Err() != nil || c.limited && !time.Now().Before(c.deadline)
	}
	c.asked++
	return c.stopped
}
