package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// spring is a game of Bosk in which the maple is to plant its third tree.
const spring = `{"do":"new","game":"bosk","seats":2}
{"do":"play","seat":0,"move":{"do":"plant","tree":3,"at":[4,4]}}

{"do":"play","seat":1,"move":{"do":"plant","tree":4,"at":[4,5]}}
{"do":"think","player":"level:10"}
{"do":"play","seat":0,"move":{"do":"plant","tree":1,"at":[2,2]}}
{"do":"play","seat":1,"move":{"do":"plant","tree":2,"at":[6,2]}}
`

// forest is a game of GrandBois for three in which some tiles lie; the clans are
// dealt as they are named, and seat 0 is to act.
func forest(clans ...string) string {
	var b strings.Builder
	b.WriteString(`{"do":"new","game":"grandbois","seats":3,"chance":"manual"}` + "\n")
	play := func(seat any, move string) { fmt.Fprintf(&b, `{"do":"play","seat":%v,"move":%s}`+"\n", seat, move) }
	for seat, clan := range clans {
		play(`"chance"`, fmt.Sprintf(`{"do":"deal","seat":%d,"clan":%q}`, seat, clan))
	}
	for _, tile := range []int{33, 1, 5, 29} {
		play(`"chance"`, fmt.Sprintf(`{"do":"reveal","tile":%d}`, tile))
	}
	play(0, `{"do":"place","tile":33,"x":1,"y":1,"turn":0}`)
	play(`"chance"`, `{"do":"reveal","tile":35}`)
	play(1, `{"do":"place","tile":5,"x":-1,"y":-1,"turn":0}`)
	play(`"chance"`, `{"do":"reveal","tile":36}`)
	play(2, `{"do":"place","tile":1,"x":-1,"y":1,"turn":0}`)
	play(`"chance"`, `{"do":"reveal","tile":34}`)
	return b.String()
}

// column reads the sum that advice shows: the lead as it stands, every reason, and
// the lead at the end, in hundredths.
func column(t *testing.T, out string) (now int, reasons []int, end int) {
	t.Helper()
	var numbers []int
	summed := false
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		last := fields[len(fields)-1]
		if summed = summed || strings.Trim(last, "─") == ""; summed && len(fields) == 1 {
			continue
		}
		x, err := strconv.ParseFloat(strings.NewReplacer("−", "-", ",", ".").Replace(last), 64)
		if err != nil {
			continue // a sentence
		}
		numbers = append(numbers, int(math.Round(100*x)))
		if summed {
			n := len(numbers) - 1
			return numbers[0], numbers[1:n], numbers[n]
		}
	}
	t.Fatalf("no sum in\n%s", out)
	return 0, nil, 0
}

// TestAdviceAddsUp: in every language, on the screen, from the lead as it stands,
// reason by reason, to the lead at the end.
func TestAdviceAddsUp(t *testing.T) {
	for game, lines := range map[string]string{"bosk": spring, "grandbois": forest("toad", "rabbit", "fox")} {
		for lang, title := range map[string]string{"en": "is to play. What level:4 would do:", "fr": "Ce que ferait level:4", "it": "farebbe level:4:"} {
			out, told, code := copse(t, lines, "think", "--player", "level:4", "--lang", lang)
			if code != 0 || !strings.Contains(out, title) || strings.ContainsAny(out, "{}") || strings.Contains(out, ".why.") {
				t.Errorf("%s, %s: exit code %d, %s\n%s", game, lang, code, told, out)
				continue
			}
			now, reasons, end := column(t, out)
			sum := now
			for _, r := range reasons {
				sum += r
			}
			if sum != end || len(reasons) < 1 || len(reasons) > 5 {
				t.Errorf("%s, %s: %d and %v are %d, not %d:\n%s", game, lang, now, reasons, sum, end, out)
			}
		}
	}
}

// TestAdviceFromAFile: advice says what to do, why, what comes of it and what else
// was thought of, and is the same every time.
func TestAdviceFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spring.jsonl")
	if err := os.WriteFile(file, []byte("\uFEFF"+spring), 0o600); err != nil {
		t.Fatal(err)
	}
	out, told, code := copse(t, "", "think", file, "--player", "level:5", "--seed", "oak")
	for _, want := range []string{
		"Maple is to play. What level:5 would do:\n\n  Maple plants a tree of value ", "\n  Lead as it stands ", "−2.00\n", "\n  Looking further ahead ",
		"\n  Lead expected at the end ", "\n  Chance of winning ", "%\n\nAlternatives:\n  ", "+3.00\u00A0You have ",
	} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit code %d, %s, no %q in\n%s", code, told, want, out)
		}
	}
	if again, _, _ := copse(t, spring, "think", "--player", "level:5", "--seed", "oak"); again != out {
		t.Errorf("the same question is answered\n%s\nand\n%s", out, again)
	}
	if out, told, code := copse(t, spring, "think", "--player", "random"); code != 0 || strings.Count(out, "\n") != 3 {
		t.Errorf("at random: exit code %d, %s\n%s", code, told, out)
	}
}

// TestAdviceAsJSON is the engine's answer.
func TestAdviceAsJSON(t *testing.T) {
	t.Parallel()
	out, told, code := copse(t, spring, "think", "--player", "level:4", "--seed", "oak", "--json")
	answers, _, _ := copse(t, spring+`{"do":"think","player":"level:4","seed":"oak"}`, "engine")
	lines := strings.Split(strings.TrimSpace(answers), "\n")
	if want := lines[len(lines)-1]; code != 0 || strings.TrimSpace(out) != want {
		t.Errorf("exit code %d, %s: it prints\n%s\nand the engine answers\n%s", code, told, out, want)
	}
}

// TestAdviceTellsNoSecret: in two games that seat 0 cannot tell apart the advice is
// the same, and it tells nothing of what chance will bring.
func TestAdviceTellsNoSecret(t *testing.T) {
	t.Parallel()
	for _, player := range []string{"greedy", "level:4"} {
		here, _, code := copse(t, forest("toad", "rabbit", "fox"), "think", "--player", player)
		there, _, _ := copse(t, forest("toad", "lizard", "raccoon"), "think", "--player", player)
		if here != there || code != 0 {
			t.Errorf("%s: exit code %d, in one world\n%s\nin the other\n%s", player, code, here, there)
		}
	}
	drawn, told, code := copse(t, `{"do":"new","game":"grandbois","seats":3,"seed":"oak"}`, "think", "--player", "level:4")
	if code != 0 || !strings.Contains(drawn, "places tile") || strings.Contains(drawn, "River") {
		t.Errorf("exit code %d, %s\n%s", code, told, drawn)
	}
}

func TestNoAdviceSaysWhatToDo(t *testing.T) {
	t.Parallel()
	const begin = `{"do":"new","game":"bosk","seats":2}` + "\n"
	for _, c := range []struct{ lines, args, want string }{
		{"", "", `there is no position to think about: give the requests that lead to it, the first for example {"do":"new","game":"bosk","seats":2}`},
		{`{"do":"games"}`, "", "there is no position to think about"},
		{begin + "plant 3 4-4", "", "line 2: This is not one complete JSON object."},
		{begin + "\n" + `{"do":"play","seat":0,"move":{"do":"plant","tree":9,"at":[4,4]}}`, "", "line 3: There is no tree of value 9: trees have the values 1, 2, 3 and 4. (rule 1.4)"},
		{begin + `{"do":"play","seat":0,"move":{"do":"plant","tree":9,"at":[4,4]}}`, "--lang fr", "(règle 1.4)"},
		{begin + `{"do":"fly"}`, "", "line 2: "},
		{begin + strings.Repeat("x", 2<<20), "", "line 2: "},
		{`{"do":"new","game":"chess","seats":2}`, "", "line 1: There is no game “chess” here."},
		{`{"do":"new","game":"grandbois","seats":2,"chance":"manual"}`, "", "draw first"},
		{begin, "--player clever", "There is no player “clever”. The players are random"},
		{begin, "--ms=-1", "The field “ms” must be a number from 1 to 600000."},
		{begin, "--lang klingon", "--lang must be one of"},
		{"", filepath.Join(t.TempDir(), "none.jsonl"), "no such file"},
	} {
		out, told, code := copse(t, c.lines, append([]string{"think"}, strings.Fields(c.args)...)...)
		if code == 0 || out != "" && c.args != "--lang klingon" || !strings.Contains(told, c.want) || strings.Contains(told, "goroutine") {
			t.Errorf("%.100q %s: exit code %d\n%s%.300s\nwants %q", c.lines, c.args, code, out, told, c.want)
		}
	}
}
