package server

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"copse/game"
)

// Told would have the name of another type of the document.
type Told struct {
	X int `json:"x"`
}

// TestNoTwoTypesShareAName: where two do, the document is not written.
func TestNoTwoTypesShareAName(t *testing.T) {
	types := newSchemas()
	for _, event := range events() {
		types.of(event.data)
	}
	if types.from["Told"] == types.from["Heard"] || types.from["Told"] == nil {
		t.Errorf("entries are told as %v", types.from["Told"])
	}
	types.of(reflect.TypeFor[game.HeardMove]())
	if types.from["Heard"] != reflect.TypeFor[game.HeardMove]() {
		t.Errorf("Heard is %v", types.from["Heard"])
	}
	defer func() {
		if recover() == nil {
			t.Error("two types are called Told, and nobody says so")
		}
	}()
	types.of(reflect.TypeFor[Told]())
}

// TestEventsAreDescribed: in docs/api.md, each in a row of its own.
func TestEventsAreDescribed(t *testing.T) {
	raw, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(raw), "## The stream")
	part, _, _ = strings.Cut(part, "\n## ")
	rows := map[string]bool{}
	for line := range strings.Lines(part) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		rows[strings.Trim(cells[1], " `")] = strings.TrimSpace(cells[3]) == "yes"
	}
	for _, event := range events() {
		if id, ok := rows[event.name]; !ok || id != event.id {
			t.Errorf("docs/api.md says of %s: there %v, with an id %v", event.name, ok, id)
		}
		delete(rows, event.name)
	}
	for name := range rows {
		t.Errorf("docs/api.md has an event %s", name)
	}
}

// TestNamesOfTheDocumentStay: the types from which the page was made keep their
// names, whatever the code calls them.
func TestNamesOfTheDocumentStay(t *testing.T) {
	raw, err := os.ReadFile("../web/src/online/api.gen.ts")
	if err != nil {
		t.Fatal(err)
	}
	had := map[string]bool{"Events": true, "Calls": true} // of the page alone
	doc := openAPI(endpoints(), "")["components"].(schema)["schemas"].(map[string]schema)
	for name := range doc {
		had[name] = true
		if !strings.Contains(string(raw), "export interface "+name+" {") {
			t.Errorf("the document has a new name %s: if that is on purpose, run web/scripts/api.mjs", name)
		}
	}
	for line := range strings.Lines(string(raw)) {
		if name, ok := strings.CutPrefix(line, "export interface "); ok && !had[strings.Fields(name)[0]] {
			t.Errorf("the document has no %s any more", strings.Fields(name)[0])
		}
	}
}
