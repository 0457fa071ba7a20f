package gametest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/game"
)

func TestAReplayNamesTheLineThatDiffers(t *testing.T) {
	g := game.Of(Tiny())
	text, err := transcript(g, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
	last := len(lines)
	for _, c := range []struct {
		what     string
		line     int // the line that is changed
		old, new string
		found    int // the line at which it is found
	}{
		{"nothing", last, "", "", last},
		{"another game", 1, `"tiny"`, `"bosk"`, 1},
		{"a version that nobody has", 1, `"version":1`, `"version":9`, 1},
		{"another player", 2, `"seat":0`, `"seat":1`, 2},
		{"another number of moves", 2, `"legal":2`, `"legal":3`, 2},
		{"other moves", 3, `"list":"`, `"list":"0`, 3},
		{"something else seen", 3, `"seen":"`, `"seen":"0`, 3},
		{"an illegal move", 2, `"shake"`, `"boast"`, 2},
		{"another course", 2, `"shake"`, `"dig"`, 2},
		{"another end", last, `"rank":1`, `"rank":2`, last},
		{"lines missing", last, lines[last-1], "", last},
		{"a line too many", last, lines[last-1], lines[last-1] + "\n{}", last + 1},
	} {
		t.Run(c.what, func(t *testing.T) {
			changed := append([]string(nil), lines...)
			if !strings.Contains(changed[c.line-1], c.old) {
				t.Fatalf("line %d has no %s: %s", c.line, c.old, changed[c.line-1])
			}
			changed[c.line-1] = strings.Replace(changed[c.line-1], c.old, c.new, 1)
			line, err := replay(g, []byte(strings.Join(changed, "")))
			if line != c.found || (err == nil) != (c.what == "nothing") {
				t.Errorf("line %d: %v; want line %d", line, err, c.found)
			}
		})
	}
}

// TestAReplayNoticesNames: a name that changes in an event or a view is noticed at
// the first move that says or shows it.
func TestAReplayNoticesNames(t *testing.T) {
	text, err := transcript(game.Of(Tiny()), 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	event := func(change func(*game.Event)) func(*planted) {
		return func(p *planted) {
			p.play = func(w *Wood, seat game.Seat, d Deed, log *game.Log) {
				p.tiny.Play(w, seat, d, log)
				if log != nil && len(log.Events) > 0 {
					change(&log.Events[0])
				}
			}
		}
	}
	for what, bug := range map[string]func(*planted){
		"a field of a view": func(p *planted) {
			p.viewJSON = func(w *Wood) any {
				v := p.tiny.ViewJSON(w).(woodJSON)
				return struct {
					woodJSON
					Acting string `json:"acting"`
				}{v, v.Asked}
			}
		},
		"a view of a watcher alone": func(p *planted) {
			p.viewJSON = func(w *Wood) any {
				v := p.tiny.ViewJSON(w).(woodJSON)
				if w.Viewer == game.Watcher {
					v.Turn++
				}
				return v
			}
		},
		"the key of an event":        event(func(e *game.Event) { e.Key = "tiny.shaken" }),
		"an argument of an event":    event(func(e *game.Event) { e.Args = game.Args{"squirrel": e.Args["seat"]} }),
		"the audience of an event":   event(func(e *game.Event) { e.To = game.Only(0) }),
		"the value of an argument":   event(func(e *game.Event) { e.Args["seat"] = 2 }),
		"an event that nobody hears": event(func(e *game.Event) { e.To = 0 }),
	} {
		line, err := replay(game.Of(plant(bug)), text)
		if line != 2 || err == nil || !strings.Contains(err.Error(), "told or shown") {
			t.Errorf("%s: line %d: %v", what, line, err)
		}
	}
}

func TestAWrittenGameIsNeverWrittenOver(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(WriteGames, "1")
	Replay(t, Tiny(), dir)
	var before [][]byte
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(paths) != gamesWritten*(game.MaxSeats-1) {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before = append(before, text)
	}
	own, err := transcript(game.Of(Tiny()), 2, 99)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], own, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(paths[1]); err != nil {
		t.Fatal(err)
	}
	Replay(t, Tiny(), dir)
	for i, path := range paths {
		want := before[i]
		if i == 0 {
			want = own
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, want) {
			t.Errorf("%s was written over, or not written again (%v)", path, err)
		}
	}
	if err := writeNew(paths[0], nil); err == nil {
		t.Errorf("%s can be written over", paths[0])
	}
}

func ExampleLaws() {
	for _, law := range Laws()[:2] {
		fmt.Printf("%s: %s\n", law.Name, law.Says)
	}
	// Output:
	// types: Positions and moves are integers, arrays and structs of them, without padding.
	// settings: New makes rules for every number of seats it names, and answers options it does not know with a declared *Fault.
}
