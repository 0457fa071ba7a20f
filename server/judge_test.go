package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	_ "time/tzdata"

	"copse/server"
)

// judge holds what is sent to what the OpenAPI document says of it. It knows the
// keywords that the document uses and takes no other; a field that a schema does
// not name is a fault.
type judge struct {
	doc   map[string]any
	paths []judged

	mu   sync.Mutex
	seen map[string]int // good answers by operation, events by name
}

// judged is an operation with the form of its address.
type judged struct {
	method string
	path   *regexp.Regexp
	op     map[string]any
}

func newJudge(t testing.TB, raw []byte) *judge {
	t.Helper()
	j := &judge{seen: map[string]int{}}
	if err := json.Unmarshal(raw, &j.doc); err != nil {
		t.Fatal(err)
	}
	for path, ways := range j.doc["paths"].(map[string]any) {
		form := regexp.MustCompile("^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
		for method, op := range ways.(map[string]any) {
			j.paths = append(j.paths, judged{strings.ToUpper(method), form, op.(map[string]any)})
		}
	}
	return j
}

// find is the operation of a request. Where the address fits two forms, the longer
// form is meant.
func (j *judge) find(method, path string) (op map[string]any) {
	path, _, _ = strings.Cut(path, "?")
	longest := -1
	for _, p := range j.paths {
		if n := len(p.path.String()); p.method == method && p.path.MatchString(path) && n > longest {
			op, longest = p.op, n
		}
	}
	return op
}

// answer judges a request that was done and its answer, or a problem.
func (j *judge) answer(method, path, body string, r reply) error {
	op := j.find(method, path)
	if op == nil {
		return nil
	}
	name := op["operationId"].(string)
	responses := op["responses"].(map[string]any)
	good, ok := responses[fmt.Sprint(r.status)].(map[string]any)
	if !ok {
		if r.status < 400 {
			return fmt.Errorf("%s: the document knows no status %d", name, r.status)
		}
		return j.content(name, responses["default"].(map[string]any), r)
	}
	j.mu.Lock()
	j.seen[name]++
	j.mu.Unlock()
	if err := j.content(name, good, r); err != nil {
		return err
	}
	asks, ok := op["requestBody"].(map[string]any)
	if !ok || strings.TrimSpace(body) == "" {
		return nil
	}
	return j.text(name+" asks", asks["content"].(map[string]any)["application/json"].(map[string]any)["schema"], []byte(body))
}

func (j *judge) content(name string, response map[string]any, r reply) error {
	content, ok := response["content"].(map[string]any)
	if !ok {
		if len(r.body) > 0 {
			return fmt.Errorf("%s: there is a body: %.100s", name, r.body)
		}
		return nil
	}
	mime := r.header.Get("Content-Type")
	form, ok := content[mime].(map[string]any)
	if !ok {
		return fmt.Errorf("%s: the document knows no %q", name, mime)
	}
	if !strings.HasSuffix(mime, "json") {
		return nil
	}
	return j.text(name, form["schema"], r.body)
}

// event judges an event of the stream.
func (j *judge) event(e event) error {
	ok := j.find("GET", "/api/stream")["responses"].(map[string]any)["200"].(map[string]any)
	all := ok["content"].(map[string]any)["text/event-stream"].(map[string]any)["x-events"].(map[string]any)
	about, known := all[e.name].(map[string]any)
	if !known {
		return fmt.Errorf("the document knows no event %q", e.name)
	}
	if about["id"] != (e.id != "") && (e.name != "gone" || e.id != "") { // whoever has lost all tables is nowhere
		return fmt.Errorf("an event %s has the id %q", e.name, e.id)
	}
	j.mu.Lock()
	j.seen["event "+e.name]++
	j.mu.Unlock()
	return j.text("event "+e.name, about["data"], e.data)
}

func (j *judge) text(name string, schema any, raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("%s: %w: %.100s", name, err, raw)
	}
	if err := j.value(schema, v); err != nil {
		return fmt.Errorf("%s: %w: %.300s", name, err, raw)
	}
	return nil
}

// value is nil where a value fits a schema.
func (j *judge) value(of, v any) error {
	s, ok := of.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is no schema", of)
	}
	for word, rule := range s {
		if err := j.keep(s, word, rule, v); err != nil {
			return err
		}
	}
	return nil
}

// keep is nil where a value keeps to one keyword of a schema.
func (j *judge) keep(s map[string]any, word string, rule, v any) error {
	switch word {
	case "description":
		return nil
	case "$ref":
		name := strings.TrimPrefix(rule.(string), "#/components/schemas/")
		named, ok := j.doc["components"].(map[string]any)["schemas"].(map[string]any)[name]
		if !ok {
			return fmt.Errorf("there is no type %s", name)
		}
		if err := j.value(named, v); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	case "type":
		list, ok := rule.([]any)
		if !ok {
			list = []any{rule}
		}
		is := typeOf(v)
		if !slices.Contains(list, any(is)) && (is != "integer" || !slices.Contains(list, any("number"))) {
			return fmt.Errorf("%v is no %v", v, rule)
		}
	case "enum", "const":
		list, ok := rule.([]any)
		if !ok {
			list = []any{rule}
		}
		if text, ok := v.(string); !ok || !slices.Contains(list, any(text)) {
			return fmt.Errorf("%v is none of %v", v, rule)
		}
	case "oneOf", "anyOf":
		fit, errs := 0, []string{}
		for _, one := range rule.([]any) {
			if err := j.value(one, v); err != nil {
				errs = append(errs, err.Error())
			} else {
				fit++
			}
		}
		if fit == 0 || word == "oneOf" && fit > 1 {
			return fmt.Errorf("%v fits %d of %s: %s", v, fit, word, strings.Join(errs, "; "))
		}
	case "pattern":
		if text, ok := v.(string); ok && !regexp.MustCompile(rule.(string)).MatchString(text) {
			return fmt.Errorf("%q is not like %v", text, rule)
		}
	case "minimum", "maximum":
		n, ok := new(big.Float).SetString(fmt.Sprint(v))
		if _, number := v.(json.Number); !number || !ok {
			return nil
		}
		if by := n.Cmp(big.NewFloat(rule.(float64))); word == "minimum" && by < 0 || word == "maximum" && by > 0 {
			return fmt.Errorf("%v is beyond the %s %v", v, word, rule)
		}
	case "items":
		list, _ := v.([]any)
		for i, item := range list {
			if err := j.value(rule, item); err != nil {
				return fmt.Errorf("[%d] %w", i, err)
			}
		}
	case "properties":
		return j.object(s, rule.(map[string]any), v)
	case "additionalProperties":
		if rule == true {
			return nil
		}
		fields, _ := v.(map[string]any)
		for name, field := range fields {
			if err := j.value(rule, field); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	case "required": // with properties
	default:
		return fmt.Errorf("the judge does not know the word %s", word)
	}
	return nil
}

func (j *judge) object(s, properties map[string]any, v any) error {
	fields, ok := v.(map[string]any)
	if !ok {
		return nil // of another type, which says so
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := fields[name.(string)]; !ok {
			return fmt.Errorf("%v is missing", name)
		}
	}
	for name, field := range fields {
		of, ok := properties[name]
		if !ok {
			return fmt.Errorf("the document knows no field %s", name)
		}
		if err := j.value(of, field); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	}
	return "object"
}

// TestEverythingIsAsTheDocumentSays plays games from the first guest to the
// rematch, to their end, resigned and abandoned, and asks for everything. As in
// every test of this package each answer and each event is judged.
func TestEverythingIsAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben, watcher := w.guest("Anna"), w.guest("Ben"), w.nobody()
	rng := seeded(11)
	w.round(anna)
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		id := anna.table(`{"game":"` + name + `","seats":3,"visible":"open","pace":"days","zone":"Europe/Zurich","options":{}}`)
		at := "/api/tables/" + id
		l, away := anna.listen("mine=true&table="+id), ben.listen("mine=true")
		watching := watcher.listen("table=" + id + "&table=nosuchtable0")
		look := func(by ...*client) {
			for _, c := range by {
				for _, path := range []string{"", "/record", "/moves?facts=true", "/sheet", "/entries?from=0&most=500", "/entries/2", "/chat"} {
					c.ask("GET", at+path, "")
				}
			}
		}
		look(anna, watcher)
		anna.sit(id)
		cleo := w.guest("Cleo")
		cleo.sit(id)
		ben.ask("POST", at+"/kick", `{"seat":1}`).refuses(t, 403, "table.stranger")
		anna.ask("POST", at+"/kick", `{"seat":1}`).is(t, 200)
		cleo.ask("POST", at+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`).refuses(t, 403, "table.barred")
		ben.sit(id)
		anna.ask("POST", at+"/bots", `{"seat":2,"player":"random"}`).is(t, 200)
		anna.ask("DELETE", at+"/bots/2", "").is(t, 200)
		anna.ask("GET", "/api/tables?game="+name, "").is(t, 200)
		anna.ask("POST", at+"/start", `{"fill":"random"}`).is(t, 200)
		look(anna, ben, watcher)
		anna.ask("POST", at+"/chat", `{"text":"hello"}`).is(t, 201)
		ben.ask("POST", at+"/chat", `{"phrase":"hello"}`).is(t, 201)
		anna.ask("PATCH", "/api/me", `{"name":"Anne"}`).is(t, 200)
		for n := range 12 {
			w.turn(rng, id, anna, ben)
			if n == 5 {
				look(anna, ben, watcher)
			}
		}
		w.settled(id, anna, ben)
		for _, wish := range []string{"undo", "pause"} {
			anna.ask("POST", at+"/"+wish, "").is(t, 200)
			look(watcher)
			ben.ask("POST", at+"/answer", `{"for":"`+wish+`","yes":true}`).is(t, 200)
		}
		ben.ask("POST", at+"/resume", "").is(t, 200)
		ben.ask("POST", at+"/leave", "").is(t, 200)
		look(anna)
		ben.ask("POST", at+"/return", "").is(t, 200)
		anna.ask("GET", at+"/export", "").refuses(t, 409, "table.export")
		switch name {
		case "bosk":
			anna.ask("POST", at+"/abandon", "").is(t, 200)
			ben.ask("POST", at+"/answer", `{"for":"abandon","yes":true}`).is(t, 200)
		default:
			anna.ask("POST", at+"/resign", "").is(t, 200)
			look(ben)
			ben.ask("POST", at+"/resign", "").is(t, 200)
		}
		look(anna, ben, watcher)
		anna.ask("GET", at+"/export", "").is(t, 200)
		var next struct{ Table string }
		anna.ask("POST", at+"/rematch", "").is(t, 200).read(t, &next)
		look(ben)
		for _, path := range []string{"/api/me/tables", "/api/me/played"} {
			anna.ask("GET", path, "").is(t, 200)
		}
		l.next("next")
		for _, heard := range []*listener{l, away, watching} {
			heard.close()
		}
	}
	w.whole(rng, anna, ben)
	w.sides(rng, anna, ben)
	ben.ask("DELETE", "/api/me", "").is(t, 204)
	anna.ask("DELETE", "/api/me/session", "").is(t, 204)
	for _, op := range w.judge.paths {
		if name := op.op["operationId"].(string); w.judge.seen[name] == 0 {
			t.Errorf("%s was never answered well", name)
		}
	}
	all := w.judge.find("GET", "/api/stream")["responses"].(map[string]any)["200"].(map[string]any)["content"].(map[string]any)["text/event-stream"].(map[string]any)["x-events"].(map[string]any)
	for name := range maps.Keys(all) {
		if w.judge.seen["event "+name] == 0 {
			t.Errorf("no event %s was heard", name)
		}
	}
}

// round asks for what concerns one account alone.
func (w *world) round(c *client) {
	w.Helper()
	w.nobody().ask("GET", "/api/me", "").is(w, 200)
	c.ask("GET", "/api/me", "").is(w, 200)
	c.ask("GET", "/api/games", "").is(w, 200)
	var made struct{ Program, Code string }
	c.ask("POST", "/api/me/programs", `{"name":"Pruner"}`).is(w, 201).read(w, &made)
	c.ask("GET", "/api/me/programs", "").is(w, 200)
	c.ask("POST", "/api/me/programs/"+made.Program+"/token", "").is(w, 201)
	c.ask("DELETE", "/api/me/programs/"+made.Program, "").is(w, 204)
	c.ask("POST", "/api/me/code", "").is(w, 201).read(w, &made)
	other := w.nobody()
	other.keep(other.ask("POST", "/api/continue", `{"code":"`+made.Code+`"}`).is(w, 200))
	c.ask("POST", "/api/me/code", "").is(w, 201).read(w, &made)
	other.ask("DELETE", "/api/me/sessions", "").is(w, 204)
	c.ask("GET", "/api/me/programs", "").refuses(w, 401, "server.who")
	c.cookie = ""
	c.keep(c.ask("POST", "/api/me", `{"name":"Anna"}`).is(w, 201))
}

// whole plays a game to its end.
func (w *world) whole(rng interface{ IntN(int) int }, people ...*client) {
	w.Helper()
	id := begun(`{"game":"grandbois","seats":2}`, people...)
	for people[0].toAct(id) >= 0 {
		w.turn(rng, id, people...)
	}
	for _, c := range append(people, w.nobody()) {
		for _, path := range []string{"", "/record", "/moves?facts=true", "/sheet", "/entries?from=0&most=500", "/chat", "/export"} {
			c.ask("GET", "/api/tables/"+id+path, "")
		}
	}
}

// settled waits until no bot is to act, and says who is.
func (w *world) settled(id string, people ...*client) int {
	w.Helper()
	l := people[0].listen("table=" + id)
	defer l.close()
	var at struct {
		ToAct []json.RawMessage
		Look  struct{ ToAct []json.RawMessage }
	}
	for e := range l.events {
		if e.name != "look" && e.name != "entry" {
			continue
		}
		if err := json.Unmarshal(e.data, &at); err != nil {
			w.Fatal(err)
		}
		toAct, seat := at.ToAct, 0
		if e.name == "look" {
			toAct = at.Look.ToAct
		}
		if len(toAct) == 0 {
			return -1
		}
		if _, err := fmt.Sscan(string(toAct[0]), &seat); err == nil && seat < len(people) {
			return seat
		}
	}
	w.Fatal("the stream ended while a bot was to act")
	return -1
}

// turn lets the one of these who is to act make any move, and waits for bots.
func (w *world) turn(rng interface{ IntN(int) int }, id string, people ...*client) {
	w.Helper()
	seat := w.settled(id, people...)
	if seat < 0 {
		return
	}
	c := people[seat]
	m := c.moves(id)
	c.ask("POST", "/api/tables/"+id+"/moves", draft(m.After, m.Moves[rng.IntN(len(m.Moves))])).is(w, 200)
}

// TestTheJudgeFindsFaults: values that a schema forbids.
func TestTheJudgeFindsFaults(t *testing.T) {
	raw, err := server.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, raw)
	ref := func(name string) any { return map[string]any{"$ref": "#/components/schemas/" + name} }
	for _, c := range []struct{ name, good, bad string }{
		{"DoneReply", `{"number":3}`, `{}`},
		{"DoneReply", `{"number":3}`, `{"number":"3"}`},
		{"DoneReply", `{"number":3}`, `{"number":3.5}`},
		{"DoneReply", `{"number":3}`, `{"number":3,"secret":1}`},
		{"DoneReply", `{"number":3}`, `[]`},
		{"Score", `{"total":1,"parts":{"tree":null},"rank":null}`, `{"total":1,"parts":{"tree":"x"},"rank":1}`},
		{"Score", `{"total":null,"parts":{},"rank":1}`, `{"total":1,"parts":{},"rank":"1"}`},
		{"Clock", `{"left":[1,2],"seat":1}`, `{"left":[1,2],"seat":9}`},
		{"Clock", `{"left":[1,2],"seat":0}`, `{"left":[1,2],"seat":"chance"}`},
		{"MovesReply", `{"after":1,"toAct":["chance"],"moves":[]}`, `{"after":1,"toAct":["nobody"],"moves":[]}`},
		{"Clock", `{"left":[1,2]}`, `{"left":[1,2],"seat":null}`},
		{"Seated", `{"held":"person","undos":0}`, `{"held":"squirrel","undos":0}`},
		{"Seated", `{"held":"person","undos":0,"person":"00112233445566778899aabbccddeeff"}`, `{"held":"person","undos":0,"person":"00"}`},
		{"Named", `{"table":"x","who":[null,{"name":"Anna"}]}`, `{"table":"x","who":null}`},
		{"Nothing", `{}`, ``},
	} {
		if err := j.text("", ref(c.name), []byte(c.good)); (err != nil) != (c.name == "Nothing") {
			t.Errorf("%s: %s: %v", c.name, c.good, err)
		}
		if c.bad != "" && j.text("", ref(c.name), []byte(c.bad)) == nil {
			t.Errorf("%s: %s is taken", c.name, c.bad)
		}
	}
}
