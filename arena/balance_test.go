package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/game/gametest"
	"copse/games/grandbois"
)

// rigged is the tiny game with things of which is known beforehand who completes
// them: the crown whoever wins, the root whoever does not, the leaf everybody
// (seat 0 was dealt it), the gall nobody. It tells the woods it is played in.
type rigged struct {
	game.Playable[gametest.Wood, gametest.Deed]
	woods []string
}

func riggedGame(played map[string]int) game.Definition[gametest.Wood, gametest.Deed] {
	def := gametest.Tiny()
	def.Options = []game.Option{{Name: "woods", Kind: "words", Default: []string{"ash", "elm"}, Choices: []string{"ash", "elm", "fir"}}}
	inner := def.New
	def.New = func(seats int, options json.RawMessage, version int) (game.Playable[gametest.Wood, gametest.Deed], error) {
		var chosen struct {
			Woods []string `json:"woods"`
		}
		if err := json.Unmarshal(options, &chosen); err != nil || len(chosen.Woods) != 2 {
			return nil, game.Blame("json.list", game.Args{"field": "woods"})
		}
		played[strings.Join(chosen.Woods, " ")]++
		p, err := inner(seats, nil, version)
		return rigged{p, chosen.Woods}, err
	}
	return def
}

const (
	crown = iota
	root
	leaf
	gall
)

func (r rigged) Things() []game.Thing {
	return []game.Thing{{Name: "crown", Group: "sun", Weight: 2}, {Name: "root", Group: "moon", Weight: 1}, {Name: "leaf", Group: "sun", Weight: 1}, {Name: "gall", Group: "moon", Weight: 3}}
}

func (r rigged) Tally(s *gametest.Wood, seat game.Seat, marks []game.Mark) {
	if seat == 0 {
		marks[leaf] |= game.Dealt
	}
	for thing := range marks {
		marks[thing] |= game.Offered
	}
	if r.ToAct(s) != game.None {
		return
	}
	won := root
	if r.Standing(s).Seats[seat].Rank == 1 {
		won = crown
	}
	marks[won] |= game.Founded | game.Completed
	marks[leaf] |= game.Completed
}

// Combinations: whoever wins has the wreath, which is a crown with a leaf; nobody has
// a gall with anything.
func (r rigged) Combinations() (names []string, together func(s *gametest.Wood, seat game.Seat, marks []game.Mark, had []bool)) {
	return []string{"wreath", "blight"}, func(_ *gametest.Wood, _ game.Seat, marks []game.Mark, had []bool) {
		had[0] = had[0] || marks[crown]&marks[leaf]&game.Completed != 0
		had[1] = had[1] || marks[gall]&game.Completed != 0
	}
}

func (r rigged) Round(s *gametest.Wood) int   { return 1 + r.Turn(s)/r.Seats() }
func (r rigged) Length() (least, most int)    { return 100, 200 }
func (r rigged) Ending(*gametest.Wood) string { return r.woods[0] }
func (r rigged) Heard(d gametest.Deed, by, to game.Seat) gametest.Deed {
	return r.Playable.(game.Hearer[gametest.Deed]).Heard(d, by, to)
}

func balance(t *testing.T, a Arena, cfg BalanceConfig) *Balance {
	t.Helper()
	b, err := a.Balance(background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestARiggedGameIsFoundOut: what is known of its things beforehand is what the
// report says, and what is out of bounds is marked.
func TestARiggedGameIsFoundOut(t *testing.T) {
	woods := map[string]int{}
	const games, seats = 300, 3
	b := balance(t, Of(riggedGame(woods)), BalanceConfig{Seats: seats, Player: bot.Random, Games: games, Seed: "acorn", Opening: -1})
	if b.Games != games || b.Interrupted || b.Illegal != 0 || b.Sets != 3 || !slices.Equal(b.Varied, []string{"woods"}) {
		t.Errorf("%+v", b)
	}
	if len(woods) != 3 {
		t.Errorf("of the three woods these were played: %v", woods)
	}
	// Every third game begins its name with elm: ash elm, ash fir, elm fir.
	if want := []BalanceShare{{"ash", 2.0 / 3}, {"elm", 1.0 / 3}}; !slices.Equal(b.Endings, want) {
		t.Errorf("endings %v, not %v", b.Endings, want)
	}
	winners := b.ByThing[crown].Completions
	if winners < games {
		t.Fatalf("%d winners in %d games", winners, games)
	}
	share := float64(winners) / games / seats // winners of those at the table: a shared rank has several
	for i, want := range []BalanceThing{
		crown: {Name: "crown", Group: "sun", Weight: 2, Offered: games * seats, Founded: share, Completed: share, Completions: winners, Wins: 1},
		root:  {Name: "root", Group: "moon", Weight: 1, Offered: games * seats, Founded: 1 - share, Completed: 1 - share, Completions: games*seats - winners, Outside: 1-share > 0.5},
		leaf:  {Name: "leaf", Group: "sun", Weight: 1, Dealt: games, DealtCompleted: 1, Offered: games * (seats - 1), Founded: 1, Completed: 1, Completions: games * seats, Wins: share, Outside: true},
		gall:  {Name: "gall", Group: "moon", Weight: 3, Offered: games * seats, Outside: true},
	} {
		got := b.ByThing[i]
		near(t, got.Name+" founded", got.Founded, want.Founded, 1e-9)
		near(t, got.Name+" completed", got.Completed, want.Completed, 1e-9)
		near(t, got.Name+" wins", got.Wins, want.Wins, 1e-9)
		near(t, got.Name+" to the mean", got.Ratio, 3*want.Wins/(1+share), 1e-9) // of the three that were completed
		got.Founded, got.Completed, got.Wins, got.Ratio = want.Founded, want.Completed, want.Wins, 0
		if got != want {
			t.Errorf("%+v, not %+v", got, want)
		}
	}
	sun, moon := b.ByGroup[0], b.ByGroup[1]
	if sun.Name != "sun" || sun.Serves != 1 || sun.Share != 1 || sun.Ratio != 2 || !sun.Outside || sun.Games != games {
		t.Errorf("all that the sun offered to winners they completed: %+v", sun)
	}
	if moon.Name != "moon" || moon.Serves != 0 || moon.Wins != 0 || moon.Ratio != 0 || !moon.Outside {
		t.Errorf("nothing of the moon served a winner: %+v", moon)
	}
	if !b.Rounds.Outside || b.Rounds.Within != 0 || b.Rounds.From != 100 {
		t.Errorf("a game of 100 rounds was meant: %+v", b.Rounds)
	}
	if want := []BalanceCombo{{"wreath", 1, winners, 1, false}, {"blight", 0, 0, 0, true}}; !slices.Equal(b.ByCombo, want) {
		t.Errorf("combinations: %+v, not %+v", b.ByCombo, want)
	}
	for _, o := range b.Outside {
		if o.What == "thing" && o.Name == "crown" {
			t.Errorf("the crown is where it should be: %+v", o)
		}
	}
}

// TestBalanceByHand: 100 times the same three games of two seats. The comment
// beside each says what it counts for.
func TestBalanceByHand(t *testing.T) {
	w := weighing{seats: 2, parts: []string{"nuts"}, from: 3, to: 4, things: []game.Thing{
		{Name: "a", Group: "x", Weight: 1}, {Name: "b", Group: "x", Weight: 2}, {Name: "c", Group: "y", Weight: 1}, {Name: "d", Group: "z", Weight: 1},
	}}
	const (
		o = game.Offered
		d = o | game.Founded | game.Completed
		s = game.Dealt | game.Founded | game.Completed
	)
	one := func(rounds int, totals, ranks []int, first, second marking) *played {
		return &played{Totals: totals, Ranks: ranks, Weighed: &weighed{
			Rounds: rounds, Parts: [][]int{{totals[0], 0, 0, 0}, {totals[1], 0, 0, 0}}, Marks: []marking{first, second},
		}}
	}
	var games []*played
	for range 100 {
		games = append(games,
			one(2, []int{9, 5}, []int{1, 2}, marking{d, o, o, 0}, marking{o, d, o, 0}),  // winner: x 1 of 3, y 0 of 1
			one(3, []int{4, 4}, []int{2, 1}, marking{o, o, d, 0}, marking{o, d, d, 0}),  // winner: x 2 of 3, y 1 of 1; a tie
			one(12, []int{3, 8}, []int{2, 1}, marking{o, o, 0, o}, marking{s, 0, 0, d}), // winner: z 1 of 1; a was dealt
		)
	}
	b := w.report(games)
	if r := b.Rounds; r.Least != 2 || r.Lower != 2 || r.Median != 3 || r.Upper != 12 || r.Most != 12 || r.Outside {
		t.Errorf("%+v", r)
	}
	near(t, "within", b.Rounds.Within, 1.0/3, 1e-9)
	near(t, "ties", b.Ties.Share, 1.0/3, 1e-9)
	near(t, "score", b.Score.Mean, 33.0/6, 1e-9)
	near(t, "of the winner", b.Winner.Mean, 7, 1e-9)
	near(t, "margin", b.Margin.Mean, 3, 1e-9)
	near(t, "nuts", b.Parts[0].All, 33.0/6, 1e-9)
	near(t, "nuts of winners", b.Parts[0].Winner, 7, 1e-9)
	near(t, "seat 1", b.BySeat[0].WinShare.Mean, 1.0/3, 1e-9)
	if !b.BySeat[0].Outside || !b.BySeat[1].Outside || !b.Ties.Outside {
		t.Errorf("seats or ties are not marked: %+v", b)
	}
	mean := (3.0/6 + 1.0/2 + 1) / 3
	for i, want := range []BalanceGroup{
		{Name: "x", Games: 300, Serves: 3.0 / 6, Share: 3.0 / 5, Wins: 3.0 / 5, Ratio: 0.5 / mean, Outside: true},
		{Name: "y", Games: 200, Serves: 1.0 / 2, Share: 1.0 / 4, Wins: 1.0 / 2, Ratio: 0.5 / mean, Outside: true},
		{Name: "z", Games: 100, Serves: 1, Share: 1, Wins: 1, Ratio: 1 / mean}, // with too few offers to be judged
	} {
		got := b.ByGroup[i]
		if got.Name != want.Name || got.Games != want.Games || got.Outside != want.Outside {
			t.Errorf("%+v, not %+v", got, want)
		}
		near(t, got.Name+" serves", got.Serves, want.Serves, 1e-9)
		near(t, got.Name+" share", got.Share, want.Share, 1e-9)
		near(t, got.Name+" wins", got.Wins, want.Wins, 1e-9)
		near(t, got.Name+" ratio", got.Ratio, want.Ratio, 1e-9)
	}
}

// TestASeatIsWithinItsBoundWhenItsWholeIntervalIs: of few games nobody knows.
func TestASeatIsWithinItsBoundWhenItsWholeIntervalIs(t *testing.T) {
	for _, c := range []struct {
		games, wins int // wins of the first of two seats
		outside     bool
	}{
		{400, 200, true},     // 50 %, and 45 to 55 % are possible
		{10000, 5000, false}, // 49 to 51 %
		{10000, 4750, false}, // 46.5 to 48.5 %
		{10000, 4730, true},  // 46.3 to 48.3 %
		{10000, 5270, true},
	} {
		var games []*played
		for i := range c.games {
			ranks := []int{2, 1}
			if i < c.wins {
				ranks = []int{1, 2}
			}
			games = append(games, &played{Totals: []int{1, 2}, Ranks: ranks, Weighed: &weighed{Rounds: 9, Parts: make([][]int, 2), Marks: make([]marking, 2)}})
		}
		w := weighing{seats: 2}
		b := w.report(games)
		if got := b.BySeat[0].Outside; got != c.outside || b.BySeat[1].Outside != c.outside {
			t.Errorf("%d of %d: outside %v, %+v", c.wins, c.games, got, b.BySeat)
		}
	}
}

// TestTheBoundsOfABalancedGame, each at its edge: ties under 6 %, groups within 20 %
// of their mean, things completed by 4 to 50 % of those who were offered them.
func TestTheBoundsOfABalancedGame(t *testing.T) {
	const n = 1000
	w := weighing{seats: 2, things: []game.Thing{{Name: "a", Group: "x", Weight: 1}, {Name: "b", Group: "y", Weight: 1}}}
	report := func(ties, a, b int) *Balance {
		var games []*played
		for i := range n {
			totals, marks := []int{2, 1}, marking{game.Offered, game.Offered}
			if i < ties {
				totals = []int{2, 2}
			}
			if i < a {
				marks[0] |= game.Completed
			}
			if i < b {
				marks[1] |= game.Completed
			}
			games = append(games, &played{Totals: totals, Ranks: []int{1, 2}, Weighed: &weighed{Rounds: 9, Parts: make([][]int, 2), Marks: []marking{marks, {0, 0}}}})
		}
		return w.report(games)
	}
	for _, c := range []struct {
		ties, a, b int
		want       string
	}{
		{60, 300, 300, ""}, {61, 300, 300, "ties "},
		{0, 240, 360, ""}, {0, 239, 361, "group x,group y"},
		{0, 500, 500, ""}, {0, 501, 500, "thing a"},
		{0, 40, 40, ""}, {0, 40, 39, "thing b"},
	} {
		var got []string
		for _, o := range report(c.ties, c.a, c.b).Outside {
			if o.What != "seat" {
				got = append(got, o.What+" "+o.Name)
			}
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%d ties, %d and %d completed: %v, not %s", c.ties, c.a, c.b, got, c.want)
		}
	}
}

// TestBalanceIsTheSameOnAnyNumberOfCores: also where it was interrupted and went on
// from what was saved.
func TestBalanceIsTheSameOnAnyNumberOfCores(t *testing.T) {
	a := Of(riggedGame(map[string]int{}))
	cfg := BalanceConfig{Seats: 2, Player: bot.Greedy, Games: 25, Seed: "acorn", Opening: -1}
	told := func(b *Balance) string {
		b.Cores, b.Seconds = 0, 0
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	results := map[string]bool{}
	for _, cores := range []int{1, 2, 3, 0} {
		cfg.Cores = cores
		results[told(balance(t, a, cfg))] = true
	}
	cfg.Save = filepath.Join(t.TempDir(), "games.jsonl")
	cfg.Cores = 3 // with more, all games may be under way before the interrupt
	ctx, stop := context.WithCancel(background())
	cfg.Progress = func(finished int) {
		if finished == 7 {
			stop()
		}
	}
	part, err := a.Balance(ctx, cfg)
	if err != nil || !part.Interrupted || part.Games >= 25 {
		t.Errorf("after an interrupt: %v, %d games", err, part.Games)
	}
	played := 0
	cfg.Progress = func(int) { played++ }
	results[told(balance(t, a, cfg))] = true
	if played > 25-part.Games {
		t.Errorf("%d games were played again", played-(25-part.Games))
	}
	if len(results) != 1 {
		t.Errorf("%d different results", len(results))
	}
	cfg.Seed = "beech"
	if b := balance(t, a, BalanceConfig{Seats: 2, Player: bot.Greedy, Games: 25, Seed: "beech", Opening: -1}); results[told(b)] {
		t.Error("another seed brings the same games")
	}
	if _, err := a.Balance(background(), cfg); err == nil || !strings.Contains(err.Error(), "seed") {
		t.Errorf("games of another seed are gone on from: %v", err)
	}
}

// TestSavedGamesThatWereNotWeighedAreRefused: nothing in a file is trusted.
func TestSavedGamesThatWereNotWeighedAreRefused(t *testing.T) {
	a := Of(riggedGame(map[string]int{}))
	cfg := BalanceConfig{Seats: 2, Player: bot.Random, Games: 1, Seed: "acorn", Opening: -1, Save: filepath.Join(t.TempDir(), "games.jsonl")}
	balance(t, a, cfg)
	raw, err := os.ReadFile(cfg.Save)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(raw), "\n")
	game := func(weighed string) string {
		return fmt.Sprintf(`{"deal":"0","rotation":0,"totals":[1,2],"ranks":[2,1],"us":[[],[]]%s}`, weighed)
	}
	const good = `,"weighed":{"rounds":3,"ending":"ash","parts":[[1,0,0,0],[2,0,0,0]],"marks":["0000","2e2f"],"had":["00","10"]}`
	for name, line := range map[string]string{
		"nothing": game(""),
		"rounds":  game(strings.Replace(good, "3", "-3", 1)),
		"parts":   game(strings.Replace(good, "[1,0,0,0]", "[1]", 1)),
		"seats":   game(strings.Replace(good, `"0000",`, "", 1)),
		"things":  game(strings.Replace(good, "0000", "000", 1)),
		"digits":  game(strings.Replace(good, "2e2f", "2e2g", 1)),
		"had":     game(strings.Replace(good, `"00",`, "", 1)),
		"combos":  game(strings.Replace(good, `"00"`, `"0"`, 1)),
		"yes":     game(strings.Replace(good, `"10"`, `"20"`, 1)),
	} {
		if err := os.WriteFile(cfg.Save, []byte(header+"\n"+line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Balance(background(), cfg); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(cfg.Save, []byte(header+"\n"+game(good)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if b := balance(t, a, cfg); b.ByThing[gall].DealtCompleted != 1 || b.ByThing[root].Founded != 1 || b.ByThing[root].Completed != 1 || b.Rounds.Median != 3 || b.ByCombo[0].Games != 1 || b.ByCombo[1].Games != 0 {
		t.Errorf("a good line is read wrongly: %+v", b)
	}
}

// TestWhoCannotPlayIsNotWeighed: who would judge by a net that there is not is refused before
// anything is saved.
func TestWhoCannotPlayIsNotWeighed(t *testing.T) {
	save := filepath.Join(t.TempDir(), "games.jsonl")
	var fault *game.Fault
	if _, err := Of(grandbois.Game()).Balance(background(), BalanceConfig{Seats: 2, Player: "level:8/former=1", Games: 2, Seed: "acorn", Opening: -1, Save: save}); !errors.As(err, &fault) || fault.Key != "bot.former" {
		t.Errorf("it is weighed: %v", err)
	}
	if _, err := os.Stat(save); !os.IsNotExist(err) {
		t.Errorf("there is a file: %v", err)
	}
}

// TestChosenWordsDoNotVary: a table that names its woods plays only with those.
func TestChosenWordsDoNotVary(t *testing.T) {
	woods := map[string]int{}
	a := Of(riggedGame(woods))
	cfg := BalanceConfig{Seats: 2, Player: bot.Random, Games: 6, Seed: "acorn", Opening: -1, Options: json.RawMessage(`{"woods":["elm","fir"]}`)}
	if b := balance(t, a, cfg); b.Sets != 1 || len(b.Varied) != 0 || len(woods) != 1 || woods["elm fir"] == 0 {
		t.Errorf("played in %v, %d sets", woods, b.Sets)
	}
	for _, wrong := range []BalanceConfig{
		{Seats: 5, Player: bot.Random}, {Seats: 2, Player: "nobody"}, {Seats: 2, Player: bot.Random, Options: json.RawMessage(`{"woods":1}`)},
	} {
		wrong.Games, wrong.Opening = 1, -1
		if _, err := a.Balance(background(), wrong); err == nil {
			t.Errorf("%+v is played", wrong)
		}
	}
	if got := fmt.Sprint(choose([]string{"a", "b", "c", "d"}, 2)); got != "[[a b] [a c] [a d] [b c] [b d] [c d]]" {
		t.Error(got)
	}
}

// TestAGameWithoutThingsIsWeighedToo: by its seats, scores and turns.
func TestAGameWithoutThingsIsWeighedToo(t *testing.T) {
	b := balance(t, Of(gametest.Tiny()), BalanceConfig{Seats: 2, Player: bot.Random, Games: 40, Seed: "acorn", Opening: -1})
	if b.Rounds.Median < 3 || b.Rounds.Outside || len(b.ByThing)+len(b.ByGroup)+len(b.ByCombo)+len(b.Endings) != 0 || len(b.Parts) != 3 {
		t.Errorf("%+v", b)
	}
	if b.Opening != 2 {
		t.Errorf("%d turns were drawn at random, not one for each seat", b.Opening)
	}
	if b := balance(t, Of(gametest.Tiny()), BalanceConfig{Seats: 2, Player: bot.Random, Games: 1, Seed: "acorn", Opening: 3}); b.Opening != 3 {
		t.Errorf("%d turns were drawn at random, not three", b.Opening)
	}
	near(t, "shares", b.BySeat[0].WinShare.Mean+b.BySeat[1].WinShare.Mean, 1, 1e-9)
	total := 0.0
	for _, p := range b.Parts {
		total += p.All
	}
	near(t, "parts", total, b.Score.Mean, 1e-9)
}
