package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	_ "time/tzdata"
	"unicode"
	"unicode/utf8"

	"copse/server"
)

// judge holds what is sent and what is answered to what the OpenAPI document says of
// it. It knows the keywords that the document uses and takes no other; a field that a
// schema does not name is a fault.
//
// Of a request it says whether the document forbids it. One that is forbidden must be
// refused, and one that is not must not be refused for its shape.
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
	parts  []string // the names of the parts of the address
	op     map[string]any
}

func newJudge(t testing.TB, raw []byte) *judge {
	t.Helper()
	j := &judge{seen: map[string]int{}}
	if err := json.Unmarshal(raw, &j.doc); err != nil {
		t.Fatal(err)
	}
	for path, ways := range j.doc["paths"].(map[string]any) {
		form := regexp.MustCompile("^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "([^/]+)") + "$")
		for method, op := range ways.(map[string]any) {
			parts := []string{}
			for _, part := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(path, -1) {
				parts = append(parts, part[1])
			}
			j.paths = append(j.paths, judged{strings.ToUpper(method), form, parts, op.(map[string]any)})
		}
	}
	return j
}

// find is the operation of a request. Where the address fits two forms, the longer
// form is meant.
func (j *judge) find(method, path string) *judged {
	path, _, _ = strings.Cut(path, "?")
	var found *judged
	for i := range j.paths {
		if p := &j.paths[i]; p.method == method && p.path.MatchString(path) && (found == nil || len(p.path.String()) > len(found.path.String())) {
			found = p
		}
	}
	return found
}

func (p *judged) name() string { return p.op["operationId"].(string) }

// sending is a request as it is judged.
type sending struct {
	method, path, body string
	header             http.Header
}

// answer judges a request and its answer.
func (j *judge) answer(a sending, r reply) error {
	p := j.find(a.method, a.path)
	if p == nil {
		return nil
	}
	name := p.name()
	response, ok := p.op["responses"].(map[string]any)[fmt.Sprint(r.status)].(map[string]any)
	if !ok {
		return fmt.Errorf("%s: the document knows no status %d: %.200s", name, r.status, r.body)
	}
	if ref, ok := response["$ref"].(string); ok {
		response = j.doc["components"].(map[string]any)["responses"].(map[string]any)[strings.TrimPrefix(ref, "#/components/responses/")].(map[string]any)
		headers, _ := response["headers"].(map[string]any)
		for header := range headers {
			if r.header.Get(header) == "" {
				return fmt.Errorf("%s: the answer %d has no %s", name, r.status, header)
			}
		}
	}
	if err := j.content(name, response, r); err != nil {
		return err
	}
	told := []string{"Set-Cookie", "Retry-After", "WWW-Authenticate", "Accept"}
	if r.status < 400 {
		told = append(told, "Copse-Token-Until")
	}
	for _, header := range told {
		if headers, _ := response["headers"].(map[string]any); r.header.Get(header) != "" && headers[header] == nil {
			return fmt.Errorf("%s: the answer %d has a header %s of which the document says nothing", name, r.status, header)
		}
	}
	forbidden := j.forbids(p, a)
	if r.status >= 400 {
		return shapely(name, a, r, forbidden)
	}
	j.mu.Lock()
	j.seen[name]++
	j.mu.Unlock()
	if forbidden != nil {
		return fmt.Errorf("%s: %w, and it is answered %d", name, forbidden, r.status)
	}
	return nil
}

// shapes are the keys of refusals that say that a request has not the shape that the
// document asks for, besides all that begin with "json.".
var shapes = []string{
	"server.report", "server.act", "server.query", "server.key.form", "server.watched", "server.type", "server.name", "server.say", "table.nonce", "table.wish", "table.setting", "table.bank", "table.step",
	"game.seats", "table.draft.empty", "table.draft.long", "table.chat.phrase", "table.chat.long", "bot.player",
}

// shapely is nil where a request that the document allows was not refused for its
// shape.
func shapely(name string, a sending, r reply, forbidden error) error {
	var p struct {
		Key  string
		Move *int
	}
	if err := json.Unmarshal(r.body, &p); err != nil {
		return err
	}
	switch {
	case forbidden != nil, !strings.HasPrefix(p.Key, "json.") && !slices.Contains(shapes, p.Key):
		return nil
	case p.Key == "server.name" && unseen(a.body): // which a pattern cannot tell
		return nil
	case p.Move != nil, p.Key == "json.unknown" && strings.Contains(a.body, `"options"`): // which are the game's
		return nil
	case p.Key == "json.twice", p.Key == "json.missing" && strings.Contains(a.body, `"own"`), p.Key == "json.number" && strings.Contains(a.body, `"own"`): // no schema can say so; or none that generators know
		return nil
	}
	return fmt.Errorf("%s: the document allows what is refused by %s: %.300s", name, r.body, a.body)
}

// unseen tells whether nothing can be seen of the name in a body.
func unseen(body string) bool {
	var in struct{ Name string }
	err := json.Unmarshal([]byte(body), &in)
	return err == nil && strings.IndexFunc(in.Name, func(r rune) bool {
		return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
	}) < 0
}

// forbids is why the document forbids a request, nil where it does not. A body that
// nobody reads it does not speak of.
func (j *judge) forbids(p *judged, a sending) error {
	path, query, _ := strings.Cut(a.path, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil // what is left of it is asked
	}
	parts := p.path.FindStringSubmatch(path)
	for _, one := range p.op["parameters"].([]any) {
		parameter := one.(map[string]any)
		var sent []string
		switch name := parameter["name"].(string); parameter["in"] {
		case "path":
			text, err := url.PathUnescape(parts[1+slices.Index(p.parts, name)])
			if err != nil {
				return err
			}
			sent = []string{text}
		case "query":
			sent = values[name]
		case "header":
			sent = a.header.Values(name)
		}
		if err := j.sent(parameter, sent); err != nil {
			return fmt.Errorf("%v: %w", parameter["name"], err)
		}
	}
	asks, ok := p.op["requestBody"].(map[string]any)
	switch {
	case a.body != "" && a.method != http.MethodGet && !saysJSON(a.header):
		return fmt.Errorf("it is sent as %q", a.header.Values("Content-Type"))
	case !ok:
		return nil
	case !utf8.ValidString(a.body):
		return errors.New("it is not written in UTF-8")
	case strings.TrimSpace(a.body) == "" && asks["required"] == true:
		return errors.New("the body is missing")
	case strings.TrimSpace(a.body) == "":
		return nil
	}
	return j.text("asks", asks["content"].(map[string]any)["application/json"].(map[string]any)["schema"], []byte(a.body))
}

func saysJSON(h http.Header) bool {
	kind, parameters, err := mime.ParseMediaType(strings.Join(h.Values("Content-Type"), ","))
	return err == nil && kind == "application/json" && (parameters["charset"] == "" || strings.EqualFold(parameters["charset"], "utf-8"))
}

// sent is nil where a parameter may be so.
func (j *judge) sent(parameter map[string]any, list []string) error {
	s := parameter["schema"].(map[string]any)
	if s["type"] == "array" {
		all := []any{}
		for _, text := range list {
			all = append(all, text)
		}
		return j.value(s, all)
	}
	if len(list) == 0 {
		return nil
	}
	var v any = list[0]
	switch s["type"] {
	case "boolean":
		if v == "true" || v == "false" {
			v = v == "true"
		}
	case "integer":
		if _, err := strconv.ParseInt(list[0], 10, 64); err == nil {
			v = json.Number(list[0])
		}
	}
	return j.value(s, v)
}

func (j *judge) content(name string, response map[string]any, r reply) error {
	content, ok := response["content"].(map[string]any)
	if !ok {
		if len(r.body) > 0 {
			return fmt.Errorf("%s: there is a body: %.100s", name, r.body)
		}
		return nil
	}
	mime, written := strings.CutSuffix(r.header.Get("Content-Type"), "; charset=utf-8")
	if written != strings.HasPrefix(mime, "text/") {
		return fmt.Errorf("%s: a text, and nothing else, says how it is written: %q", name, r.header.Get("Content-Type"))
	}
	form, ok := content[mime].(map[string]any)
	if !ok {
		return fmt.Errorf("%s: the document knows no %q", name, mime)
	}
	if !strings.HasSuffix(mime, "json") {
		return nil
	}
	return j.text(name, form["schema"], r.body)
}

// stream is the form of the stream.
func (j *judge) stream() map[string]any {
	ok := j.find("GET", "/api/stream").op["responses"].(map[string]any)["200"].(map[string]any)
	return ok["content"].(map[string]any)["text/event-stream"].(map[string]any)
}

// event judges an event of the stream.
func (j *judge) event(e event) error {
	form := j.stream()
	about, known := form["x-events"].(map[string]any)[e.name].(map[string]any)
	if !known {
		return fmt.Errorf("the document knows no event %q", e.name)
	}
	if !json.Valid(e.data) {
		return fmt.Errorf("an event %s has the data %.100q", e.name, e.data)
	}
	// As its lines are the fields of the schema.
	whole := map[string]any{"event": e.name, "data": json.RawMessage(e.data)}
	if about["id"] == true {
		whole["id"] = e.id
	}
	raw, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	if err := j.text("event "+e.name, form["schema"], raw); err != nil {
		return err
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
	case "description", "discriminator":
		return nil
	case "format":
		n, number := v.(json.Number)
		if _, err := n.Int64(); number && err != nil && rule == "int64" && !strings.ContainsAny(n.String(), ".eE") || rule != "int64" {
			return fmt.Errorf("%v is no %v", v, rule)
		}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return j.size(word, int(rule.(float64)), v)
	case "multipleOf":
		n, ok := v.(json.Number)
		if by, err := n.Float64(); ok && (err != nil || math.Mod(by, rule.(float64)) != 0) {
			return fmt.Errorf("%v is no multiple of %v", v, rule)
		}
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
		if _, ok := rule.(bool); ok { // what is not named is a fault in any case, unless nothing is
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

// size is nil where a value is as long as a keyword says.
func (j *judge) size(word string, bound int, v any) error {
	n := -1
	switch v := v.(type) {
	case string:
		if strings.HasSuffix(word, "Length") {
			n = utf8.RuneCountInString(v)
		}
	case []any:
		if strings.HasSuffix(word, "Items") {
			n = len(v)
		}
	case map[string]any:
		if strings.HasSuffix(word, "Properties") {
			n = len(v)
		}
	}
	if n >= 0 && (strings.HasPrefix(word, "min") && n < bound || strings.HasPrefix(word, "max") && n > bound) {
		return fmt.Errorf("%.50q has the size %d, beyond %s %d", v, n, word, bound)
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
		if n, ok := new(big.Float).SetString(v.String()); ok && n.IsInt() { // 3.0 is one too
			return "integer"
		}
		return "number"
	}
	return "object"
}

// TestEverythingIsAsTheDocumentSays plays games from the first guest to the
// rematch, to their end, resigned and abandoned, and asks for everything. As in
// every test of this package each answer and each event is judged.
func TestEverythingIsAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	b := newBells(t)
	w := newWorld(t, b.hang)
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
	w.company(anna, ben)
	w.matched(anna, ben)
	w.whole(rng, anna, ben)
	w.sides(rng, anna, ben)
	w.members()
	w.operators()
	w.rings(b)
	ben.ask("DELETE", "/api/me", "").is(t, 204)
	anna.ask("DELETE", "/api/me/session", "").is(t, 204)
	for _, op := range w.judge.paths {
		if w.judge.seen[op.name()] == 0 {
			t.Errorf("%s was never answered well", op.name())
		}
	}
	for name := range w.judge.stream()["x-events"].(map[string]any) {
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
		{"NameBody", `{"name":"Anna"}`, `{"name":""}`},
		{"NameBody", `{"name":"` + strings.Repeat("🌳", 24) + `"}`, `{"name":"` + strings.Repeat("🌳", 25) + `"}`},
		{"NameBody", `{"name":" x"}`, `{"name":"  "}`},
		{"NameBody", `{"name":"Anna"}`, `{"name":"Anna","age":3}`},
		{"PlayBody", `{"after":0,"moves":[{}]}`, `{"after":0,"moves":[]}`},
		{"PlayBody", `{"after":1.0,"moves":[3]}`, `{"after":1.5,"moves":[3]}`},
		{"PlayBody", `{"after":0,"moves":[3]}`, `{"after":-1,"moves":[3]}`},
		{"SitBody", `{"nonce":"0000000000000000000000000000000a","seat":null}`, `{"nonce":"00000000000000000000000000000000"}`},
		{"SitBody", `{"nonce":"0123456789abcdef0123456789abcdef","seat":3}`, `{"nonce":"0123456789abcdef0123456789abcdef","seat":4}`},
		{"SitBody", `{"nonce":"0123456789abcdef0123456789abcdef"}`, `{"nonce":"0123456789ABCDEF0123456789abcdef"}`},
		{"AnswerBody", `{"for":"pause","yes":true}`, `{"for":"tea","yes":true}`},
		{"StartBody", `{"fill":"level:3"}`, `{"fill":"level:11"}`},
		{"SayBody", `{"phrase":"hello"}`, `{}`},
		{"SayBody", `{"text":"hello"}`, `{"text":"hello","phrase":"hello"}`},
		{"SayBody", `{"text":"hello"}`, `{"text":null}`},
		{"TableBody", `{"game":"bosk","seats":2,"pace":"days","night":[0,1439]}`, `{"game":"bosk","seats":2,"pace":"days","night":[0,1440]}`},
		{"TableBody", `{"game":"bosk","seats":2,"night":null,"undo":null}`, `{"game":"bosk","seats":2,"night":[0]}`},
		{"TableBody", `{"game":"bosk","seats":2,"bank":60000}`, `{"game":"bosk","seats":2,"bank":60500}`},
		{"TableBody", `{"game":"bosk","seats":2,"visible":"open"}`, `{"game":"bosk","seats":2,"visible":"shut"}`},
		{"TableBody", `{"game":"bosk","seats":2,"version":3}`, `{"game":"bosk","seats":2,"version":2147483648}`},
		{"Program", `{"program":"x","name":"Pruner","state":"good"}`, `{"program":"x","name":"Pruner","state":"bad"}`},
		{"StreamEvent", `{"event":"beat","data":{"now":1,"next":2}}`, `{"event":"beat","data":{"now":1}}`},
		{"StreamEvent", `{"event":"gone","id":"","data":{"table":"x"}}`, `{"event":"gone","data":{"table":"x"}}`},
		{"StreamEvent", `{"event":"next","data":{"table":"x","next":"y"}}`, `{"event":"beat","data":{"table":"x","next":"y"}}`},
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
