package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
	"copse/i18n"
)

var update = flag.Bool("update", false, "write the transcripts of testdata anew")

// keyboard types a script, line by line, and shows each line on the screen.
type keyboard struct {
	lines  []string
	screen *bytes.Buffer
}

func (k *keyboard) Read(p []byte) (int, error) {
	if len(k.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(p, k.lines[0])
	if k.lines[0] = k.lines[0][n:]; k.lines[0] == "" {
		k.screen.WriteString(quote(strings.TrimRight(string(p[:n]), "\n")) + "\n")
		k.lines = k.lines[1:]
	}
	return n, nil
}

// play is the transcript of a session in which script is typed.
func play(t testing.TB, cfg Config, script string) string {
	t.Helper()
	var screen bytes.Buffer
	lines := strings.SplitAfter(script, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if err := Play(t.Context(), cfg, &keyboard{lines, &screen}, &screen); err != nil {
		t.Fatal(err)
	}
	return screen.String()
}

// TestTranscripts types each script in testdata; the screen must be as it was when
// somebody last looked at it. To look again: go test ./terminal -update, and git
// diff.
func TestTranscripts(t *testing.T) {
	boskGame, wood, tiny := game.Of(bosk.Game()), game.Of(grandbois.Game()), game.Of(gametest.Tiny())
	society := game.Of(treesociety.Game())
	for name, cfg := range map[string]Config{
		"commands":       {Game: boskGame, Seats: 2, Humans: 1, Seed: "oak"},
		"garbage":        {Game: boskGame, Seats: 2, Humans: 1, Seed: "oak"},
		"refusals":       {Game: boskGame, Seats: 2, Humans: 2, Seed: "oak"},
		"french":         {Game: boskGame, Seats: 3, Humans: 1, Seed: "chêne", Lang: "fr_CH.UTF-8"},
		"italian":        {Game: boskGame, Seats: 3, Humans: 1, Seed: "quercia", Lang: "it"},
		"nothing-typed":  {Game: boskGame, Seats: 4, Humans: 1, Seed: "oak"},
		"whole-2":        {Game: boskGame, Seats: 2, Humans: 1, Seed: "two"},
		"whole-3-french": {Game: boskGame, Seats: 3, Humans: 1, Seed: "trois", Lang: "fr"},
		"whole-4-hot":    {Game: boskGame, Seats: 4, Humans: 2, Seed: "four"},
		"looking-on":     {Game: boskGame, Seats: 4, Humans: 0, Seed: "quattro", Lang: "it"},
		"secrets":        {Game: tiny, Seats: 3, Humans: 2, Seed: "hazel"},

		"grandbois-commands":    {Game: wood, Options: []byte(`{"expert":true}`), Seats: 2, Humans: 1, Seed: "chestnut"},
		"grandbois-french":      {Game: wood, Seats: 3, Humans: 1, Seed: "marron", Lang: "fr"},
		"grandbois-hot-italian": {Game: wood, Seats: 4, Humans: 2, Seed: "castagna", Lang: "it"},
		"grandbois-looking-on":  {Game: wood, Seats: 4, Humans: 0, Seed: "bogue", Lang: "fr"},
		"grandbois-whole-2":     {Game: wood, Seats: 2, Humans: 1, Seed: "acorn"},

		"treesociety-commands": {Game: society, Seats: 2, Humans: 1, Seed: "apple"},
		"treesociety-french":   {Game: society, Options: []byte(`{"draft":true,"guilds":["architects","writers","botanists","explorers"]}`), Seats: 3, Humans: 1, Seed: "pomme", Lang: "fr"},
		"treesociety-italian":  {Game: society, Seats: 4, Humans: 0, Seed: "mela", Lang: "it"},
	} {
		t.Run(name, func(t *testing.T) {
			script, err := os.ReadFile(filepath.Join("testdata", name+".in"))
			if err != nil {
				t.Fatal(err)
			}
			cfg.Again = func(seed string) []string {
				return []string{"copse", "play", cfg.Game.About().Name, "--seats", strconv.Itoa(cfg.Seats), "--seed", seed}
			}
			got := play(t, cfg, unescape(string(script)))
			file := filepath.Join("testdata", name+".out")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the screen of %s has changed, from line %d on; go test ./terminal -update shows where",
					name, 1+strings.Count(common(got, string(want)), "\n"))
			}
			tooWide(t, got)
		})
	}
}

// unescape puts in what is hard to keep in a file: a line that is far too long, and
// bytes that are no text.
func unescape(script string) string {
	script = strings.ReplaceAll(script, "LONG", strings.Repeat("long ", 20_000))
	return strings.ReplaceAll(script, "BINARY", "\x00\x1b[31m\xff\xfe\x07")
}

func common(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// tooWide looks for lines that a terminal of 80 columns would break, but for
// those that somebody typed.
func tooWide(t *testing.T, screen string) {
	t.Helper()
	for number, line := range strings.Split(screen, "\n") {
		if n := long(line); n > 80 && !strings.HasPrefix(line, "> ") {
			t.Errorf("line %d has %d columns: %s", number+1, n, line)
		}
	}
}

var bareKey = regexp.MustCompile(`\b(play|bosk|grandbois|treesociety|game|json|move)\.[a-z]`)

// TestEveryScreenFitsAndSpeaks plays everything in every language: nothing is wider
// than the screen, no key is shown, nothing is coloured.
func TestEveryScreenFitsAndSpeaks(t *testing.T) {
	t.Parallel()
	for _, g := range []game.Game{game.Of(bosk.Game()), game.Of(grandbois.Game()), game.Of(treesociety.Game())} {
		for _, locale := range i18n.Locales() {
			for seats := 2; seats <= 4; seats++ {
				where := fmt.Sprintf("%s, %s, %d seats", g.About().Name, locale.Tag(), seats)
				cfg := Config{Game: g, Seats: seats, Humans: 1 + seats%2, Lang: locale.Tag(), Seed: fmt.Sprint("fits", seats)}
				screen := play(t, cfg, "list\n"+wholeGame(seats)+"score\nlog\nhelp\nlist\nboard\nrules\n")
				if !strings.Contains(screen, i18n.Pick(locale.Tag()).Say("play.ask.over", nil, nil)[:20]) {
					t.Errorf("%s: the game does not end", where)
				}
				if key := bareKey.FindString(screen); key != "" {
					t.Errorf("%s: the screen says %q", where, key)
				}
				if strings.Contains(screen, "\x1b") {
					t.Errorf("%s: there is colour where none was asked for", where)
				}
				tooWide(t, screen)
			}
		}
	}
}

// wholeGame is a script that plays any seats to the end: 1 and 2 can always be
// chosen, and what is typed after the end does no harm.
func wholeGame(seats int) string {
	var b strings.Builder
	for i := range 160 * seats {
		fmt.Fprintln(&b, 1+i*i%2)
	}
	return b.String()
}

func TestInputThatEndsEndsWell(t *testing.T) {
	for _, script := range []string{"", "\n", "3", "3 4-4", "rule", "{", strings.Repeat("x", 10*longestLine)} {
		screen := play(t, Config{Game: game.Of(bosk.Game()), Humans: 2, Seed: "end"}, script)
		if !strings.HasSuffix(screen, i18n.Pick("en").Say("play.goodbye", nil, nil)+"\n") {
			t.Errorf("after %q the screen ends with %q", quote(script), screen[max(0, len(screen)-80):])
		}
	}
}

func again(seed string) []string { return []string{"bin/copse", "play", "--seed", seed} }

// However a game is left, the command that begins it again is on a line of its own.
func TestWhoeverLeavesIsToldTheWayBack(t *testing.T) {
	line := "\n  bin/copse play --seed '" + strings.Repeat("long ", 20) + "way'\n"
	cfg := Config{Game: game.Of(bosk.Game()), Humans: 1, Seed: strings.Repeat("long ", 20) + "way", Again: again}
	for _, script := range []string{"", "quit\n", "3 4-4\nq\n", wholeGame(2) + "quit\n"} {
		if n := strings.Count(play(t, cfg, script), line); n != 1 {
			t.Errorf("after %.20q the way back is told %d times, want once", script, n)
		}
	}
	cfg.Humans = 0
	if n := strings.Count(play(t, cfg, ""), line); n != 1 {
		t.Errorf("whoever looked on is told the way back %d times, want once", n)
	}
}

func TestAnInterruptionEndsWell(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	silent, typing := io.Pipe() // nobody types
	defer func() { _ = typing.Close() }()
	screen := &watched{prompted: interrupt}
	if err := Play(ctx, Config{Game: game.Of(bosk.Game()), Humans: 1, Seed: "stop", Again: again}, silent, screen); err != nil {
		t.Fatal(err)
	}
	if got := screen.String(); !strings.HasSuffix(got, "> \n\nTo play this game again from its beginning, with the same random choices:\n  bin/copse play --seed stop\nGoodbye!\n") {
		t.Errorf("the screen ends with %q", got[max(0, len(got)-200):])
	}
}

// watched is a screen that says when it shows the prompt.
type watched struct {
	bytes.Buffer
	prompted func()
}

func (w *watched) Write(p []byte) (int, error) {
	if bytes.HasSuffix(p, []byte("> ")) {
		w.prompted()
	}
	return w.Buffer.Write(p)
}

// Ranking and winner come last, and the sheet only when it is asked for.
func TestTheWinnerIsTheLastThingOnTheScreen(t *testing.T) {
	for _, g := range []game.Game{game.Of(bosk.Game()), game.Of(grandbois.Game()), game.Of(treesociety.Game())} {
		screen := play(t, Config{Game: g, Humans: 0, Seed: "last"}, "")
		parts := strings.Split(strings.TrimRight(screen, "\n"), "\n\n")
		ranking, winner := parts[len(parts)-2], parts[len(parts)-1]
		if !strings.HasPrefix(ranking, "1.  ") || !strings.Contains(winner, " wins ") {
			t.Errorf("the screen ends with\n%s\n\n%s", ranking, winner)
		}
		if strings.Count(screen, winner) != 1 {
			t.Errorf("%q is told twice", winner)
		}
		for _, word := range []string{"The final score", "Type “"} {
			if strings.Contains(screen, word) {
				t.Errorf("the screen says %q to somebody who cannot type", word)
			}
		}
	}
}

// After the end the game itself answers moves.
func TestMovesAfterTheEnd(t *testing.T) {
	screen := play(t, Config{Game: game.Of(bosk.Game()), Humans: 2, Seed: "end"}, wholeGame(2)+"3 4-4\nnorth\n4-4\nd5 d6\n{\"do\":\"leaf\",\"to\":[1,1]}\n7\n")
	if n := strings.Count(screen, "The game is over: there is nothing left to play."); n != 5 {
		t.Errorf("the game says %d times that it is over, want 5", n)
	}
	if !strings.HasSuffix(screen[:strings.LastIndex(screen, "> ")], "There are no moves to choose from: the game is over.\n") {
		t.Errorf("a number is answered with\n%s", screen[len(screen)-200:])
	}
}

func TestANarrowWindow(t *testing.T) {
	for columns, want := range map[int]int{0: 80, 200: 80, 80: 80, 60: 60, 40: 40, 7: 40} {
		if got := lineWidth(columns); got != want {
			t.Errorf("in %d columns lines have %d, want %d", columns, got, want)
		}
	}
	for _, g := range []game.Game{game.Of(bosk.Game()), game.Of(grandbois.Game()), game.Of(treesociety.Game())} {
		screen := play(t, Config{Game: g, Humans: 1, Seed: "narrow", Columns: 50, Rows: 24}, "1\nhelp\nlist\nrules\nscore\n"+wholeGame(2))
		welcome, _, _ := strings.Cut(screen, "\n\n")
		if widest(strings.Split(welcome, "\n")) > 50 || !strings.Contains(strings.ReplaceAll(welcome, "\n", " "), "50 columns and 24 rows") {
			t.Errorf("the welcome in 50 columns is\n%s", welcome)
		}
	}
	screen := play(t, Config{Game: game.Of(bosk.Game()), Humans: 1, Columns: 80, Rows: 50}, "")
	if strings.Contains(screen, "window") || !strings.Contains(screen, "“rules”") {
		t.Errorf("the welcome speaks of a window that is large enough, or not of the rules:\n%.400s", screen)
	}
}

func TestHowARuleIsAskedFor(t *testing.T) {
	cfg := Config{Game: game.Of(bosk.Game()), Humans: 1, Seed: "rule"}
	for _, typed := range []string{"rule 5.6", "rule 5,6", "rule5.6", "RULE5,6.", "r 5.6"} {
		if screen := play(t, cfg, typed+"\n"); !strings.Contains(screen, "\n5.6 ") {
			t.Errorf("%q does not show rule 5.6", typed)
		}
	}
}

// Whoever goes back over a draw is told that it comes again.
func TestUndoSaysWhatComesAgain(t *testing.T) {
	const same = "comes again the same"
	if screen := play(t, Config{Game: game.Of(bosk.Game()), Humans: 1, Seed: "back"}, "1\nundo\n"); strings.Contains(screen, same) {
		t.Error("nothing is drawn in Bosk")
	}
	screen := play(t, Config{Game: game.Of(grandbois.Game()), Humans: 1, Seed: "back"}, "1\n1\nundo\n1\n")
	if strings.Count(strings.ReplaceAll(screen, "\n", " "), same) != 1 {
		t.Errorf("a tile was drawn, and nobody says that it %s", same)
	}
}

// An undone move, played again, has the same outcome as before: going back is no
// second throw of the dice.
func TestUndoIsNoSecondThrow(t *testing.T) {
	cfg := Config{Game: game.Of(bosk.Game()), Seats: 3, Humans: 1, Seed: "undo"}
	once := play(t, cfg, "3 4-4\n2 5-5\nquit\n")
	again := play(t, cfg, "3 4-4\nundo\n3 4-4\n2 5-5\nundo\n2 5-5\nquit\n")
	tail := func(screen string) string { return screen[strings.LastIndex(screen, "· "):] }
	if tail(once) != tail(again) {
		t.Errorf("played once:\n%s\nplayed again:\n%s", tail(once), tail(again))
	}
}

// What one person may not know is never on the screen while another looks.
func TestSecretsStayBehindTheHandOver(t *testing.T) {
	cfg := Config{Game: game.Of(gametest.Tiny()), Seats: 2, Humans: 2, Seed: "secret"}
	screen := play(t, cfg, "\n{\"do\":\"dig\"}\n{\"do\":\"nap\"}\n\n\nlog\nboard\nscore\n")
	parts := strings.Split(screen, "Player 2;")
	if len(parts) != 2 {
		t.Fatalf("the screen is handed to player 2 %d times, want once:\n%s", len(parts)-1, screen)
	}
	if !strings.Contains(parts[0], "tiny.found") {
		t.Errorf("player 1 does not learn what was found:\n%s", parts[0])
	}
	if strings.Contains(parts[1], "tiny.found") || !strings.Contains(parts[1], "tiny.hid") {
		t.Errorf("player 2 must hear that something was hidden, not what:\n%s", parts[1])
	}
	if strings.Count(parts[1], `"hollow": null`) == 0 {
		t.Errorf("player 2 looks into the hollow of player 1:\n%s", parts[1])
	}
}

func TestAGameWithSecretsIsPlayedToItsEnd(t *testing.T) {
	cfg := Config{Game: game.Of(gametest.Tiny()), Seats: 3, Humans: 2, Seed: "snow", Again: again}
	screen := play(t, cfg, strings.Repeat("1\n", 200)+"undo\n"+strings.Repeat("1\n", 200)+"again\nquit\n")
	if n := strings.Count(screen, "tiny.snowed"); n != 2 {
		t.Errorf("the snow is told %d times, want once, and once more after going back", n)
	}
	for _, seed := range []string{"snow", "snow-2"} {
		if n := strings.Count(screen, "\n  bin/copse play --seed "+seed+"\n"); n != 1 {
			t.Errorf("how to play the game of %s again is told %d times, want once", seed, n)
		}
	}
}

func TestSettingsThatCannotBeAreExplained(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Seats: 5, Humans: 1}, "2 to 4"},
		{Config{Seats: 2, Humans: 3}, "0 to 2"},
		{Config{Seats: 2, Humans: -1}, "0 to 2"},
		{Config{Seats: 2, Options: json.RawMessage(`{"box":7}`)}, "JSON"},
	} {
		c.cfg.Game = game.Of(bosk.Game())
		err := Play(t.Context(), c.cfg, strings.NewReader(""), io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d seats, %d people, options %s: error %v, want one about %s",
				c.cfg.Seats, c.cfg.Humans, c.cfg.Options, err, c.want)
		}
	}
}

// brokenPipe takes nothing.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAClosedOutputEndsTheSession(t *testing.T) {
	err := Play(t.Context(), Config{Game: game.Of(bosk.Game()), Humans: 1}, strings.NewReader(wholeGame(2)), brokenPipe{})
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want that of the pipe", err)
	}
}

// Every phrase is declared and every declared phrase can be said.
func TestPhrases(t *testing.T) {
	declared := map[string]bool{}
	for _, phrase := range Phrases() {
		if declared[phrase.Key] {
			t.Errorf("%s is declared twice", phrase.Key)
		}
		declared[phrase.Key] = true
	}
	for _, locale := range i18n.Locales() {
		for _, key := range locale.Keys() {
			if strings.HasPrefix(key, "play.") && !declared[key] {
				t.Errorf("%s: nobody says %s", locale.Tag(), key)
			}
		}
	}
	for _, locale := range i18n.Locales() { // two commands must not share a name
		meant := map[string]string{}
		for _, command := range commands() {
			for _, name := range strings.Fields(fold(locale.Say("play.command."+command, nil, nil))) {
				if meant[name] != "" {
					t.Errorf("%s: %q is %s and %s", locale.Tag(), name, meant[name], command)
				}
				meant[name] = command
			}
		}
	}
}

func FuzzPlay(f *testing.F) {
	for _, script := range []string{
		"3 4-4\nundo\n", "{\"do\":\"plant\"}\n", "rule 5.6\nrule **\n", "list 9\n", "0\n-1\n9999999999999999999\n",
		"d5\nn\ns 4-7\n4-7 s\n1 2 3\n", "\x00\xff\n\n\r\n", "éCUREUIL 1-1\n1-1 écureuil\n", "quit", wholeGame(1),
	} {
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script string) {
		screen := play(t, Config{Game: game.Of(bosk.Game()), Seats: 2, Humans: 2, Seed: "fuzz"}, script)
		if strings.ContainsFunc(screen, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7F }) {
			t.Errorf("what was typed steers the terminal: %q", script)
		}
	})
}
