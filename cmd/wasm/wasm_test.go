package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"copse/engine"
	"copse/game"
	"copse/games"
)

// script is a talk with two engines that know one game: every kind of request, a
// game by the first moves of each list, and lines that must not kill an engine.
func script(t *testing.T, g game.Game) []string {
	name := g.About().Name
	lines := []string{
		`0 {"do":"games"}`,
		`1 {"do":"moves"}`,
		`0 {"do":"new","game":"` + name + `","seats":3,"seed":"oak","chance":"manual"}`,
		`1 {"do":"new","game":"` + name + `","seats":4,"seed":"oak"}`,
		`2 {"do":"new","game":"chess","seats":2}`,
		`15 {"do":"view","seat":0}`,
		`0 `,
		`0 né, 木`,
		`0 {"do":"dance é","x":"` + strings.Repeat("x", 1<<16) + `"}`,
		`0 ` + strings.Repeat("x", engine.LongestLine+1),
		`0 ` + strings.Repeat("[", engine.LongestLine),
		`0 {"do":"cards"}`,
		`0 {"do":"new","game":"` + name + `","seats":2,"options":{"box":{"game":"` + name + `","about":"<é>\u2028"}},"seed":"elm","chance":"manual"}`,
	}
	for version := 1; version <= g.About().Version; version++ {
		lines = append(lines, fmt.Sprintf(`3 {"do":"new","game":%q,"seats":3,"version":%d,"seed":"ash"}`, name, version), `3 {"do":"view","seat":"watcher"}`, `3 {"do":"moves","facts":true}`)
	}
	for range 20 {
		lines = append(lines, `0 {"do":"draw"}`, `0 {"do":"moves","facts":true}`)
	}
	e := engine.New(g)
	e.Answer([]byte(lines[3][2:]))
	for i := range 60 {
		var list struct {
			ToAct []int
			Moves []json.RawMessage
		}
		if err := json.Unmarshal(e.Answer([]byte(`{"do":"moves"}`)), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.ToAct) == 0 {
			break
		}
		move := fmt.Sprintf(`{"do":"play","seat":%d,"move":%s}`, list.ToAct[0], list.Moves[i*5%len(list.Moves)])
		e.Answer([]byte(move))
		lines = append(lines, `1 `+move, `1 {"do":"view","seat":"watcher"}`)
	}
	var record struct{ View, Then json.RawMessage }
	if err := json.Unmarshal(e.Answer([]byte(`{"do":"record","seat":1}`)), &record); err != nil {
		t.Fatal(err)
	}
	opened := fmt.Sprintf(`2 {"do":"open","game":%q,"seats":4,"seat":1,"view":%s,"then":%s}`, name, record.View, record.Then)
	return append(lines, opened, `2 {"do":"think","player":"level:3","seed":"oak"}`, `1 {"do":"think","player":"random","seed":"oak"}`, `0 {"do":"think","player":"random","seed":"oak","ms":1000}`, `1 {"do":"standing"}`, `1 {"do":"sheet"}`, `1 {"do":"undo"}`, `0 {"do":"view","seat":0}`, `0 {"do":"undo"}`)
}

// studied is how many positions of each game levels choose in, native and in
// WebAssembly: a thousand by make same.
func studied() int {
	if os.Getenv("COPSE_TORTURE") != "" {
		return 1000
	}
	return 60
}

// unhurried is time enough, in milliseconds, on a machine on which much else is tested: a
// thought that was cut short would be another one.
const unhurried = 600_000

// study is beginnings of games of two, three and four, some with more between one position
// and the next than others, played by a weak level, and in each position what a level would
// do there: all of them in turn, the dear ones once in each game. The first lines hand over
// the nets.
func study(t *testing.T, g game.Game, positions int) []string {
	t.Helper()
	const ofAGame = 15
	name := g.About().Name
	nets, err := filepath.Glob("../../nets/" + name + "-*.net")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, file := range nets {
		lines = append(lines, "learn "+file)
	}
	e := engine.New(g)
	say := func(request string, into any) {
		if err := json.Unmarshal(e.Answer([]byte(request)), into); err != nil {
			t.Fatal(err)
		}
	}
	var now struct{ ToAct []int }
	begun, at := 0, ofAGame
	for n := range positions {
		if at == ofAGame || len(now.ToAct) == 0 {
			options := "{}"
			if name == "grandbois" && begun%4 == 3 {
				options = `{"expert":true}` // a net judges it too
			}
			request := fmt.Sprintf(`{"do":"new","game":%q,"seats":%d,"options":%s,"seed":"study %d"}`, name, 2+begun%3, options, n)
			say(request, &now)
			lines = append(lines, "0 "+request)
			begun, at = begun+1, 0
		}
		level := 1 + n%8
		switch at {
		case 4:
			level = 9
		case 8:
			level = 10
		}
		lines = append(lines, fmt.Sprintf(`0 {"do":"think","player":"level:%d","seed":"%d","ms":%d}`, level, n, unhurried))
		for k := 0; k <= (begun+begun/3)%3 && len(now.ToAct) > 0; k++ {
			var thought struct {
				ToAct []int
				Line  []json.RawMessage
			}
			say(fmt.Sprintf(`{"do":"think","player":"level:2","seed":"%d %d","ms":%d}`, n, k, unhurried), &thought)
			for _, move := range thought.Line {
				request := fmt.Sprintf(`{"do":"play","seat":%d,"move":%s}`, thought.ToAct[0], move)
				now.ToAct = nil
				say(request, &now)
				lines = append(lines, "0 "+request)
			}
		}
		at++
	}
	return lines
}

// TestTheBrowserAnswersAsTheBinary sends the same to the engine of each game in
// WebAssembly, run by Node, and to the engine itself: it says the same, and levels
// choose the same, for the same reasons, to the last digit.
func TestTheBrowserAnswersAsTheBinary(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("the engine for the browser is tested by Node: install Node 20 or newer")
	}
	for _, file := range []string{"exports_wasip1.go", "testdata/talk.mjs", "../../web/scripts/join.mjs"} { // opened, so that a change of them runs the test again
		if _, err := os.Stat(file); err != nil {
			t.Fatal(err)
		}
	}
	for _, g := range games.All() {
		t.Run(g.About().Name, func(t *testing.T) {
			wasm := filepath.Join(t.TempDir(), "engine.wasm")
			build := exec.Command("go", "build", "-tags", "single,"+g.About().Name, "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", wasm, ".")
			build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if out, err := exec.Command(node, "../../web/scripts/join.mjs", wasm, wasm).CombinedOutput(); err != nil { // as make does
				t.Fatalf("%v\n%s", err, out)
			}
			for name, lines := range map[string][]string{"a talk": script(t, g), "a study": study(t, g, studied())} {
				t.Run(name, func(t *testing.T) { talked(t, node, wasm, g, lines) })
			}
		})
	}
}

// talked fails where an engine in WebAssembly says something else than the engine itself.
func talked(t *testing.T, node, wasm string, g game.Game, lines []string) {
	talk := exec.Command(node, "testdata/talk.mjs", wasm)
	talk.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var said, cried bytes.Buffer
	talk.Stdout, talk.Stderr = &said, &cried
	if err := talk.Run(); err != nil {
		t.Fatalf("%v\n%s", err, cried.Bytes())
	}
	answers := strings.Split(strings.TrimSuffix(said.String(), "\n"), "\n")
	if len(answers) != len(lines) {
		t.Fatalf("%d requests, %d answers", len(lines), len(answers))
	}
	h := host{games: func() []game.Game { return []game.Game{g} }}
	for i, line := range lines {
		if want := ask(&h, line); answers[i] != want {
			t.Errorf("%.200s\n got %.500s\nwant %.500s", line, answers[i], want)
		} else if strings.HasPrefix(line, "learn ") && want != "1" {
			t.Errorf("%s: it is no net", line)
		}
	}
}

// ask is what talk.mjs does with a line.
func ask(h *host, line string) string {
	if file, ok := strings.CutPrefix(line, "learn "); ok {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err.Error()
		}
		copy(h.reserve(len(raw)), raw)
		if h.learn(len(raw)) {
			return "1"
		}
		return "0"
	}
	var number int
	if _, err := fmt.Sscan(line, &number); err != nil {
		return err.Error()
	}
	_, request, _ := strings.Cut(line, " ")
	copy(h.reserve(len(request)), request)
	if n := h.answer(number, len(request)); n < 0 {
		return fmt.Sprint(n)
	}
	return string(h.reply)
}

func TestACallerAtFaultIsTold(t *testing.T) {
	h := newHost()
	for _, number := range []int{-1, mostEngines, 1 << 30, -1 << 31} {
		h.reserve(2)
		if n := h.answer(number, 2); n != -1 {
			t.Errorf("engine %d: %d", number, n)
		}
	}
	for _, n := range []int{-1, -1 << 31, 3, engine.LongestLine} {
		h.reserve(2)
		if got := h.answer(0, n); got != -1 {
			t.Errorf("2 bytes reserved, %d asked: %d", n, got)
		}
	}
	for _, n := range []int{-1, -1 << 31, 3, engine.LongestLine, 0, 2} {
		copy(h.reserve(2), "no")
		if h.learn(n) {
			t.Errorf("2 bytes reserved, %d of them are a net", n)
		}
	}
	for _, n := range []int{-1, engine.LongestLine + 1, 1<<31 - 1} {
		if h.reserve(n) != nil {
			t.Errorf("room for %d bytes", n)
		}
	}
	if n := h.answer(0, engine.LongestLine+1); n < 0 || !bytes.Contains(h.reply, []byte("engine.too-long")) {
		t.Errorf("too long: %d %s", n, h.reply)
	}
	if got := ask(&h, `0 {"do":"moves"}`); !strings.Contains(got, "engine.no-game") {
		t.Errorf("after all that: %s", got)
	}
}

// TestEnginesKeepTheirGames: what one engine plays, another never hears of.
func TestEnginesKeepTheirGames(t *testing.T) {
	h := newHost()
	ask(&h, `0 {"do":"new","game":"bosk","seats":2}`)
	if got := ask(&h, `1 {"do":"moves"}`); !strings.Contains(got, "engine.no-game") {
		t.Errorf("the other engine has a game: %s", got)
	}
	ask(&h, `1 {"do":"new","game":"grandbois","seats":2}`)
	if got := ask(&h, `0 {"do":"view","seat":0}`); !strings.Contains(got, `"season":"spring"`) {
		t.Errorf("the game of an engine is gone: %s", got)
	}
}
