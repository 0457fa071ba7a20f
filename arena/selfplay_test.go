package arena

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
)

// taught is a row of a file of lessons.
type taught struct {
	game, seat, turn int
	features         []int16
	lead, win        float64 // of the playouts
	came, won        float64 // of the game
}

// learn plays games and reads what was written of them.
func learn(t *testing.T, g Arena, cfg SelfPlayConfig) (lesson, []taught, []byte) {
	t.Helper()
	var file bytes.Buffer
	if games, err := g.SelfPlay(t.Context(), cfg, &file); err != nil || games != cfg.Games {
		t.Fatalf("%d games, %v", games, err)
	}
	text, raw, ok := bytes.Cut(file.Bytes(), []byte{'\n'})
	var head lesson
	if err := json.Unmarshal(text, &head); err != nil || !ok {
		t.Fatalf("%s: %v", text, err)
	}
	size := 4 + 2 + 2 + 2*head.Inputs + 4*4
	if len(raw) == 0 || len(raw)%size != 0 {
		t.Fatalf("%d bytes are no rows of %d", len(raw), size)
	}
	var rows []taught
	for ; len(raw) > 0; raw = raw[size:] {
		r := taught{game: int(binary.LittleEndian.Uint32(raw)), seat: int(binary.LittleEndian.Uint16(raw[4:])), turn: int(binary.LittleEndian.Uint16(raw[6:]))}
		for i := range head.Inputs {
			r.features = append(r.features, int16(binary.LittleEndian.Uint16(raw[8+2*i:])))
		}
		for i, y := range []*float64{&r.lead, &r.win, &r.came, &r.won} {
			*y = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[8+2*head.Inputs+4*i:])))
		}
		rows = append(rows, r)
	}
	return head, rows, file.Bytes()
}

// TestLessons: rows come for every seat of a position; what playouts and the game brought
// adds up between two, the end of a game is the same in all its rows, and the same seed
// brings the same file on any number of cores.
func TestLessons(t *testing.T) {
	t.Parallel()
	for _, g := range []Arena{Of(grandbois.Game()), Of(bosk.Game()), Of(treesociety.Game())} {
		cfg := SelfPlayConfig{Seats: 2, Player: "greedy", Games: 4, Playouts: 3, Part: 0.5, Seed: "oak", Cores: 1}
		head, rows, file := learn(t, g, cfg)
		if head.Copse != "lesson" || head.Format != 1 || head.Seats != 2 || head.Games != 4 || head.Player != "greedy" || head.Seed != "oak" || head.For == "" {
			t.Errorf("%+v", head)
		}
		ends := map[int]taught{}
		beside, turns := 0, map[int]bool{}
		for i := 0; i < len(rows); i += 2 {
			a, b := rows[i], rows[i+1]
			if a.seat != 0 || b.seat != 1 || a.game != b.game || a.turn != b.turn {
				t.Fatalf("%+v is followed by %+v", a, b)
			}
			near(t, "leads of playouts", a.lead+b.lead, 0, 1e-5)
			near(t, "wins of playouts", a.win+b.win, 1, 1e-5)
			if math.IsNaN(a.came) {
				beside++
				if !math.IsNaN(a.won) || !math.IsNaN(b.came) || !math.IsNaN(b.won) {
					t.Fatalf("half an end: %+v and %+v", a, b)
				}
				continue
			}
			turns[a.game<<8|a.turn] = true
			near(t, "leads", a.came+b.came, 0, 1e-5)
			near(t, "wins", a.won+b.won, 1, 1e-5)
			if a.came > 0 != (a.won == 1) && a.came != 0 {
				t.Errorf("who is %v ahead has %v of the win", a.came, a.won)
			}
			if end, ok := ends[a.game]; ok && (end.came != a.came || end.won != a.won) {
				t.Errorf("game %d ends with %v and with %v", a.game, end.came, a.came)
			}
			ends[a.game] = a
		}
		if len(ends) != 4 || beside == 0 || beside > len(turns) {
			t.Errorf("%s: ends of %d games, %d positions of games and %d beside them", head.For, len(ends), len(turns), beside)
		}
		cfg.Cores = 3
		if _, _, again := learn(t, g, cfg); !bytes.Equal(again, file) {
			t.Errorf("%s: three cores write another file than one", head.For)
		}
		cfg.Seed = "elm"
		if _, _, other := learn(t, g, cfg); bytes.Equal(other[bytes.IndexByte(other, '\n'):], file[bytes.IndexByte(file, '\n'):]) {
			t.Errorf("%s: another seed writes the same", head.For)
		}
	}
}

// TestLessonsThatAreCutShort: an interrupt leaves the beginning of the whole file, and says of
// how many games. Who cannot write is told so.
func TestLessonsThatAreCutShort(t *testing.T) {
	t.Parallel()
	g := Of(grandbois.Game())
	cfg := SelfPlayConfig{Seats: 2, Player: "level:1", Games: 40, Playouts: 1, Part: 0.5, Seed: "oak", Cores: 3}
	_, rows, file := learn(t, g, cfg)
	for _, most := range []int{0, 1, 7} {
		ctx, stop := context.WithCancel(t.Context())
		if most == 0 {
			stop()
		}
		cfg.Progress = func(finished int) {
			if finished == most {
				stop()
			}
		}
		var part bytes.Buffer
		games, err := g.SelfPlay(ctx, cfg, &part)
		stop()
		if err != nil || games < most || games > most+3*4*cfg.Cores || games == cfg.Games {
			t.Errorf("interrupted after %d games: %d, %v", most, games, err)
		}
		size := (len(file) - bytes.IndexByte(file, '\n') - 1) / len(rows)
		want := bytes.IndexByte(file, '\n') + 1 + size*until(rows, games)
		if !bytes.Equal(part.Bytes(), file[:want]) {
			t.Errorf("%d games are %d bytes, and not the first %d of the whole", games, part.Len(), want)
		}
	}
	cfg.Progress = nil
	if games, err := g.SelfPlay(t.Context(), cfg, &fullDisk{}); err != errFull || games != 0 { // told once
		t.Errorf("%d games were played before anybody saw that they cannot be written: %v", games, err)
	}
	full := &fullDisk{left: len(file) / 2}
	if games, err := g.SelfPlay(t.Context(), cfg, full); !errors.Is(err, errFull) {
		t.Errorf("%d games on a full disk: %v", games, err)
	}
}

// until is how many rows the first games have.
func until(rows []taught, games int) int {
	for i, r := range rows {
		if r.game >= games {
			return i
		}
	}
	return len(rows)
}

// fullDisk takes so many bytes and no more.
type fullDisk struct{ left int }

var errFull = errors.New("the disk is full")

func (f *fullDisk) Write(raw []byte) (int, error) {
	if f.left -= len(raw); f.left < 0 {
		return 0, errFull
	}
	return len(raw), nil
}

// TestStrayingTeachesNoEnd: of what came before a game strayed its end tells nothing,
// and of what came after it does.
func TestStrayingTeachesNoEnd(t *testing.T) {
	t.Parallel()
	cfg := SelfPlayConfig{Seats: 2, Player: "greedy", Games: 12, Playouts: 1, Part: 1, Seed: "oak", Stray: 0.1, Cores: 2}
	_, rows, _ := learn(t, Of(grandbois.Game()), cfg)
	before, after := 0, 0
	known := map[int]int{} // by game: the first turn of which the end tells
	for _, r := range rows {
		if first, ok := known[r.game]; !math.IsNaN(r.came) && (!ok || r.turn < first) {
			known[r.game] = r.turn
		}
	}
	blank := map[[2]int]int{} // rows without an end, by game and turn
	for _, r := range rows {
		if math.IsNaN(r.came) {
			blank[[2]int{r.game, r.turn}]++
		} else if after++; r.turn < known[r.game] {
			t.Fatalf("%+v", r)
		}
	}
	for n, first := range known {
		before += first
		if first > 0 && blank[[2]int{n, 0}] == 0 {
			t.Errorf("game %d: nothing is written of its first turn", n)
		}
	}
	if before == 0 || after == 0 {
		t.Errorf("%d turns before games strayed, %d rows after", before, after)
	}
	_, usual, _ := learn(t, Of(grandbois.Game()), SelfPlayConfig{Seats: 2, Player: "greedy", Games: 12, Playouts: 1, Part: 1, Seed: "oak", Cores: 2})
	cfg.Stray = 1
	if _, rows, _ = learn(t, Of(grandbois.Game()), cfg); rows[0].lead != rows[0].lead {
		t.Error("nothing is known of playouts")
	}
	for _, r := range rows {
		if !math.IsNaN(r.came) {
			t.Fatalf("a game that strays all the time tells its end: %+v", r)
		}
		if r.turn == 20 && slices.ContainsFunc(usual, func(u taught) bool { return slices.Equal(u.features, r.features) }) {
			t.Errorf("game %d strays, and comes to where it would have come anyway", r.game)
		}
	}
}

// TestStraying: turns stray for a while and no longer, everyone's alike.
func TestStraying(t *testing.T) {
	t.Parallel()
	a := &straying{often: 0.05, seen: -1, last: -1, rng: rand.New(rand.NewPCG(1, 2))}
	run, runs, away := 0, map[int]int{}, 0
	for turn := range 20_000 {
		first := a.who(turn)
		if again := a.who(turn); again != first { // a turn is several moves
			t.Fatalf("turn %d: %q and %q", turn, first, again)
		}
		if first != "" {
			run, away = run+1, away+1
			if a.last != turn {
				t.Fatalf("turn %d strays, and the last is %d", turn, a.last)
			}
			continue
		}
		if run > 0 {
			runs[min(run, longestStray+1)]++
		}
		run = 0
	}
	for n := 1; n <= longestStray; n++ {
		if runs[n] < 50 {
			t.Errorf("only %d times it strays for %d turns: %v", runs[n], n, runs)
		}
	}
	if away < 2000 || away > 4500 { // about 0.05·3.5/(1+0.05·2.5)
		t.Errorf("%d of 20,000 turns stray", away)
	}
}

// TestLessonsSayWhatWasChosen: options that are as usual are not said, so that such lessons go
// with those of the usual game.
func TestLessonsSayWhatWasChosen(t *testing.T) {
	for options, want := range map[string]string{"": "", "{}": "", `{"expert":false}`: "", `{"expert":true}`: `{"expert":true}`} {
		head, _, _ := learn(t, Of(grandbois.Game()), SelfPlayConfig{Seats: 2, Player: "random", Options: json.RawMessage(options), Games: 1, Playouts: 1, Part: 0.1, Seed: "oak"})
		if string(head.Options) != want {
			t.Errorf("of %q the lessons say %q", options, head.Options)
		}
	}
}

// TestNothingToLearnFrom: a game that counts nothing, and a box that no net is for, are
// refused; a player that does not exist too.
func TestNothingToLearnFrom(t *testing.T) {
	t.Parallel()
	cfg := SelfPlayConfig{Seats: 2, Player: "greedy", Games: 1, Playouts: 1, Part: 1, Seed: "oak"}
	var file bytes.Buffer
	if _, err := Of(gametest.Tiny()).SelfPlay(t.Context(), cfg, &file); !errors.Is(err, errBlind) {
		t.Errorf("the tiny game: %v", err)
	}
	cfg.Options = json.RawMessage(`{"draft":true}`)
	if _, err := Of(treesociety.Game()).SelfPlay(t.Context(), cfg, &file); !errors.Is(err, errBlind) {
		t.Errorf("options that no net is for: %v", err)
	}
	cfg.Options, cfg.Player = nil, "nobody"
	var fault *game.Fault
	if _, err := Of(grandbois.Game()).SelfPlay(t.Context(), cfg, &file); !errors.As(err, &fault) {
		t.Errorf("nobody: %v", err)
	}
	if file.Len() != 0 {
		t.Errorf("%d bytes were written", file.Len())
	}
}
