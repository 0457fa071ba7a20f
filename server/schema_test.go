package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"slices"
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
		if !strings.Contains(string(raw), "export interface "+name+" {") && !strings.Contains(string(raw), "export type "+name+" = ") {
			t.Errorf("the document has a new name %s: if that is on purpose, run web/scripts/api.mjs", name)
		}
	}
	for line := range strings.Lines(string(raw)) {
		for _, kind := range []string{"export interface ", "export type "} {
			if name, ok := strings.CutPrefix(line, kind); ok && !had[strings.Fields(name)[0]] {
				t.Errorf("the document has no %s any more", strings.Fields(name)[0])
			}
		}
	}
}

// TestTheDocumentIsWhole asks of it, without any tool, what linters and generators
// need: `make interop-api` asks them.
func TestTheDocumentIsWhole(t *testing.T) {
	raw, err := Document("test")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Servers    []struct{ URL string }
		Tags       []struct{ Name, Description string }
		Paths      map[string]map[string]map[string]any
		Components map[string]map[string]map[string]any
	}
	if err := json.Unmarshal(raw, &doc); err != nil || len(doc.Servers) != 1 {
		t.Fatalf("%v: the servers are %v", err, doc.Servers)
	}
	unused := map[string]bool{}
	for _, tag := range doc.Tags {
		if unused[tag.Name] = true; tag.Description == "" {
			t.Errorf("nobody says what %s is about", tag.Name)
		}
	}
	for _, part := range []string{"schemas", "responses"} {
		for name := range doc.Components[part] {
			unused["#/components/"+part+"/"+name] = true
		}
	}
	for path, ways := range doc.Paths {
		for method, op := range ways {
			name := op["operationId"].(string)
			for _, tag := range op["tags"].([]any) {
				if !slices.ContainsFunc(doc.Tags, func(known struct{ Name, Description string }) bool { return known.Name == tag }) {
					t.Errorf("%s is under %v, which is not declared", name, tag)
				}
				delete(unused, tag.(string))
			}
			responses := op["responses"].(map[string]any)
			if responses["default"] != nil || responses["401"] == nil || responses["503"] == nil || op["security"] == nil || op["description"] == "" {
				t.Errorf("%s %s is %v", method, path, op)
			}
			if raw, _ := json.Marshal(op["parameters"]); bytes.Contains(raw, []byte(`"in":"header","name":"Last-Event-ID"`)) != (name == "stream") {
				t.Errorf("%s has the parameters %s", name, raw)
			}
			if body, ok := op["requestBody"].(map[string]any); ok {
				ref := body["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)["$ref"].(string)
				if s := doc.Components["schemas"][strings.TrimPrefix(ref, "#/components/schemas/")]; s["additionalProperties"] != false || body["required"] == nil {
					t.Errorf("the body of %s is open: %v", name, s)
				}
			}
		}
	}
	var look func(where string, v any)
	look = func(where string, v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				look(where, one)
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				delete(unused, ref)
			}
			integer := v["type"] == "integer"
			if list, ok := v["type"].([]any); ok {
				integer = slices.Contains(list, any("integer"))
			}
			if integer && v["format"] != "int64" && !strings.HasSuffix(where, "Retry-After.schema") {
				t.Errorf("%s is an integer of any size", where)
			}
			for name, one := range v {
				if name != "x-events" { // which generators do not read
					look(where+"."+name, one)
				}
			}
		}
	}
	var whole any
	if err := json.Unmarshal(raw, &whole); err != nil {
		t.Fatal(err)
	}
	look("", whole)
	for name := range unused {
		t.Errorf("nothing leads to %s", name)
	}
}

// TestEveryStatusIsDeclaredSomewhere: none is answered that no endpoint declares, but
// the one for methods that are none.
func TestEveryStatusIsDeclaredSomewhere(t *testing.T) {
	for key, status := range statuses() {
		if status != http.StatusMethodNotAllowed && !slices.ContainsFunc(endpoints(), func(e endpoint) bool { return slices.Contains(e.refusals(), status) }) {
			t.Errorf("%s is answered by %d, which no endpoint declares", key, status)
		}
	}
}
