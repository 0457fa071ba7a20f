package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/bot"
	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
)

func background() context.Context { return context.Background() }

// timeless is a result without what depends on time and the machine.
func timeless(t *testing.T, result any) string {
	t.Helper()
	switch r := result.(type) {
	case *Match:
		r.Seconds, r.Cores = 0, 0
		for i := range r.ByPlayer {
			p := &r.ByPlayer[i]
			p.TurnMS = Times{Turns: p.TurnMS.Turns}
		}
	case *Ladder:
		r.Seconds, r.Cores = 0, 0
		for i := range r.ByPlayer {
			p := &r.ByPlayer[i]
			p.TurnMS = Times{Turns: p.TurnMS.Turns}
		}
	}
	raw, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func match(t *testing.T, a Arena, cfg MatchConfig) *Match {
	t.Helper()
	m, err := a.Match(background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAMatchIsTheSameOnAnyNumberOfCores: but for the time it takes; also where it
// ends when it is settled.
func TestAMatchIsTheSameOnAnyNumberOfCores(t *testing.T) {
	for _, cfg := range []MatchConfig{
		{Players: []string{bot.Greedy, bot.Random, bot.Easy}, Games: 20, Seed: "acorn", Opening: -1},
		{Players: []string{bot.Greedy, bot.Random}, Games: 2000, Seed: "acorn", Opening: -1, SPRT: &SPRT{P0: 0.5, P1: 0.6, Alpha: 0.05, Beta: 0.05}},
		{Players: []string{"flat:20", bot.Random, bot.Random, bot.Random}, Games: 12, Seed: "acorn", Opening: 0},
	} {
		results := map[string]bool{}
		for _, cores := range []int{1, 2, 3, 0} {
			cfg.Cores = cores
			m := match(t, Of(gametest.Tiny()), cfg)
			wins := 0.0
			for _, p := range m.ByPlayer {
				wins += float64(p.Seats) * p.WinShare.Mean
				if e := p.WinShare; e.Least > e.Mean || e.Most < e.Mean || p.Score.Least > p.Score.Most || p.Illegal+p.Late+p.Cut != 0 {
					t.Errorf("%+v", p)
				}
			}
			if math.Abs(wins-1) > 1e-9 || m.Games != m.Seats*m.Groups || m.Interrupted {
				t.Errorf("%+v", m)
			}
			if m.SPRT == nil && (m.Games < cfg.Games || m.Games != m.Asked) || m.SPRT != nil && (m.SPRT.Verdict == open || m.Groups%checkpoint != 0 || m.Games == m.Asked) {
				t.Errorf("%d of %d games, %+v", m.Games, m.Asked, m.SPRT)
			}
			results[timeless(t, m)] = true
		}
		if len(results) != 1 {
			t.Errorf("%d different results: %v", len(results), results)
		}
	}
}

func TestALadderIsTheSameOnAnyNumberOfCores(t *testing.T) {
	results := map[string]bool{}
	for _, cores := range []int{1, 2, 3} {
		l, err := Of(gametest.Tiny()).Ladder(background(), LadderConfig{
			Players: []string{bot.Random, bot.Easy, bot.Greedy, "flat:9", "flat:30"}, Seats: []int{2, 3, 4}, Games: 24, Seed: "x", Opening: -1, Cores: cores,
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Tables) != 4 || l.Games != 72 || len(l.Pairs) != 20 || len(l.ByPlayer) != 5 {
			t.Errorf("%+v", l)
		}
		results[timeless(t, l)] = true
	}
	if len(results) != 1 {
		t.Errorf("%d different results: %v", len(results), results)
	}
}

// TestPlayersAreAsStrongAsTheirOrderSays: each beats the one before it in both
// games. The seeds are settled, so nothing here is luck. The higher levels think
// for too long to play here.
func TestPlayersAreAsStrongAsTheirOrderSays(t *testing.T) {
	for _, c := range []struct {
		arena   Arena
		games   int // the clearer it is, the fewer are needed
		players []string
	}{
		{Of(bosk.Game()), 40, []string{bot.Random, bot.Easy, bot.Greedy, bot.Ahead}},
		{Of(grandbois.Game()), 6, []string{bot.Random, bot.Easy, bot.Greedy, bot.Ahead}},
		{Of(bosk.Game()), 40, []string{"level:1", "level:2", "level:3", "level:4"}},
		{Of(grandbois.Game()), 40, []string{"level:1", "level:2", "level:3", "level:4"}},
	} {
		for i := range c.players[1:] {
			weaker, stronger := c.players[i], c.players[i+1]
			m := match(t, c.arena, MatchConfig{Players: []string{stronger, weaker}, Games: c.games, Seed: "acorn", Opening: -1})
			if m.ByPlayer[0].WinShare.Mean <= 0.5 {
				t.Errorf("%s: %s wins %.0f %% of its games against %s", m.Game, stronger, 100*m.ByPlayer[0].WinShare.Mean, weaker)
			}
		}
	}
}

func TestMatchesThatCannotBe(t *testing.T) {
	for _, cfg := range []MatchConfig{
		{Players: []string{bot.Easy}, Games: 1},
		{Players: slices.Repeat([]string{bot.Easy}, 5), Games: 1},
		{Players: []string{bot.Easy, "clever"}, Games: 4},
		{Players: []string{bot.Easy, "flat:0"}, Games: 4},
		{Players: []string{bot.Easy, "level:2/far=8/former=1"}, Games: 4}, // there is no net, and none before it
		{Players: []string{bot.Easy, bot.Easy}, Games: 1, Options: json.RawMessage(`{"x":1}`)},
	} {
		var fault *game.Fault
		if m, err := Of(bosk.Game()).Match(background(), cfg); !errors.As(err, &fault) {
			t.Errorf("%v: %v, %v", cfg.Players, m, err)
		}
	}
	for _, players := range [][]string{{bot.Easy, bot.Easy}, {bot.Easy, bot.Random, bot.Greedy}} {
		if _, err := Of(bosk.Game()).Match(background(), MatchConfig{Players: players, Games: 4, SPRT: &SPRT{0.4, 0.5, 0.05, 0.05}}); !errors.Is(err, errDifferent) {
			t.Errorf("a test with %v: %v", players, err)
		}
	}
	for _, cfg := range []LadderConfig{
		{Players: []string{bot.Easy}, Seats: []int{2}, Games: 1}, {Players: []string{bot.Easy, bot.Easy}, Seats: []int{2}, Games: 1},
		{Players: []string{bot.Easy, "clever"}, Seats: []int{2}, Games: 1}, {Players: []string{bot.Easy, bot.Random}, Seats: []int{3, 4}, Games: 1},
		{Players: []string{bot.Easy, "level:2/far=8/former=1"}, Seats: []int{2}, Games: 1},
		{Players: []string{bot.Easy, bot.Random}, Seats: []int{2, 7}, Games: 1}, {Players: []string{bot.Easy, bot.Random}, Games: 1},
	} {
		if l, err := Of(bosk.Game()).Ladder(background(), cfg); err == nil {
			t.Errorf("%v at %v: %v", cfg.Players, cfg.Seats, l)
		}
	}
}

// planted is a game whose players do something wrong now and then.
type planted struct {
	bot.Game
	think func(p game.Position, ask bot.Ask) *bot.Thought // nil to think as they do
}

func (g planted) Think(ctx context.Context, p game.Position, ask bot.Ask) (*bot.Thought, error) {
	if thought := g.think(p, ask); thought != nil {
		return thought, nil
	}
	return g.Game.Think(ctx, p, ask)
}

func plant[S, M comparable](def game.Definition[S, M], think func(p game.Position, ask bot.Ask) *bot.Thought) Arena {
	return arena[S, M]{def, planted{bot.Of(def), think}}
}

// TestIllegalAnswersAreReported: a player that answers a move that the rules
// refuse, or no move at all, is reported, and the game goes on.
func TestIllegalAnswersAreReported(t *testing.T) {
	for _, wrong := range []string{`{"do":"plant","tree":1,"at":[99,99]}`, `{"do":"fly"}`, `nonsense`, ``} {
		cheat := plant(bosk.Game(), func(p game.Position, ask bot.Ask) *bot.Thought {
			if ask.Player == bot.Easy && p.Turn() == 5 {
				return &bot.Thought{Line: []json.RawMessage{json.RawMessage(wrong)}}
			}
			return nil
		})
		m := match(t, cheat, MatchConfig{Players: []string{bot.Random, bot.Easy}, Games: 6, Seed: "x", Opening: -1})
		// In Bosk turn 5 is that of seat 1, which easy has in every other game.
		if honest, wicked := m.ByPlayer[0], m.ByPlayer[1]; honest.Illegal != 0 || wicked.Illegal != 3 || m.Games != 6 {
			t.Errorf("%q: %d illegal answers of random and %d of easy in %d games", wrong, honest.Illegal, wicked.Illegal, m.Games)
		}
		if first := m.Illegal[0]; first.Player != bot.Easy || first.Seat != 1 || first.Turn != 5 || first.Move != wrong || first.Why == "" {
			t.Errorf("it is told as %+v", first)
		}
	}
}

func TestMovesThatTimeCutAreCounted(t *testing.T) {
	hasty := plant(gametest.Tiny(), func(p game.Position, ask bot.Ask) *bot.Thought {
		if ask.Player == bot.Easy {
			return &bot.Thought{Line: p.Moves()[:1], Cut: true}
		}
		return nil
	})
	m := match(t, hasty, MatchConfig{Players: []string{bot.Random, bot.Easy}, Games: 2, Seed: "x"})
	if m.ByPlayer[0].Cut != 0 || m.ByPlayer[1].Cut < m.ByPlayer[1].TurnMS.Turns || m.ByPlayer[1].Illegal != 0 {
		t.Errorf("%+v", m.ByPlayer)
	}
}

// TestEveryoneHasEverySeatAndTheSameDeal: in the games of a group everyone has
// every seat once, and players begin to think in the same position in all of them,
// but in another in another group; in Bosk, where nothing is dealt, after one turn
// of every seat.
func TestEveryoneHasEverySeatAndTheSameDeal(t *testing.T) {
	begins(t, bosk.Game(), 4, -1, 4)
	begins(t, bosk.Game(), 3, 5, 5)
	begins(t, grandbois.Game(), 3, -1, 0)
}

func begins[S, M comparable](t *testing.T, def game.Definition[S, M], seats, opening, turns int) {
	t.Helper()
	names := []string{bot.Random, bot.Easy, bot.Greedy, "flat:1"}[:seats]
	var first []string // the views of the first position of each game that a player thinks about
	sat := map[string]int{}
	last := ""
	a := plant(def, func(p game.Position, ask bot.Ask) *bot.Thought {
		if of := ask.Seed[:strings.LastIndex(ask.Seed, " ")]; of != last { // it names the game, then the ply
			last = of
			if p.Turn() != turns {
				t.Errorf("%s: players begin in turn %d", def.Name, p.Turn())
			}
			first = append(first, string(p.View()))
		}
		sat[fmt.Sprint(len(first), ask.Player, p.ToAct())]++
		return &bot.Thought{Line: p.Moves()[:1]}
	})
	match(t, a, MatchConfig{Players: names, Games: 2 * seats, Seed: "oak", Opening: opening, Cores: 1})
	if len(first) != 2*seats {
		t.Fatalf("%s: %d games", def.Name, len(first))
	}
	for n := range first {
		if (first[n] == first[0]) != (n < seats) {
			t.Errorf("%s: game %d begins like game 0: %v", def.Name, n, first[n] == first[0])
		}
	}
	for n := range seats {
		for i, name := range names {
			if seat := (i + n) % seats; sat[fmt.Sprint(n+1, name, seat)] == 0 {
				t.Errorf("%s: in game %d %s does not sit in seat %d", def.Name, n, name, seat)
			}
		}
	}
}

// TestReportByHand: two groups of a table of three, x in one seat and y in two. The
// comment beside each game has the share of the win that x has, and its margin.
func TestReportByHand(t *testing.T) {
	game := func(totals, ranks []int, turns ...[]uint32) *played {
		return &played{Totals: totals, Ranks: ranks, Turns: turns}
	}
	r := &run{groups: []group{{deal: "0", players: []string{"x", "y", "y"}}, {deal: "1", players: []string{"x", "y", "y"}}}}
	r.number()
	some := []uint32{1000, 3000}
	copy(r.results, []*played{
		game([]int{9, 7, 5}, []int{1, 2, 3}, some, nil, nil),                        // x in seat 0: 1, +2
		game([]int{5, 3, 6}, []int{2, 3, 1}, nil, []uint32{5000}, nil),              // in seat 1: 0, -3
		game([]int{6, 2, 6}, []int{1, 3, 1}, []uint32{9000}, nil, []uint32{200000}), // in seat 2: 1/2, 0
		game([]int{4, 4, 1}, []int{1, 1, 3}, some, some, some),                      // 1/2, 0
		game([]int{1, 8, 2}, []int{3, 1, 2}, nil, nil, nil),                         // 1, +6
		game([]int{0, 2, 1}, []int{3, 1, 2}, nil, nil, nil),                         // 0, -1
	})
	r.results[4].Cut = []int{0, 3, 1}
	r.results[5].Illegal = []Illegal{{Seat: 2}, {Seat: 2}, {Seat: 0}}
	x, y := r.report(2, "x", 4*time.Millisecond), r.report(2, "y", 4*time.Millisecond)
	near(t, "wins of x", x.WinShare.Mean, 0.5, 1e-12)
	near(t, "wins of y", y.WinShare.Mean, 0.25, 1e-12)
	near(t, "margin of x", x.Margin.Mean, (2.0-3+0+0+6-1)/6, 1e-12)
	near(t, "score of x", x.Score.Mean, (9.0+3+6+4+8+1)/6, 1e-12)
	if x.Seats != 1 || y.Seats != 2 || x.Cut != 3 || y.Cut != 1 || x.Illegal != 2 || y.Illegal != 1 {
		t.Errorf("%+v\n%+v", x, y)
	}
	if want := (Times{Turns: 6, Median: 3, P99: 200, Most: 200}); x.TurnMS != want || x.Late != 2 {
		t.Errorf("turns of x %+v, %d late", x.TurnMS, x.Late)
	}
	for seat, want := range []float64{(1 + 0 + 0.5 + 0.5) / 6, (0.5 + 1 + 1) / 6, (1 + 0.5) / 6} {
		near(t, fmt.Sprint("wins of seat ", seat), r.bySeat(2, 3)[seat].Mean, want, 1e-12)
	}
	if one := r.report(1, "x", 0); math.Abs(one.WinShare.Mean-0.5) > 1e-12 || one.WinShare.Most != 1 || one.Late != 0 {
		t.Errorf("the first group alone: %+v", one)
	}
}

// TestGoingOnIsAsIfNothingHappened: a run that is interrupted again and again, and
// once in the middle of a line, ends like one that never was.
func TestGoingOnIsAsIfNothingHappened(t *testing.T) {
	cfg := MatchConfig{Players: []string{bot.Greedy, bot.Random, "flat:10"}, Games: 60, Seed: "acorn", Opening: -1}
	whole := timeless(t, match(t, Of(gametest.Tiny()), cfg))
	cfg.Save = filepath.Join(t.TempDir(), "games.jsonl")
	seen := 0
	for _, stopAt := range []int{1, 8, 30, 59} {
		ctx, stop := context.WithCancel(background())
		cfg.Cores = 1 + stopAt%3
		cfg.Progress = func(finished int) {
			if finished >= stopAt {
				stop()
			}
		}
		m, err := Of(gametest.Tiny()).Match(ctx, cfg)
		stop()
		if err != nil {
			t.Fatal(err)
		}
		if !m.Interrupted && stopAt < 50 || m.Games < seen || m.Games%3 != 0 {
			t.Errorf("stopped at %d of 60: %d games, after %d before", stopAt, m.Games, seen)
		}
		seen = m.Games
		file, err := os.OpenFile(cfg.Save, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = file.WriteString(`{"deal":"19","rotation":1,"tot`)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cfg.Progress = nil
	if got := timeless(t, match(t, Of(gametest.Tiny()), cfg)); got != whole {
		t.Errorf("interrupted:\n%s\nnever interrupted:\n%s", got, whole)
	}
	raw, err := os.ReadFile(cfg.Save)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(raw, []byte("\n")); n != 61 {
		t.Errorf("%d lines are saved of 60 games", n)
	}
	// What was saved serves for fewer games, for more, and for a sequential test.
	for _, games := range []int{30, 90} {
		cfg.Games = games
		got := timeless(t, match(t, Of(gametest.Tiny()), cfg))
		plain := cfg
		plain.Save = ""
		if want := timeless(t, match(t, Of(gametest.Tiny()), plain)); got != want {
			t.Errorf("%d games:\n%s\nwithout a file:\n%s", games, got, want)
		}
	}
}

func TestALadderGoesOn(t *testing.T) {
	cfg := LadderConfig{Players: []string{bot.Random, bot.Easy, bot.Greedy}, Seats: []int{2, 3, 4}, Games: 18, Seed: "x", Opening: -1}
	ladder := func(ctx context.Context, cfg LadderConfig) *Ladder {
		l, err := Of(gametest.Tiny()).Ladder(ctx, cfg)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	whole := ladder(background(), cfg)
	if len(whole.Tables) != 3 {
		t.Errorf("three players sit at %d sizes of tables, all together included", len(whole.Tables))
	}
	cfg.Save = filepath.Join(t.TempDir(), "games.jsonl")
	cfg.Cores = 3 // with more, all games may be under way before the interrupt
	ctx, stop := context.WithCancel(background())
	defer stop()
	cfg.Progress = func(finished, all int) {
		if finished == 10 && all == 36 {
			stop()
		}
	}
	if part := ladder(ctx, cfg); !part.Interrupted || part.Games >= 36 {
		t.Errorf("%+v", part)
	}
	cfg.Progress = nil
	if got, want := timeless(t, ladder(background(), cfg)), timeless(t, whole); got != want {
		t.Errorf("interrupted:\n%s\nnever interrupted:\n%s", got, want)
	}
}

// TestWhatCannotBeGoneOnFrom: other settings, other files, lines that are no games.
// Each error says what is wrong, and nothing is written.
func TestWhatCannotBeGoneOnFrom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.jsonl")
	base := MatchConfig{Players: []string{bot.Greedy, bot.Random}, Games: 4, Seed: "acorn", Opening: -1, Save: path}
	match(t, Of(gametest.Tiny()), base)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what, want string, a Arena, change func(*MatchConfig)) {
		t.Helper()
		cfg := base
		change(&cfg)
		before, _ := os.ReadFile(path)
		_, err := a.Match(background(), cfg)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "games.jsonl") {
			t.Errorf("%s: %v, wants %q", what, err, want)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s: the file was written", what)
		}
	}
	refused("seed", `seed is "acorn" there and "oak" here`, Of(gametest.Tiny()), func(c *MatchConfig) { c.Seed = "oak" })
	refused("players", `players is ["greedy","random"] there and ["random","greedy"] here`, Of(gametest.Tiny()), func(c *MatchConfig) { c.Players = []string{bot.Random, bot.Greedy} })
	refused("seats", "seats is [2] there and [3] here", Of(gametest.Tiny()), func(c *MatchConfig) { c.Players = []string{bot.Random, bot.Greedy, bot.Easy} })
	refused("opening", "opening is -1 there and 1 here", Of(gametest.Tiny()), func(c *MatchConfig) { c.Opening = 1 })
	refused("game", `game is "tiny" there and "bosk" here`, Of(bosk.Game()), func(*MatchConfig) {})
	for _, c := range []struct{ text, want string }{
		{"hello\n", "line 1: this is no file of saved games"},
		{"{}\n", "line 1: this is no file of saved games"},
		{string(good) + "hello\n", "line 6: "},
		{string(good) + "{}\n", "line 6: this is no game of these tables"},
		{string(good) + `{"deal":"0","rotation":2,"totals":[1,2],"ranks":[2,1],"us":[[],[]]}` + "\n", "line 6: this is no game that can be counted"},
		{string(good) + `{"deal":"0","rotation":0,"totals":[1,2],"ranks":[2,3],"us":[[],[]]}` + "\n", "line 6: this is no game that can be counted"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		refused(c.text[max(0, len(c.text)-40):], c.want, Of(gametest.Tiny()), func(*MatchConfig) {})
	}
}

// TestGamesByOtherMindsAreOfAnotherMatch: where a level plays, what it looks at belongs to
// the settings; others have no minds that could change.
func TestGamesByOtherMindsAreOfAnotherMatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.jsonl")
	play := func(players ...string) error {
		_, err := Of(gametest.Tiny()).Match(background(), MatchConfig{Players: players, Games: 2, Seed: "acorn", Opening: -1, Save: path})
		return err
	}
	if err := play("level:1", bot.Random); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	minds := regexp.MustCompile(`"minds":"[0-9a-f]{8}",`).Find(good)
	if minds == nil {
		t.Fatalf("no minds are said in %s", good)
	}
	if err := play("level:1", bot.Random); err != nil {
		t.Errorf("by the same minds: %v", err)
	}
	for _, change := range []string{`"minds":"0123abcd",`, `"minds":null,`, ""} {
		if err := os.WriteFile(path, bytes.Replace(good, minds, []byte(change), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := play("level:1", bot.Random); err == nil || !strings.Contains(err.Error(), "by other levels") {
			t.Errorf("with %q there: %v", change, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := play(bot.Greedy, bot.Random); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(path); err != nil || bytes.Contains(raw, []byte("minds")) {
		t.Errorf("minds of who has none: %v, %s", err, raw)
	}
}

// TestMindsAreThoseOfTheTables: how a game has nets asked depends on the number of seats, and
// every report that is saved names its minds.
func TestMindsAreThoseOfTheTables(t *testing.T) {
	tables := func(seats ...int) *tables {
		at, err := newTables(bot.Of(bosk.Game()), nil, nil, "acorn", -1, seats...)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	a := Of(bosk.Game()).(arena[bosk.Position, bosk.Move])
	two, three, both := a.minds([]string{"level:1"}, tables(2)), a.minds([]string{"level:1"}, tables(3)), a.minds([]string{"level:1"}, tables(2, 3))
	if two == three || both == two || both == three {
		t.Errorf("by the same minds at tables of two, of three and of both: %s, %s, %s", two, three, both)
	}
	for what, play := range map[string]func(save string) error{
		"ladder": func(save string) error {
			_, err := Of(gametest.Tiny()).Ladder(background(), LadderConfig{Players: []string{"level:1", bot.Random}, Seats: []int{2}, Games: 2, Seed: "acorn", Opening: -1, Save: save})
			return err
		},
		"balance": func(save string) error {
			_, err := Of(gametest.Tiny()).Balance(background(), BalanceConfig{Seats: 2, Player: "level:1", Games: 2, Seed: "acorn", Opening: -1, Save: save})
			return err
		},
	} {
		path := filepath.Join(t.TempDir(), what)
		if err := play(path); err != nil {
			t.Fatal(what, err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, regexp.MustCompile(`"minds":"[0-9a-f]{8}"`).ReplaceAll(raw, []byte(`"minds":"0123abcd"`)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := play(path); err == nil || !strings.Contains(err.Error(), "by other levels") {
			t.Errorf("a %s of other minds: %v", what, err)
		}
	}
}

// FuzzSave: whatever a file holds is read or refused, and what is read can be
// counted and is read the same again.
func FuzzSave(f *testing.F) {
	sets := []settings{
		{Copse: "match", Format: saveFormat, Game: "tiny", Version: 1, Seats: []int{2, 3}, Players: []string{"a", "b"}, Opening: -1},
		{Copse: "balance", Format: saveFormat, Game: "tiny", Version: 1, Seats: []int{2}, Players: []string{"a", "a"}, Opening: -1, weighs: true, things: 2},
	}
	f.Add([]byte(""))
	f.Add([]byte(`{"deal":"0","rotation":0,"totals":[1,2],"ranks":[2,1],"us":[[4],[]]}` + "\n"))
	f.Add([]byte(`{"deal":"0","rotation":0,"totals":[1,2,2],"ranks":[3,1,1],"us":[[4],[],null],"cut":[0,1,0],"illegal":[{"seat":9}]}` + "\n{"))
	f.Add([]byte(`{"deal":"0","rotation":0,"totals":[1,2],"ranks":[2,1],"us":[[],[]],"weighed":{"rounds":3,"ending":"snow","parts":[[1,0,0,0],[2,0,0,0]],"marks":["02","ef"]}}` + "\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, set := range sets {
			header, err := json.Marshal(set)
			if err != nil {
				t.Fatal(err)
			}
			text := slices.Concat(header, []byte("\n"), raw)
			games, whole, err := readSave(text, set)
			if err != nil {
				continue
			}
			for _, p := range games {
				total := 0.0
				for seat := range p.Totals {
					total += p.share(seat)
					p.margin(seat)
				}
				near(t, "shares", total, 1, 1e-9)
			}
			if set.weighs {
				w := weighing{seats: 2, things: []game.Thing{{Name: "a", Group: "x", Weight: 1}, {Name: "b", Group: "y", Weight: 1}}}
				if b := w.report(games); b.Games != len(games) {
					t.Errorf("%d of %d games are counted", b.Games, len(games))
				}
			}
			if again, n, err := readSave(text[:whole], set); err != nil || n != whole || !reflect.DeepEqual(again, games) {
				t.Errorf("read again: %v", err)
			}
		}
	})
}

// TestASchedule: at tables of two every pair meets equally often, at larger ones
// everyone sits equally often and nobody twice. With more games the first ones stay
// the same.
func TestASchedule(t *testing.T) {
	players := []string{"a", "b", "c", "d", "e"}
	groups := schedule(players, []int{2, 3, 4}, 120, "seed")
	pairs, sat, deals := map[string]int{}, map[string]int{}, map[string][]string{}
	for _, g := range groups {
		if len(distinct(g.players)) != len(g.players) || deals[g.deal] != nil {
			t.Errorf("%+v", g)
		}
		deals[g.deal] = g.players
		if len(g.players) == 2 {
			pairs[strings.Join(slices.Sorted(slices.Values(g.players)), "")]++
		}
		for _, name := range g.players {
			sat[fmt.Sprint(len(g.players), name)]++
		}
	}
	if len(groups) != 60+40+30 || len(pairs) != 10 {
		t.Errorf("%d groups, %d pairs", len(groups), len(pairs))
	}
	for pair, n := range pairs {
		if n != 6 {
			t.Errorf("%s meet %d times", pair, n)
		}
	}
	for who, n := range sat {
		if n != 24 {
			t.Errorf("%s sits %d times", who, n)
		}
	}
	for _, g := range schedule(players, []int{2, 3, 4}, 60, "seed") {
		if !slices.Equal(deals[g.deal], g.players) {
			t.Errorf("deal %s: %v of few, %v of many", g.deal, g.players, deals[g.deal])
		}
	}
	early := map[int]int{} // a ladder that is interrupted has some of each
	for _, g := range groups[:13] {
		early[len(g.players)]++
	}
	if early[2] != 6 || early[3] != 4 || early[4] != 3 {
		t.Errorf("of the first 13 groups: %v", early)
	}
}

// TestTheReportIsAPage: every plot has a table beside it, every player is named,
// there is no script, nothing is fetched, and it is well formed.
func TestTheReportIsAPage(t *testing.T) {
	players := []string{bot.Random, bot.Easy, "flat:5", "flat:20"}
	l, err := Of(gametest.Tiny()).Ladder(background(), LadderConfig{Players: players, Seats: []int{2, 3, 4}, Games: 12, Seed: `</p><script>alert(1)</script>`, Opening: -1})
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := l.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	if svg, tables := strings.Count(text, "<svg "), strings.Count(text, "<table>"); svg != 6 || tables != svg {
		t.Errorf("%d plots and %d tables", svg, tables)
	}
	for _, forbidden := range []string{"<script", "http", "url(", "NaN", "Inf", "ZgotmplZ"} {
		if strings.Contains(text, forbidden) {
			t.Errorf("the page has %s", forbidden)
		}
	}
	for _, wanted := range append(players, "@media (prefers-", `role="img"`) {
		if !strings.Contains(text, wanted) {
			t.Errorf("the page has no %s", wanted)
		}
	}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	// A ladder of which nothing was played yet is a page, too.
	stopped, stop := context.WithCancel(background())
	stop()
	if l, err = Of(gametest.Tiny()).Ladder(stopped, LadderConfig{Players: players, Seats: []int{2, 3}, Games: 12}); err != nil || !l.Interrupted {
		t.Fatalf("%v", err)
	}
	page.Reset()
	if err := l.WriteHTML(&page); err != nil || strings.Contains(page.String(), "NaN") || strings.Contains(page.String(), "Inf") {
		t.Errorf("%v, %s", err, page.String())
	}
	if _, err := json.Marshal(l); err != nil {
		t.Error(err)
	}
}

// TestWhatIsPlannedEndsWithTheTurn: where a player names more moves than its turn
// has, the rest is dropped and the next player is asked.
func TestWhatIsPlannedEndsWithTheTurn(t *testing.T) {
	asked := map[int]int{}
	hasty := plant(bosk.Game(), func(p game.Position, _ bot.Ask) *bot.Thought {
		asked[p.Turn()]++
		return &bot.Thought{Line: p.Moves()[:min(2, len(p.Moves()))]}
	})
	m := match(t, hasty, MatchConfig{Players: []string{bot.Easy, bot.Random}, Games: 2, Seed: "x", Opening: 0, Cores: 1})
	for turn := range 16 { // spring, a move each
		if asked[turn] != 2 {
			t.Errorf("turn %d of two games: %d were asked", turn, asked[turn])
		}
	}
	if m.Games != 2 {
		t.Errorf("%d games", m.Games)
	}
}
