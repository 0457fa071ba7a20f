package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// near fails where two numbers differ by more than the last digit that is written.
func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.Abs(got-want) > by {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// TestTheWinnerOfTwo is computed by hand. Two newcomers, μ = 1500: σ² = 250² + 6² = 62536,
// c² = 173.7178² + 2 · 62536/2 = 30177.9 + 62536 = 92713.9, c = 304.490.
// Each has p = 1/2. The winner is drawn from both: Ω = 1 − 1/2 = 1/2, Δ = 1/4; the loser
// could have been drawn then (Ω = −1/2, Δ = 1/4), and is then alone (p = 1: Ω + 0, Δ + 0).
// μ moves by 62536/304.490 · 1/2 = 102.690; σ² is left at 1 − 62536/92713.9/4 = 0.831374,
// σ = √(62536 · 0.831374) = 228.015.
func TestTheWinnerOfTwo(t *testing.T) {
	after := After(1, []Player{{Rating: Start()}, {Rating: Start()}}, []int{1, 2})
	near(t, "the winner", after[0].Mean, 1602.69, 0.005)
	near(t, "the loser", after[1].Mean, 1397.31, 0.005)
	near(t, "their spread", after[0].Spread, 228.01, 0.005)
	near(t, "their spread", after[1].Spread, 228.01, 0.005)
}

// TestATieOfEqualsMovesNobody: both share rank 1, so each term counts half. For i:
// q = i gives (1 − 1/2)/2, q = the other −(1/2)/2: Ω = 0. Δ = 2 · (1/4)/2 = 1/4 as for a win.
func TestATieOfEqualsMovesNobody(t *testing.T) {
	after := After(1, []Player{{Rating: Start()}, {Rating: Start()}}, []int{1, 1})
	for _, r := range after {
		near(t, "the mean", r.Mean, 1500, 0)
		near(t, "the spread", r.Spread, 228.01, 0.005)
	}
}

// TestThreeInARow is computed by hand with β = 0 and c = 1, where points are natural
// logarithms: strengths 1, 2 and 4 (μ = 0, ln 2, ln 4), σ² = 1/4, ranks 1, 2, 3.
//
//	first:  p = 1/7.             Ω = 6/7 = 0.857143.            Δ = 1/7 · 6/7 = 0.122449
//	second: p = 2/7, then 2/6.   Ω = −2/7 + 2/3 = 0.380952.     Δ = 10/49 + 2/9 = 0.426304
//	third:  p = 4/7, 4/6, 4/4.   Ω = −4/7 − 2/3 + 0 = −1.238095. Δ = 12/49 + 2/9 = 0.467120
//
// μ moves by Ω/4; σ² is left at 1 − Δ/4.
func TestThreeInARow(t *testing.T) {
	before := []Rating{{0, 0.5}, {math.Log(2), 0.5}, {math.Log(4), 0.5}}
	after := plackettLuce(before, []int{1, 2, 3}, 1)
	for i, want := range []struct{ omega, delta float64 }{{0.857143, 0.122449}, {0.380952, 0.426304}, {-1.238095, 0.467120}} {
		near(t, fmt.Sprint("the mean of ", i), after[i].Mean-before[i].Mean, want.omega/4, 1e-6)
		near(t, fmt.Sprint("the variance of ", i), after[i].Spread*after[i].Spread, (1-want.delta/4)/4, 1e-6)
	}
}

// TestASharedSecondRank: as above with ranks 1, 2, 2: second and third are drawn from
// both, each term counting half, and there is no third draw.
//
//	second: −2/7, then half of (1 − 1/3) and half of −1/3: −2/7 + 1/6 = −0.119048. Δ = 10/49 + 2/9 = 0.426304
//	third:  −4/7, then half of (1 − 2/3) and half of −2/3: −4/7 − 1/6 = −0.738095
func TestASharedSecondRank(t *testing.T) {
	before := []Rating{{0, 0.5}, {math.Log(2), 0.5}, {math.Log(4), 0.5}}
	after := plackettLuce(before, []int{1, 2, 2}, 1)
	near(t, "the second", after[1].Mean-before[1].Mean, -0.119048/4, 1e-6)
	near(t, "its variance", after[1].Spread*after[1].Spread, (1-0.426304/4)/4, 1e-6)
	near(t, "the third", after[2].Mean-before[2].Mean, -0.738095/4, 1e-6)
}

// TestAnchorsStayWhereTheyAre: and whoever meets them moves further than by meeting
// somebody of whom nothing is known.
func TestAnchorsStayWhereTheyAre(t *testing.T) {
	a := For(Edition, "bosk", 1, 2)
	level := a.Player(5)
	with := After(1, []Player{{Rating: Rating{level.Mean, 100}}, level}, []int{1, 2})
	if with[1] != level.Rating {
		t.Errorf("a level has moved from %v to %v", level.Rating, with[1])
	}
	without := After(1, []Player{{Rating: Rating{level.Mean, 100}}, {Rating: Rating{level.Mean, 300}}}, []int{1, 2})
	if with[0].Mean <= without[0].Mean {
		t.Errorf("who beats an anchor has %v, who beats a stranger %v", with[0], without[0])
	}
}

// TestTheOrderOfSeatsDoesNotCount: whoever sits where, everybody's rating becomes the same.
func TestTheOrderOfSeatsDoesNotCount(t *testing.T) {
	players := []Player{{Rating: Rating{1300, 80}}, {Rating: Rating{1500, 300}}, {Rating{1620, 0}, true}, {Rating: Rating{1810, 50}}}
	ranks := []int{2, 1, 2, 4}
	want := After(1, players, ranks)
	for turn := range players {
		p, r := make([]Player, 4), make([]int, 4)
		for i := range p {
			p[i], r[i] = players[(i+turn)%4], ranks[(i+turn)%4]
		}
		got := After(1, p, r)
		for i := range p {
			if got[i] != want[(i+turn)%4] {
				t.Errorf("%d seats on: %v, not %v", turn, got[i], want[(i+turn)%4])
			}
		}
	}
}

// TestAnchorsRise: a level is never below the one before it, the mean is 1500, and the
// table says what it was measured with.
func TestAnchorsRise(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range anchors() {
		name := fmt.Sprint(a.Edition, a.Game, a.Version, a.Seats)
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		sum := 0.0
		for i, p := range a.Points {
			sum += p
			if i > 0 && p <= a.Points[i-1] {
				t.Errorf("%s: level %d has %v, level %d %v", name, i+1, p, i, a.Points[i-1])
			}
		}
		near(t, name+": the mean", sum/Levels, startMean, 0.51)
	}
	for _, one := range []struct {
		game           string
		version, seats int
		measured       bool
	}{{"bosk", 1, 2, true}, {"bosk", 9, 2, false}, {"nothing", 1, 3, false}} {
		if a := For(Edition, one.game, one.version, one.seats); a.Measured > 0 != one.measured || a.Seats != one.seats || a.Version != one.version {
			t.Errorf("%v: %+v", one, a)
		}
	}
}

// TestTheNearestMeasurement: under rules that were not measured the same size counts
// first, and the table says that it was not.
func TestTheNearestMeasurement(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		old, now := For(Edition, "treesociety", 5, seats), For(Edition, "treesociety", 9, seats)
		if now.Points != old.Points || now.Stretch != old.Stretch || old.Measured == 0 || now.Measured != 0 {
			t.Errorf("%d seats: %+v, and under new rules %+v", seats, old, now)
		}
	}
	if For(Edition, "treesociety", 5, 2).Points == For(Edition, "treesociety", 5, 4).Points {
		t.Error("two sizes are the same: this test says nothing")
	}
}

// TestAnIntervalInLevels: the levels nearest to the ends of the interval.
func TestAnIntervalInLevels(t *testing.T) {
	a := For(Edition, "nothing", 1, 2) // levels a hundred points apart, 1050 to 1950
	for _, one := range []struct {
		Rating
		least, most int
	}{{Rating{1600, 80}, 5, 8}, {Rating{1500, 300}, 1, 10}, {Rating{1050, 20}, 1, 1}, {Rating{3000, 20}, 10, 10}} {
		if least, most := a.Between(one.Rating); least != one.least || most != one.most {
			t.Errorf("%v is level %d to %d, not %d to %d", one.Rating, least, most, one.least, one.most)
		}
	}
}

// simulation is many people of known strength who play each other and the levels at
// tables of two to four, as Play now seats them.
type simulation struct {
	rng      *rand.Rand
	game     string
	version  int
	strength []float64
	rating   []Rating
	games    []int
}

func simulate(game string, version, people, games int) *simulation {
	s := &simulation{rng: rand.New(rand.NewPCG(1, 17)), game: game, version: version}
	for range people {
		s.strength = append(s.strength, 1500+200*s.rng.NormFloat64())
		s.rating, s.games = append(s.rating, Start()), append(s.games, 0)
	}
	for {
		waiting := []int{}
		for i, n := range s.games {
			if n < games {
				waiting = append(waiting, i)
			}
		}
		if len(waiting) == 0 {
			return s
		}
		s.play(waiting)
	}
}

// play seats one to four of those who still want to play, those of about the same
// rating, and bots of their strength at what is empty; and plays by the model.
func (s *simulation) play(waiting []int) {
	seats := 2 + s.rng.IntN(3)
	first := waiting[s.rng.IntN(len(waiting))]
	who := []int{first}
	for want := 1 + s.rng.IntN(seats); len(who) < want; {
		best, found := -1, false
		for range 20 { // the nearest of some who happen to be there
			i := waiting[s.rng.IntN(len(waiting))]
			there := false
			for _, w := range who {
				there = there || w == i
			}
			if !there && (!found || math.Abs(s.rating[i].Mean-s.rating[first].Mean) < math.Abs(s.rating[best].Mean-s.rating[first].Mean)) {
				best, found = i, true
			}
		}
		if !found {
			break
		}
		who = append(who, best)
	}
	a := For(Edition, s.game, s.version, seats)
	var players []Player
	var truth []float64
	for _, i := range who {
		players, truth = append(players, Player{Rating: s.rating[i]}), append(truth, s.strength[i])
	}
	for len(players) < seats {
		bot := a.Player(a.Near(s.rating[first].Mean))
		players, truth = append(players, bot), append(truth, bot.Mean)
	}
	ranks := make([]int, seats)
	for place := 1; place <= seats; place++ {
		sum := 0.0
		for i, r := range ranks {
			if r == 0 {
				sum += math.Exp((truth[i] - 1500) / scale / a.Stretch)
			}
		}
		x := s.rng.Float64() * sum
		for i, r := range ranks {
			if r != 0 {
				continue
			}
			if x -= math.Exp((truth[i] - 1500) / scale / a.Stretch); x < 0 {
				ranks[i] = place
				break
			}
		}
	}
	for i := range ranks { // what rounding has left over
		if ranks[i] == 0 {
			ranks[i] = seats
		}
	}
	after := After(a.Stretch, players, ranks)
	for i, person := range who {
		s.rating[person] = after[i]
		s.games[person]++
	}
}

// TestPeopleOfKnownStrengthAreFound: after 30 games a rating is within 100 points in
// at least 85 of 100 cases, people 200 points apart are in order in at least 95 of
// 100, and the interval holds the truth about as often as it says.
func TestPeopleOfKnownStrengthAreFound(t *testing.T) {
	for _, one := range []struct {
		game    string
		version int
	}{{"bosk", 1}, {"grandbois", 1}, {"treesociety", 5}} {
		t.Run(one.game, func(t *testing.T) { found(t, one.game, one.version) })
	}
}

func found(t *testing.T, game string, version int) {
	const people, games = 1000, 30
	s := simulate(game, version, people, games)
	within, inside, spread := 0, 0, 0.0
	for i, r := range s.rating {
		if math.Abs(r.Mean-s.strength[i]) <= 100 {
			within++
		}
		if r.Least() <= s.strength[i] && s.strength[i] <= r.Most() {
			inside++
		}
		spread += r.Spread / people
	}
	pairs, ordered := 0, 0
	for i := range s.rating {
		for j := range i {
			if apart := s.strength[i] - s.strength[j]; math.Abs(apart) >= 190 && math.Abs(apart) <= 210 {
				pairs++
				if (s.rating[i].Mean > s.rating[j].Mean) == (apart > 0) {
					ordered++
				}
			}
		}
	}
	share := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
	t.Logf("%s, %d people, %d games each: within 100 points %.1f of 100, 200 apart in order %.1f of 100 (%d pairs), interval holds %.1f of 100, spread %.0f",
		game, people, games, share(within, people), share(ordered, pairs), pairs, share(inside, people), spread)
	if share(within, people) < 85 {
		t.Error("fewer than 85 of 100 are within 100 points")
	}
	if share(ordered, pairs) < 95 {
		t.Error("fewer than 95 of 100 pairs are in order")
	}
	if in := share(inside, people); in < 92 || in > 98.5 {
		t.Error("an interval that is said to hold 95 of 100 does not")
	}
}
