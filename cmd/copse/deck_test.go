package main

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"copse/game"
	"copse/games/treesociety"
	"copse/i18n"
)

var update = flag.Bool("update", false, "write the tables of the pages about decks anew")

// The pages about the decks show the cards as they are. To write them anew: go test
// ./cmd/copse -run TheDecksInDocs -update.
func TestTheDecksInDocs(t *testing.T) {
	const end = "<!-- end of the table -->\n"
	for version, place := range map[int][2]string{
		1: {"../../docs/tree-society-deck-1.md", "<!-- copse box show treesociety --box games/treesociety/box.json --table -->\n"},
		4: {"../../docs/tree-society-deck-2.md", "<!-- copse box show treesociety --box games/treesociety/box-2.json --table -->\n"},
		5: {"../../docs/tree-society-deck.md", "<!-- copse box show treesociety --table -->\n"},
	} {
		file, begin := place[0], place[1]
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, ok := strings.Cut(string(page), begin)
		shown, after, ends := strings.Cut(rest, end)
		if !ok || !ends {
			t.Fatalf("%s has no place for the table: it stands between %q and %q", file, begin, end)
		}
		table := deckTable(treesociety.BoxOf(version), i18n.Pick("en"))
		if *update {
			if err := os.WriteFile(file, []byte(before+begin+table+end+after), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if shown != table {
			t.Errorf("the cards of version %d have changed: go test ./cmd/copse -run TheDecksInDocs -update, then read the page again", version)
		}
		about := treesociety.Game().About
		for of := 1; version == about.Version && of <= version; of++ {
			if hash := about.UsualBox(of); !strings.Contains(string(page), hash) {
				t.Errorf("%s does not name the hash %s of version %d", file, hash, of)
			}
		}
	}
}

// The game takes every example of docs/boxes.md as a box.
func TestTheBoxesInDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/boxes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, ours, ok := strings.Cut(string(page), "\n## Tree Society\n")
	if !ok {
		t.Fatal("docs/boxes.md says nothing of Tree Society")
	}
	standard := treesociety.DefaultBox()
	verbs, examples := map[treesociety.Verb]bool{}, 0
	for _, block := range strings.Split(ours, "```json\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		// The house deck is appended to the cards and fruit of the example, so that
		// it is a whole deck.
		var example struct {
			Cards  []json.RawMessage `json:"cards"`
			Fruits []json.RawMessage `json:"fruits"`
		}
		if err := json.Unmarshal([]byte(text), &example); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if len(example.Cards) == 0 {
			t.Fatalf("an example without cards:\n%s", text)
		}
		shown := len(example.Cards)
		for _, c := range standard.Cards {
			c.ID = len(example.Cards) + 1
			example.Cards = append(example.Cards, written(t, c))
		}
		for _, f := range standard.Fruits {
			f.ID = len(example.Fruits) + 1
			example.Fruits = append(example.Fruits, written(t, f))
		}
		box, err := treesociety.ReadBox(written(t, example))
		if err != nil {
			t.Fatalf("%v in\n%s", inWords(err), text)
		}
		for _, c := range box.Cards[:shown] {
			for _, l := range c.Levels {
				if l.Effect == nil {
					continue
				}
				for _, clause := range append(l.Effect.First, l.Effect.Do...) {
					verbs[clause.Verb] = true
				}
				for _, rule := range l.Effect.While {
					verbs[rule.Verb] = true
				}
			}
		}
		examples++
	}
	if examples == 0 {
		t.Fatal("no example")
	}
	for _, verb := range []treesociety.Verb{
		treesociety.VerbCoins, treesociety.VerbDiscard, treesociety.VerbDrawGuild, treesociety.VerbRaise, treesociety.VerbCheaper,
	} {
		if !verbs[verb] {
			t.Errorf("no example shows %q", verb)
		}
	}
}

func written(t *testing.T, v any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What box show prints is the same box, short enough to be brought again, with a
// park as a picture.
func TestTheLayoutOfABox(t *testing.T) {
	raw, err := json.Marshal(treesociety.DefaultBox())
	if err != nil {
		t.Fatal(err)
	}
	text, err := layout(raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > game.LargestBox*3/4 {
		t.Errorf("the deck is laid out in %d bytes: no room to change it", len(text))
	}
	var was, is any
	if json.Unmarshal(raw, &was) != nil || json.Unmarshal([]byte(text), &is) != nil {
		t.Fatal("not JSON")
	}
	if a, b := string(written(t, was)), string(written(t, is)); a != b {
		t.Error("the layout changes the box")
	}
	for _, c := range [][2]string{
		{`{"a":[1,2],"b":{}}`, `{"a": [1, 2], "b": {}}` + "\n"},
		{`{"name":"<é>"}`, `{"name": "<é>"}` + "\n"},
		{`["1","2","3","4","5","6"]`, "[\n  \"1\",\n  \"2\",\n  \"3\",\n  \"4\",\n  \"5\",\n  \"6\"\n]\n"},
		{`{"a":"` + strings.Repeat("x", 70) + `","b":"` + strings.Repeat("y", 70) + `"}`, "{\n  \"a\": \"" + strings.Repeat("x", 70) + "\",\n  \"b\": \"" + strings.Repeat("y", 70) + "\"\n}\n"},
	} {
		if got, err := layout(json.RawMessage(c[0])); got != c[1] || err != nil {
			t.Errorf("%s is laid out as\n%s, %v", c[0], got, err)
		}
	}
}
