package bot

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// bushes is a game of one choice: seat 0 picks a bush, chance says what grows on
// it, and the game is over. A bush bears a list of totals of the seats, all equally
// likely, and everyone knows the list.
type bushes struct {
	game.Playable[picked, int]
	seats int
	bears [][][game.MaxSeats]game.Points // by bush
	count map[int]int                    // how often each bush was picked
}

// picked is the bush, from 1, and which of its fruits, from 1.
type picked struct{ bush, fruit int }

func (g bushes) Seats() int         { return g.seats }
func (g bushes) Turn(s *picked) int { return min(s.bush, 1) }
func (g bushes) ToAct(s *picked) game.Seat {
	switch {
	case s.bush == 0:
		return 0
	case s.fruit == 0:
		return game.Chance
	}
	return game.None
}

func (g bushes) Moves(s *picked, _ game.Seat, buf []int) []int {
	n := len(g.bears)
	if s.bush != 0 {
		n = len(g.bears[s.bush-1])
	}
	for i := range n {
		buf = append(buf, i+1)
	}
	return buf
}
func (g bushes) Odds(*picked, int) int { return 1 }
func (g bushes) Play(s *picked, seat game.Seat, m int, _ *game.Log) {
	if seat == game.Chance {
		s.fruit = m
		return
	}
	s.bush = m
	g.count[m]++
}
func (g bushes) Imagine(*picked, game.Seat, *rand.Rand) {}
func (g bushes) Standing(s *picked) game.Standing {
	st := game.Standing{Over: true}
	for seat, total := range g.bears[s.bush-1][s.fruit-1] {
		st.Seats[seat].Total = total
	}
	st.RankBy(g.seats, func(a, b game.Seat) bool { return st.Seats[a].Total > st.Seats[b].Total })
	return st
}

// sure is a bush that always bears the same.
func sure(totals ...game.Points) [][game.MaxSeats]game.Points {
	var all [game.MaxSeats]game.Points
	copy(all[:], totals)
	return [][game.MaxSeats]game.Points{all}
}

// pick has flat choose, and gives the bush and how often it picked each.
func pick(seats, n int, bears ...[][game.MaxSeats]game.Points) (int, map[int]int) {
	g := bushes{seats: seats, bears: bears, count: map[int]int{}}
	return flat(newMind(context.Background(), g, game.Record[picked, int]{}, "hazel"), n)[0].move, g.count
}

// TestPlayoutsAreSharedByHalving: of five moves three rounds are needed; of 90
// playouts each round has 30: six for each of five, ten for each of the better
// three, fifteen for each of the better two.
func TestPlayoutsAreSharedByHalving(t *testing.T) {
	bears := [][][game.MaxSeats]game.Points{sure(1, 5), sure(2, 5), sure(9, 5), sure(8, 5), sure(7, 5)}
	got, count := pick(2, 90, bears...)
	if want := map[int]int{1: 6, 2: 6, 3: 31, 4: 31, 5: 16}; got != 3 || !sameCount(count, want) {
		t.Errorf("picks %d after %v, wants 3 after %v", got, count, want)
	}
	// With one playout each move has one in every round in which it is left.
	got, count = pick(2, 1, bears...)
	if want := map[int]int{1: 1, 2: 1, 3: 3, 4: 3, 5: 2}; got != 3 || !sameCount(count, want) {
		t.Errorf("with one playout: picks %d after %v, wants 3 after %v", got, count, want)
	}
	// Where there is nothing to choose, nothing is played out.
	if got, count = pick(2, 90, sure(1, 5)); got != 1 || len(count) != 0 {
		t.Errorf("the only move: picks %d after %v", got, count)
	}
}

func sameCount(a, b map[int]int) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// TestWhatAPlayoutBrings: a share of the win counts more than any margin; of two
// wins the clearer is better, of two losses the closer; of equals the first.
func TestWhatAPlayoutBrings(t *testing.T) {
	for _, c := range []struct {
		name  string
		seats int
		bears [][][game.MaxSeats]game.Points
		want  int
	}{
		{"a narrow win before a close loss", 2, [][][game.MaxSeats]game.Points{sure(50, 51), sure(2, 1)}, 2},
		{"the clearer win", 2, [][][game.MaxSeats]game.Points{sure(5, 4), sure(6, 4), sure(5, 4)}, 2},
		{"the closer loss", 2, [][][game.MaxSeats]game.Points{sure(1, 9), sure(1, 9), sure(8, 9)}, 3},
		{"alone before shared", 2, [][][game.MaxSeats]game.Points{sure(5, 5), sure(5, 4)}, 2},
		{"shared by two before shared by three", 3, [][][game.MaxSeats]game.Points{sure(5, 5, 5), sure(5, 5, 4)}, 2},
		{"the lead is over the best other", 3, [][][game.MaxSeats]game.Points{sure(9, 8, 1), sure(9, 7, 7)}, 2},
		{"others may all be below zero", 3, [][][game.MaxSeats]game.Points{sure(1, -8, -9), sure(1, -9, -9)}, 2},
		{"of equals the first", 2, [][][game.MaxSeats]game.Points{sure(4, 5), sure(6, 5), sure(6, 5), sure(6, 5)}, 2},
		{"half the wins before none", 2, [][][game.MaxSeats]game.Points{sure(9, 10), {{9, 0}, {0, 9}}}, 2},
	} {
		if got, _ := pick(c.seats, 400, c.bears...); got != c.want {
			t.Errorf("%s: picks %d, wants %d", c.name, got, c.want)
		}
	}
	var st game.Standing
	for seat, total := range []game.Points{7, 7, 4} {
		st.Seats[seat].Total = total
	}
	st.RankBy(3, func(a, b game.Seat) bool { return st.Seats[a].Total > st.Seats[b].Total })
	if got := []int64{reward(&st, 3, 0), reward(&st, 3, 1), reward(&st, 3, 2)}; !slices.Equal(got, []int64{6000, 6000, -36}) {
		t.Errorf("two share a win by 7 to 7 to 4: rewards %v in parts of %d, want 1/2, 1/2 and -3/1000", got, rewardParts)
	}
}

// TestPlayoutsLeaveOutWhatANarrowerDoes: flat may pick such a move, but its
// playouts never do.
func TestPlayoutsLeaveOutWhatANarrowerDoes(t *testing.T) {
	b := basket{fruits: 3, narrow: true, worth: map[uint32]float64{}, asked: map[uint32]int{}}
	var s picks
	f := newFlatter(newMind(context.Background(), b, game.Begin(b, &s, 0), "hazel"))
	if moves := f.moves(); !slices.Equal(moves, []int{0, 1, 2, stop}) {
		t.Errorf("moves %v", moves)
	}
	seen := uint32(0)
	for range 50 {
		f.playout(1)
		seen |= f.s.set
	}
	if seen != 0b110 {
		t.Errorf("fruits %03b came into 50 baskets", seen)
	}
	f.playout(0)
	if f.s.set&1 == 0 {
		t.Error("the move itself was left out")
	}
}

// TestFlatKeepsCountWhenTimeIsUp: a round cut short does not count.
func TestFlatKeepsCountWhenTimeIsUp(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	g := bushes{seats: 2, bears: [][][game.MaxSeats]game.Points{sure(1, 5), sure(9, 5)}, count: map[int]int{}}
	if got := flat(newMind(stopped, g, game.Record[picked, int]{}, ""), 100)[0].move; got != 1 || len(g.count) > 0 {
		t.Errorf("without any time: picks %d after %v", got, g.count)
	}
}

func TestNamesOfPlayers(t *testing.T) {
	for _, name := range append(Players(), "flat:1", "flat:200", "flat:1000000", "ismcts:1", "ismcts:1000000") {
		if err := Known(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, key := range map[string]string{
		"": "bot.player", "Random": "bot.player", "flat": "bot.player", "level:11": "bot.player", "greedy ": "bot.player",
		"flat:": "bot.playouts", "flat:0": "bot.playouts", "flat:x": "bot.playouts", "flat:-5": "bot.playouts", "flat:+5": "bot.playouts",
		"flat:007": "bot.playouts", "flat:1e3": "bot.playouts", "flat:1000001": "bot.playouts", "flat:99999999": "bot.playouts",
		"flat:99999999999999999999": "bot.playouts", "flat: 5": "bot.playouts", "flat:5:5": "bot.playouts",
		"ismcts": "bot.player", "ismcts:": "bot.playouts", "ismcts:0": "bot.playouts", "ismcts:1000001": "bot.playouts",
	} {
		var fault *game.Fault
		if err := Known(name); !errors.As(err, &fault) || fault.Key != key {
			t.Errorf("%q: %v, wants %s", name, err, key)
		}
	}
}

// TestPlayoutsAllocateNothing, with a Sampler and without, with hidden things and
// without.
func TestPlayoutsAllocateNothing(t *testing.T) {
	allocates(t, bosk.Game())
	allocates(t, grandbois.Game())
	allocates(t, treesociety.Game())
	allocates(t, gametest.Tiny())
}

func allocates[S, M comparable](t *testing.T, def game.Definition[S, M]) {
	t.Helper()
	f, moves := flatterAt(t, def, 2, func(r game.Rules[S, M], s *S) bool { return r.ToAct(s) >= 0 })
	for range 300 { // until lists are about as long as they ever will be
		f.playout(moves[0])
	}
	if n := testing.AllocsPerRun(200, func() { f.playout(moves[0]) }); n != 0 {
		t.Errorf("%s: %v allocations a playout", def.Name, n)
	}
}

// flatterAt plays at random until a position is as wanted.
func flatterAt[S, M comparable](t testing.TB, def game.Definition[S, M], seats int, wanted func(game.Rules[S, M], *S) bool) (*flatter[S, M], []M) {
	t.Helper()
	r, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	s := r.Start()
	for !wanted(r, &s) {
		moves := r.Moves(&s, r.ToAct(&s), nil)
		r.Play(&s, r.ToAct(&s), moves[rng.IntN(len(moves))], nil)
	}
	seat := r.ToAct(&s)
	m := newMind(context.Background(), r, game.Begin(r, &s, seat), "bench")
	return newFlatter(m), m.moves()
}

// BenchmarkPlayouts makes playouts as flat does: imagine, a move, random to the
// end, the reward. Bosk from the start of autumn, when all trees are planted and
// the wind board lies; GrandBois from its first placement and from its middle;
// Tree Society from its first sale.
func BenchmarkPlayouts(b *testing.B) {
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("bosk-autumn-%d-seats", seats), func(b *testing.B) {
			rate(b, bosk.Game(), seats, 8*seats+1)
		})
	}
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("grandbois-start-%d-seats", seats), func(b *testing.B) {
			rate(b, grandbois.Game(), seats, 0)
		})
	}
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("grandbois-middle-%d-seats", seats), func(b *testing.B) {
			rate(b, grandbois.Game(), seats, 18)
		})
	}
	for seats := 2; seats <= 4; seats++ {
		b.Run(fmt.Sprintf("treesociety-start-%d-seats", seats), func(b *testing.B) {
			rate(b, treesociety.Game(), seats, 0)
		})
	}
}

// rate measures playouts from where so many turns are done.
func rate[S, M comparable](b *testing.B, def game.Definition[S, M], seats, turns int) {
	f, moves := flatterAt(b, def, seats, func(r game.Rules[S, M], s *S) bool { return r.Turn(s) >= turns && r.ToAct(s) >= 0 })
	n := 0
	gametest.Rate(b, "playout", func() {
		f.playout(moves[n%len(moves)])
		n++
	})
}
