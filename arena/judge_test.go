package arena

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/games/grandbois"
)

// made are games of two in which a judge says the lead twice as large as it is, give or
// take something, and wins are as likely as a logistic curve says.
func made(n int, blur float64) (list []foresight) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range n {
		lead := 5 * rng.NormFloat64()
		f := foresight{phase: i % 3, fits: i/3%2 == 0, came: lead, lead: 2*lead + blur*rng.NormFloat64() + 3, win: 0.5}
		if rng.Float64() < logistic(0.4*lead) {
			f.won = 1
		}
		f.win = logistic(0.1 * f.lead)
		list = append(list, f)
	}
	return list
}

// TestWhatAJudgeKnows: R², error, log loss and calibration of judges that are right,
// that say nothing, and that are sure and wrong.
func TestWhatAJudgeKnows(t *testing.T) {
	t.Parallel()
	list := []foresight{{came: 4, won: 1}, {came: -4}, {came: 2, won: 1}, {came: -2}}
	says := func(lead, win func(*foresight) float64) JudgePhase {
		all := append([]foresight{}, list...)
		for i := range all {
			all[i].lead, all[i].win = lead(&all[i]), win(&all[i])
		}
		return measured("all", all)
	}
	none := says(func(*foresight) float64 { return 0 }, func(*foresight) float64 { return 0.5 })
	near(t, "R² of nothing", none.R2, 0, 1e-9)
	near(t, "the error of nothing", none.Error, 3, 1e-9)
	near(t, "the log loss of nothing", none.LogLoss, math.Ln2, 1e-9)
	if bin := none.Calibration[5]; bin.Seats != 4 || bin.Said != 0.5 || bin.Won != 0.5 {
		t.Errorf("who says one half is calibrated: %+v", bin)
	}
	right := says(func(f *foresight) float64 { return f.came }, func(f *foresight) float64 { return f.won })
	near(t, "R² of the truth", right.R2, 1, 1e-9)
	near(t, "the error of the truth", right.Error, 0, 1e-9)
	near(t, "the log loss of the truth", right.LogLoss, -math.Log(surest), 1e-9)
	wrong := says(func(f *foresight) float64 { return -f.came }, func(f *foresight) float64 { return 1 - f.won })
	near(t, "R² of the opposite", wrong.R2, -3, 1e-9)
	near(t, "the log loss of the opposite", wrong.LogLoss, -math.Log(1-surest), 1e-9)
	if empty := measured("late", nil); empty.Positions != 0 || empty.R2 != 0 || empty.LogLoss != 0 {
		t.Errorf("nothing is measured: %+v", empty)
	}
}

// TestRecalibration: what counts is what a judge knows, not the scale on which it says
// it; and nothing is fitted to the games by which it is measured.
func TestRecalibration(t *testing.T) {
	t.Parallel()
	all := made(30_000, 0)
	var from, to []foresight
	for _, f := range all {
		if f.fits {
			from = append(from, f)
		} else {
			to = append(to, f)
		}
	}
	fitted := recalibrated(from, to)
	if len(fitted) != len(to) {
		t.Fatalf("%d of %d", len(fitted), len(to))
	}
	raw, after := measured("all", to), measured("all", fitted)
	near(t, "R² on the right scale", after.R2, 1, 1e-6)
	if raw.R2 > 0 {
		t.Errorf("R² on another scale is %v", raw.R2)
	}
	best := 0.0
	for _, f := range to {
		p := logistic(0.4 * f.came)
		best -= (f.won*math.Log(p) + (1-f.won)*math.Log(1-p)) / float64(len(to))
	}
	near(t, "log loss on the right scale", after.LogLoss, best, 0.003)
	if raw.LogLoss < best+0.01 {
		t.Errorf("log loss on another scale is %v, and can be %v", raw.LogLoss, best)
	}
	for i := range to { // what came of the games that are measured changes nothing of what is said of them
		to[i].came, to[i].won = -to[i].came, 1-to[i].won
	}
	for i, f := range recalibrated(from, to) {
		if f.lead != fitted[i].lead || f.win != fitted[i].win {
			t.Fatal("what came of a game was used to foretell it")
		}
	}
	if got := fitLine(nil); got != [2]float64{} {
		t.Errorf("a line through nothing: %v", got)
	}
	if got := fitLine([]foresight{{lead: 3, came: 5}, {lead: 3, came: 7}}); got != [2]float64{6, 0} {
		t.Errorf("a line through one lead: %v", got)
	}
}

// TestJudgesOfARealGame: playouts know more than the worth, and more at the end than at
// the beginning; any number of cores finds the same.
func TestJudgesOfARealGame(t *testing.T) {
	t.Parallel()
	a := Of(grandbois.Game())
	cfg := JudgeConfig{Seats: 2, Player: bot.Random, Judges: []string{"worth", "playouts:12"}, Games: 16, Seed: "oak", Opening: -1, Part: 1, Cores: 1}
	j, err := a.Judge(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if j.Games != 16 || len(j.Judges) != 2 || j.Interrupted {
		t.Fatalf("%+v", j)
	}
	worth, playouts := j.Judges[0], j.Judges[1]
	if n := worth.Raw[0].Positions; n != worth.Raw[1].Positions+worth.Raw[2].Positions+worth.Raw[3].Positions || n < 16*2*20 {
		t.Errorf("%d positions", n)
	}
	if playouts.Raw[3].R2 <= playouts.Raw[1].R2 || playouts.Raw[3].R2 < 0.5 {
		t.Errorf("late R² is %v, early %v", playouts.Raw[3].R2, playouts.Raw[1].R2)
	}
	cfg.Cores = 2
	again, err := a.Judge(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(j.Judges)
	two, _ := json.Marshal(again.Judges)
	if string(one) != string(two) {
		t.Error("two cores find something else")
	}
	for key, bad := range map[string]func(*JudgeConfig){
		"bot.judge":  func(c *JudgeConfig) { c.Judges = []string{"worth", "playouts:0"} },
		"bot.player": func(c *JudgeConfig) { c.Player = "nobody" },
		"game.seats": func(c *JudgeConfig) { c.Seats = 5 },
	} {
		c := cfg
		bad(&c)
		var fault *game.Fault
		if _, err := a.Judge(context.Background(), c); !errors.As(err, &fault) || fault.Key != key {
			t.Errorf("%s: %v", key, err)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if j, err := a.Judge(stopped, cfg); err != nil || !j.Interrupted || j.Games != 0 {
		t.Errorf("stopped at once: %+v, %v", j, err)
	}
}

// TestJudgesOfGamesThatArePlayedOn: what came of a position is the mean of games that are
// played on from it, those tell what is left open to anybody, and any number of cores finds
// the same. At the end nothing is open.
func TestJudgesOfGamesThatArePlayedOn(t *testing.T) {
	t.Parallel()
	a := Of(grandbois.Game())
	cfg := JudgeConfig{Seats: 3, Player: bot.Random, Judges: []string{"worth"}, Games: 6, Seed: "oak", Opening: -1, Part: 0.3, Again: 10, Cores: 1}
	j, err := a.Judge(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	worth := j.Judges[0]
	if len(j.Floor) != 4 || j.Again != 10 || j.Part != 0.3 {
		t.Fatalf("%+v", j)
	}
	for i, f := range j.Floor {
		if f.Phase != worth.Fitted[i].Phase || f.Positions != worth.Fitted[i].Positions || f.Positions == 0 {
			t.Errorf("%d seats are measured %s, and %d %s", worth.Fitted[i].Positions, worth.Fitted[i].Phase, f.Positions, f.Phase)
		}
		if f.LogLoss > worth.Fitted[i].LogLoss {
			t.Errorf("%s: the log loss of worth is %v, and nobody's is below %v", f.Phase, worth.Fitted[i].LogLoss, f.LogLoss)
		}
	}
	if all := 3 * 6 * 36; worth.Raw[0].Positions < all/5 || worth.Raw[0].Positions > all*2/5 {
		t.Errorf("%d seats of some %d are asked", worth.Raw[0].Positions, all)
	}
	if j.Floor[3].LogLoss >= j.Floor[1].LogLoss || j.Floor[1].LogLoss < 0.5 {
		t.Errorf("late %v is open, early %v", j.Floor[3].LogLoss, j.Floor[1].LogLoss)
	}
	cfg.Cores = 2
	again, err := a.Judge(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal([]any{j.Judges, j.Floor})
	two, _ := json.Marshal([]any{again.Judges, again.Floor})
	if string(one) != string(two) {
		t.Error("two cores find something else")
	}
	cfg.Again = 0
	if plain, err := a.Judge(context.Background(), cfg); err != nil || plain.Floor != nil || plain.Judges[0].Raw[0].Positions != worth.Raw[0].Positions {
		t.Errorf("the games themselves: %+v, %v", plain, err)
	} else if plain.Judges[0].Raw[0].Error <= worth.Raw[0].Error {
		t.Errorf("a game wavers by %v, the mean of ten by %v", plain.Judges[0].Raw[0].Error, worth.Raw[0].Error)
	}
	stopped, stop := context.WithCancel(context.Background())
	cfg.Again, cfg.Games, cfg.Cores = 10, 1000, 1
	cfg.Progress = func(int) { stop() }
	if j, err := a.Judge(stopped, cfg); err != nil || !j.Interrupted || j.Games == 0 || j.Judges[0].Raw[0].Positions == 0 {
		t.Errorf("stopped while games are played on: %+v, %v", j, err)
	}
}

// TestReportsOfJudges: by the phase in which they are asked, fitted to every other game and
// measured on the rest, by what came of games that were played on, where they were.
func TestReportsOfJudges(t *testing.T) {
	t.Parallel()
	turn := func(before int, says, came [2]float64) judged {
		return judged{before: before, of: 9, said: [][][2]float64{{{0, 0}, {0, 0}}, {{says[0], says[1]}, {-says[0], 1 - says[1]}}}, came: [][2]float64{{came[0], came[1]}, {-came[0], 1 - came[1]}}}
	}
	game := func(turns ...judged) *played {
		return &played{Totals: []int{3, 1}, Ranks: []int{1, 2}, Weighed: &weighed{judged: turns}}
	}
	plain := game(turn(0, [2]float64{2, 0.9}, [2]float64{}))
	plain.Weighed.judged[0].came = nil
	if f := report("x", 1, []*played{plain}); f.Raw[0].Positions != 2 || f.Raw[0].Error != 0 || math.Abs(f.Raw[0].LogLoss+math.Log(0.9)) > 1e-9 || f.Fitted[0].Positions != 0 {
		t.Errorf("by the game itself: %+v", f)
	}
	first := game(turn(2, [2]float64{2, 0.9}, [2]float64{5, 0.75}), turn(3, [2]float64{1, 0.5}, [2]float64{1, 0.5}), turn(5, [2]float64{1, 0.5}, [2]float64{1, 0.5}))
	other := game(turn(6, [2]float64{2, 0.9}, [2]float64{-5, 0.5}))
	games := []*played{first, other}
	f := report("x", 1, games)
	var raw, fitted []int
	for i := range f.Raw {
		raw, fitted = append(raw, f.Raw[i].Positions), append(fitted, f.Fitted[i].Positions)
	}
	if !slices.Equal(raw, []int{8, 2, 4, 2}) || !slices.Equal(fitted, []int{2, 0, 0, 2}) {
		t.Errorf("asked %v, measured %v", raw, fitted)
	}
	near(t, "error by the mean of the games played on", f.Raw[1].Error, 3, 1e-9)
	near(t, "log loss by the share of the games played on", f.Raw[1].LogLoss, -0.75*math.Log(0.9)-0.25*math.Log(0.1), 1e-9)
	if f.Raw[1].Calibration[9].Won != 0.75 {
		t.Errorf("calibrated by %+v", f.Raw[1].Calibration[9])
	}
	floor := floors(games, 10)
	if floor[0].Positions != 2 || floor[3].Positions != 2 || floor[1].Positions != 0 || floor[1].LogLoss != 0 || floor[3].Phase != "late" {
		t.Errorf("open: %+v", floor)
	}
	half := 10*math.Ln2 - 9*(-4./9*math.Log(4./9)-5./9*math.Log(5./9))
	near(t, "what half of ten leave open", floor[0].LogLoss, half, 1e-9)
	if short(1.23456) != 1.2346 {
		t.Error("numbers are short of digits")
	}
}

// TestAskedByDeal: each game is asked at turns of its own, which the seed settles.
func TestAskedByDeal(t *testing.T) {
	t.Parallel()
	turns := func(seed string, games int) (list [][]int) {
		j, err := Of(grandbois.Game()).Judge(context.Background(), JudgeConfig{Seats: 2, Player: bot.Random, Judges: []string{"worth"}, Games: games, Seed: seed, Opening: -1, Part: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range j.Judges[0].Raw {
			list = append(list, []int{p.Positions})
		}
		return list
	}
	if one, same, other := turns("oak", 3), turns("oak", 3), turns("elm", 3); !slices.EqualFunc(one, same, slices.Equal) || slices.EqualFunc(one, other, slices.Equal) {
		t.Errorf("asked %v, once more %v, by another seed %v", one, same, other)
	}
}

// TestPlayedOn: everyone's share and lead add up to those of the games, which go on from
// where they are said to, each in its own way.
func TestPlayedOn(t *testing.T) {
	t.Parallel()
	g := bot.Of(grandbois.Game())
	at, err := newTables(g, []string{bot.Random}, nil, "oak", -1, 2)
	if err != nil {
		t.Fatal(err)
	}
	sitting := &group{deal: "3", players: []string{bot.Random, bot.Random}}
	p := at.start[2]
	for p.Turn() < 30 {
		if p.ToAct() == game.Chance {
			p = must(p.Play(p.ToAct(), p.Draw(game.Seed{Secret: []byte("x")}, p.Turn())))
			continue
		}
		p = must(p.Play(p.ToAct(), p.Moves()[0]))
	}
	before := at.start[2]
	seen := map[[2]float64]bool{}
	for name := range 6 {
		came, err := at.playedOn(context.Background(), p, sitting, strconv.Itoa(name), 5)
		if err != nil {
			t.Fatal(err)
		}
		if near(t, "all wins together", came[0][1]+came[1][1], 1, 1e-9); came[0][0] != -came[1][0] {
			t.Errorf("one is ahead by %v, the other by %v", came[0][0], came[1][0])
		}
		seen[came[0]] = true
	}
	if len(seen) < 3 || at.start[2] != before {
		t.Errorf("of six times five games %d are of their own", len(seen))
	}
	one, _ := at.playedOn(context.Background(), p, sitting, "0", 5)
	if two, _ := at.playedOn(context.Background(), p, sitting, "0", 5); !slices.Equal(one, two) {
		t.Errorf("the same games come to %v and %v", one, two)
	}
	if other, _ := at.playedOn(context.Background(), p, &group{deal: "4", players: sitting.players}, "0", 5); slices.Equal(one, other) {
		t.Error("games of two deals go on alike")
	}
	at.opening = 1000 // which is over where games are played on
	greedy := &group{deal: "3", players: []string{bot.Greedy, bot.Greedy}}
	if came, _ := at.playedOn(context.Background(), p, greedy, "0", 5); slices.Equal(one, came) {
		t.Error("others play the same")
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if came, err := at.playedOn(stopped, p, sitting, "0", 5); err == nil {
		t.Errorf("stopped, it says %v", came)
	}
}

// TestAGameThatCouldNotBePlayedOnDoesNotCount: where that is broken off at the last turn of a
// game, the game comes to its end all the same.
func TestAGameThatCouldNotBePlayedOnDoesNotCount(t *testing.T) {
	t.Parallel()
	at, err := newTables(bot.Of(grandbois.Game()), []string{bot.Random}, nil, "oak", -1, 2)
	if err != nil {
		t.Fatal(err)
	}
	def := grandbois.Game()
	rules, err := def.Rules(game.Settings{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken off")
	last, asked := 0, 0
	at.scale = func(string) scale {
		l := &listening[grandbois.Position, grandbois.Move]{rules: rules, s: rules.Start(), turn: -1, part: 1, asked: rand.New(rand.NewPCG(1, 2)), p: at.start[2]}
		l.playOn = func(_ game.Position, turn int) ([][2]float64, error) {
			if asked++; last > 0 && turn == last {
				return nil, broken
			}
			if last == 0 {
				asked = turn
			}
			return make([][2]float64, 2), nil
		}
		return l
	}
	g := &group{deal: "0", players: []string{bot.Random, bot.Random}, once: true}
	res, err := at.play(context.Background(), g, 0)
	if err != nil || len(res.Weighed.judged) < 20 {
		t.Fatalf("%+v, %v", res, err)
	}
	last = asked
	if res, err := at.play(context.Background(), g, 0); !errors.Is(err, broken) {
		t.Errorf("it counts: %+v, %v", res, err)
	}
}

// TestWhatIsLeftOpen: from a few games as from many, on average, where neither is sure.
func TestWhatIsLeftOpen(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, p := range []float64{0.05, 0.25, 0.5, 0.8} {
		const games, tries = 16, 20_000
		sum := 0.0
		for range tries {
			won := 0
			for range games {
				if rng.Float64() < p {
					won++
				}
			}
			sum += leftOpen(float64(won)/games, games)
		}
		near(t, "what is left open", sum/tries, -p*math.Log(p)-(1-p)*math.Log(1-p), 0.01)
	}
	if leftOpen(0, 9) != 0 || leftOpen(1, 9) != 0 {
		t.Error("something is open where everybody wins, or nobody")
	}
}
