package bot

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// TestReasonsAddUp walks through random games of every game at every table: for
// some worlds and any line of the seat to act, the reasons lead to the hundredth
// from the lead as it stands to the margin, whatever that is, in declared words.
func TestReasonsAddUp(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		t.Run(fmt.Sprint("bosk", seats), func(t *testing.T) { addUp(t, bosk.Game(), seats) })
		t.Run(fmt.Sprint("grandbois", seats), func(t *testing.T) { addUp(t, grandbois.Game(), seats) })
		t.Run(fmt.Sprint("treesociety", seats), func(t *testing.T) { addUp(t, treesociety.Game(), seats) })
		t.Run(fmt.Sprint("tiny", seats), func(t *testing.T) { addUp(t, gametest.Tiny(), seats) })
	}
}

func addUp[S, M comparable](t *testing.T, def game.Definition[S, M], seats int) {
	t.Parallel()
	rules, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string][]string{}
	for _, p := range slices.Concat(def.Phrases, whyPhrases()) {
		declared[p.Key] = slices.Sorted(slices.Values(p.Args))
	}
	_, explains := rules.(game.Explainer[S])
	rng := rand.New(rand.NewPCG(3, uint64(seats)))
	told := 0
	for range 8 {
		for s := rules.Start(); rules.ToAct(&s) != game.None; {
			seat := rules.ToAct(&s)
			if seat == game.Chance {
				rules.Play(&s, seat, game.Outcome(rules, &s, rules.Moves(&s, seat, nil), rng), nil)
				continue
			}
			worlds, odds := guesses(rules, &s, seat, rng)
			line := randomLine(rules, &s, seat, rng)
			margin := 40*rng.Float64() - 20
			now, reasons := explain(rules, worlds, odds, seat, line, margin)
			if again, same := explain(rules, worlds, odds, seat, line, margin); now != again || !reflect.DeepEqual(reasons, same) {
				t.Fatalf("%v and %v, then %v and %v", now, reasons, again, same)
			}
			if want := meanLead(rules, worlds, odds, seat); math.Abs(now-want) > 0.0051 || now != hundredth(now) {
				t.Fatalf("the lead is %v, not %v", now, want)
			}
			told += len(reasons) - 1
			if last := len(reasons) - 1; last > mostReasons+mostProspects || reasons[last].Key != further || last > 0 && !explains {
				t.Fatalf("%v", reasons)
			}
			sum := 0
			for i, r := range reasons {
				sum += int(math.Round(100 * r.Points))
				if r.Points != hundredth(r.Points) || i < len(reasons)-1 && math.Abs(r.Points) < 0.05 {
					t.Fatalf("%v is no reason", r)
				}
				if got := slices.Sorted(maps.Keys(r.Args)); !slices.Equal(got, declared[r.Key]) {
					t.Fatalf("%s is told with %v, and declared with %v", r.Key, got, declared[r.Key])
				}
			}
			if want := int(math.Round(100*hundredth(margin))) - int(math.Round(100*now)); sum != want {
				t.Fatalf("from %v to %v it is %d hundredths, and %v are %d", now, margin, want, reasons, sum)
			}
			for _, m := range line {
				rules.Play(&s, seat, m, nil)
			}
		}
	}
	if explains && told == 0 {
		t.Error("no reason was ever told")
	}
}

// guesses are some worlds that look to seat like s, each with odds.
func guesses[S, M comparable](rules game.Playable[S, M], s *S, seat game.Seat, rng *rand.Rand) (worlds []S, odds []float64) {
	var view S
	rules.See(s, seat, &view)
	for range 5 {
		world := view
		rules.Imagine(&world, seat, rng)
		worlds, odds = append(worlds, world), append(odds, 0.1+5*rng.Float64())
	}
	return worlds, odds
}

// randomLine is a turn of seat, up to its end or to chance.
func randomLine[S, M comparable](rules game.Playable[S, M], from *S, seat game.Seat, rng *rand.Rand) (line []M) {
	s, turn := *from, rules.Turn(from)
	for rules.ToAct(&s) == seat && rules.Turn(&s) == turn {
		moves := rules.Moves(&s, seat, nil)
		m := moves[rng.IntN(len(moves))]
		rules.Play(&s, seat, m, nil)
		line = append(line, m)
	}
	return line
}

func meanLead[S, M comparable](rules game.Playable[S, M], worlds []S, odds []float64, seat game.Seat) float64 {
	sum, all := 0.0, 0.0
	for i := range worlds {
		st := rules.Standing(&worlds[i])
		best := math.Inf(-1)
		for other := range game.Seat(rules.Seats()) {
			if other != seat {
				best = max(best, float64(st.Seats[other].Total))
			}
		}
		sum += odds[i] * (float64(st.Seats[seat].Total) - best)
		all += odds[i]
	}
	return sum / all
}

// inWords is a reason a line: points, key and arguments.
func inWords(t *testing.T, reasons []game.Reason) (list []string) {
	t.Helper()
	for _, r := range reasons {
		args, err := json.Marshal(r.Args)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%+.2f %s %s", r.Points, r.Key, args))
	}
	return list
}

// read makes moves of JSON.
func read[S, M comparable](t *testing.T, rules game.Playable[S, M], moves ...string) (line []M) {
	t.Helper()
	for _, text := range moves {
		m, err := rules.ReadMove([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		line = append(line, m)
	}
	return line
}

// played is the position after moves of whoever is to act.
func played[S, M comparable](t *testing.T, rules game.Playable[S, M], moves ...string) S {
	t.Helper()
	s := rules.Start()
	gametest.Play(t, rules, &s, moves...)
	return s
}

func rulesOf[S, M comparable](t *testing.T, def game.Definition[S, M], seats int) game.Playable[S, M] {
	t.Helper()
	rules, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestReasonsOfABoskTurn: the maple takes a trail from the oak, ties it on
// another, and the rest is said to be seen further ahead.
func TestReasonsOfABoskTurn(t *testing.T) {
	rules := rulesOf(t, bosk.Game(), 2)
	s := played(t, rules,
		`{"do":"plant","tree":1,"at":[1,1]}`, `{"do":"plant","tree":2,"at":[4,4]}`,
		`{"do":"plant","tree":4,"at":[7,1]}`, `{"do":"plant","tree":4,"at":[5,6]}`)
	line := read(t, rules, `{"do":"plant","tree":4,"at":[4,6]}`)
	now, reasons := explain(rules, []bosk.Position{s}, []float64{2}, 0, line, 7.128)
	want := []string{
		`+4.00 bosk.why.trail.take {"seats":[1],"trail":4,"way":"row"}`,   // the maple has 2 and had none, the oak has 1 and had 3
		`+3.00 bosk.why.trail.tie {"seats":[1],"trail":6,"way":"column"}`, // the maple has 1 and had none, the oak has 1 and had 3
		`+3.13 bot.why.further {}`,
	}
	// The maple has three trails to itself, the oak four.
	if got := inWords(t, reasons); now != -3 || !slices.Equal(got, want) {
		t.Errorf("from %v because of %q, want %q", now, got, want)
	}
}

// TestReasonsOverManyWorlds: a group of the seat's own is certain; another's is
// told with the seat that is likeliest to play it, and how likely.
func TestReasonsOverManyWorlds(t *testing.T) {
	rules := rulesOf(t, grandbois.Game(), 3)
	var worlds []grandbois.Position
	for _, clans := range [][3]string{{"toad", "rabbit", "fox"}, {"toad", "raccoon", "rabbit"}, {"toad", "lizard", "raccoon"}} {
		var deals []string
		for seat, clan := range clans {
			deals = append(deals, fmt.Sprintf(`{"do":"deal","seat":%d,"clan":%q}`, seat, clan))
		}
		for _, tile := range []int{33, 1, 5, 29} {
			deals = append(deals, fmt.Sprintf(`{"do":"reveal","tile":%d}`, tile))
		}
		worlds = append(worlds, played(t, rules, deals...))
	}
	// Two toads and two rabbits side by side are 6 chestnuts for each of the clans.
	line := read(t, rules, `{"do":"place","tile":33,"x":1,"y":1,"turn":0}`)
	now, reasons := explain(rules, worlds, []float64{3, 1, 1}, 0, line, 0.5)
	want := []string{
		`+6.00 grandbois.why.group.more {"clan":"toad","size":2}`,
		`-4.80 grandbois.why.other.more {"chance":60,"clan":"rabbit","other":1}`,
		`-0.70 bot.why.further {}`,
	}
	if got := inWords(t, reasons); now != 0 || !slices.Equal(got, want) {
		t.Errorf("from %v because of %q, want %q", now, got, want)
	}
}

func TestOnlyWhatIsCertainIsSaidToBe(t *testing.T) {
	certain := 0.0
	for range 24 { // equally likely worlds
		certain += 1.0 / 24
	}
	for _, c := range []struct {
		chance float64
		want   int
	}{{1, 100}, {certain, 100}, {0.9999, 99}, {0.996, 99}, {0.5, 50}, {0.004, 1}} {
		if got := percent(c.chance); got != c.want {
			t.Errorf("%v is told as %d", c.chance, got)
		}
	}
}

// BenchmarkReasons explains a turn in the middle of a game.
func BenchmarkReasons(b *testing.B) {
	b.Run("bosk", func(b *testing.B) { benchmarkReasons(b, bosk.Game(), 4, 40) })
	b.Run("grandbois", func(b *testing.B) { benchmarkReasons(b, grandbois.Game(), 4, 20) })
}

func benchmarkReasons[S, M comparable](b *testing.B, def game.Definition[S, M], seats, turns int) {
	rules, err := def.Rules(game.Settings{Seats: seats})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	s := rules.Start()
	for rules.Turn(&s) < turns || rules.ToAct(&s) == game.Chance {
		moves := rules.Moves(&s, rules.ToAct(&s), nil)
		rules.Play(&s, rules.ToAct(&s), moves[rng.IntN(len(moves))], nil)
	}
	seat := rules.ToAct(&s)
	worlds, odds := guesses(rules, &s, seat, rng)
	line := randomLine(rules, &s, seat, rng)
	for b.Loop() {
		explain(rules, worlds, odds, seat, line, 1)
	}
}
