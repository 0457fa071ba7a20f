package server_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
)

// well are bodies that the server takes, one for each operation that has one: shapes
// are made from them by changing what the document speaks of.
var well = map[string]string{
	"report":        `{"name":"Zoe","table":"t","seat":1,"line":1,"why":"words","text":"x"}`,
	"closeReport":   `{"note":"x"}`,
	"act":           `{"do":"mute","why":"x","days":7,"report":1}`,
	"become":        `{"name":"Zoe"}`,
	"rename":        `{"name":"Zoe"}`,
	"continue":      `{"code":"2222222222","replace":false}`,
	"addProgram":    `{"name":"Pruner"}`,
	"addPasskey":    `{"ticket":"x","credential":{},"label":"Phone"}`,
	"labelPasskey":  `{"label":"Phone"}`,
	"signIn":        `{"ticket":"x","credential":{},"replace":false}`,
	"recover":       `{"name":"Zoe","code":"2222-2222-2222-2222","replace":false}`,
	"create":        `{"game":"bosk","seats":2,"options":{},"version":1,"pace":"own","bank":86400000,"step":3600000,"night":[60,120],"zone":"Europe/Zurich","undo":"none","visible":"open","watchers":true,"hints":true,"takeOver":false,"standIn":"easy","sides":false}`,
	"sit":           `{"nonce":"000102030405060708090a0b0c0d0e0f","seat":0,"invite":"x"}`,
	"seatBot":       `{"seat":1,"player":"easy"}`,
	"kick":          `{"seat":1}`,
	"start":         `{"fill":"easy"}`,
	"play":          `{"after":3,"moves":[{"do":"nothing"}]}`,
	"undo":          `{"to":3}`,
	"agree":         `{"for":"undo","yes":true}`,
	"say":           `{"text":"hello"}`,
	"setDoorbell":   `{"live":true,"evening":false,"days":true,"invites":true,"from":60,"to":120,"zone":"Europe/Zurich"}`,
	"addBrowser":    `{"subscription":{},"language":"en","zone":"Europe/Zurich","old":"x"}`,
	"playNow":       `{"game":"bosk","seats":2,"pace":"live","bots":60000,"rated":true}`,
	"show":          `{"rating":true,"results":true,"games":true,"closed":false}`,
	"come":          `{"nonce":"000102030405060708090a0b0c0d0e0f"}`,
	"askFriend":     `{"name":"Zoe","table":"x","seat":1,"line":2,"friend":"x"}`,
	"block":         `{"name":"Zoe","table":"x","seat":1,"line":2,"friend":"x"}`,
	"answerFriend":  `{"yes":true}`,
	"beSeen":        `{"yes":true}`,
	"useFriendLink": `{"code":"x","agree":true}`,
	"invite":        `{"friends":["x"]}`,
	"makeCompany":   `{"name":"We","friends":["x"],"game":"bosk","seats":2,"pace":"live"}`,
}

// also are bodies of other shapes that the document allows.
var also = map[string][]string{
	"create": {`{"game":"bosk","seats":2}`, `{"game":"bosk","seats":2,"bank":null,"step":null,"pace":null}`},
	"say":    {`{"phrase":"hello"}`},
	"start":  {``, `{}`},
	"undo":   {``, ` `},

	"askFriend":   {`{"table":"x","seat":1}`, `{}`},
	"makeCompany": {`{"name":"We","table":"x"}`},
}

// TestWhatTheDocumentForbidsIsRefused changes every part of every request: what the
// document then forbids is refused by 400, or by 404 where it stands in the address,
// and what it allows is not refused for its shape. The judge says which is which, as
// it does in every test of this package.
func TestWhatTheDocumentForbidsIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anna, ben := w.guest("Anna"), w.guest("Ben")
	table := "/api/tables/" + anna.table(`{"game":"bosk","seats":2}`)
	anna.sit(strings.TrimPrefix(table, "/api/tables/"))
	seen := map[string][2]int{} // how many shapes were allowed, and forbidden
	send := func(p *judged, path, body string) {
		a := sending{p.method, path, body, http.Header{"Content-Type": {"application/json"}}}
		by := anna
		switch p.name() {
		case "become":
			by = w.nobody()
		case "sit":
			by = ben
		}
		forbidden := w.judge.forbids(p, a)
		r := by.ask(p.method, path, body) // and judged
		n := seen[p.name()]
		if forbidden == nil {
			n[0]++
		} else if n[1]++; r.status != 400 && r.status != 404 && (r.status != 429 || strings.HasPrefix(path, table)) { // who talks too much is told so first
			t.Errorf("%s: %v, and it is answered %d: %s %.300s", p.name(), forbidden, r.status, path, body)
		}
		seen[p.name()] = n
	}
	rng := seeded(5)
	random := 40
	if os.Getenv("COPSE_TORTURE") != "" {
		random = 5000
	}
	for i := range w.judge.paths {
		p := &w.judge.paths[i]
		path := strings.NewReplacer("{report}", "1", "{person}", "none", "{table}", strings.TrimPrefix(table, "/api/tables/"), "{number}", "0", "{seat}", "1", "{program}", "none", "{passkey}", "none", "{session}", "none", "{name}", "Zoe", "{friend}", "none", "{company}", "none").Replace(w.judge.form(p))
		asks, ok := p.op["requestBody"].(map[string]any)
		if ok != (well[p.name()] != "") {
			t.Errorf("%s has a body: %v; say here how a good one looks", p.name(), ok)
			continue
		}
		if ok {
			s := w.judge.resolve(asks["content"].(map[string]any)["application/json"].(map[string]any)["schema"])
			var good map[string]any
			if err := json.Unmarshal([]byte(well[p.name()]), &good); err != nil {
				t.Fatal(err)
			}
			for _, body := range also[p.name()] {
				if err := w.judge.forbids(p, sending{p.method, path, body, http.Header{"Content-Type": {"application/json"}}}); err != nil {
					t.Errorf("%s: %v: %s", p.name(), err, body)
				}
				send(p, path, body)
			}
			for _, body := range w.judge.shapes(s, good) {
				send(p, path, body)
			}
			for range random {
				send(p, path, w.judge.any(rng, s, good))
			}
		}
		if p.name() == "stream" { // which does not end by itself
			continue
		}
		for _, one := range p.op["parameters"].([]any) {
			parameter := one.(map[string]any)
			name := parameter["name"].(string)
			for _, text := range []string{"", "0", "1", "-1", "5", "2147483647", "2147483648", "99999999999999999999", "1.0", "1e1", "x", " ", "true", "false", "True", "null", "é", strings.Repeat("a", 64), strings.Repeat("a", 65)} {
				switch parameter["in"] {
				case "query":
					send(p, path+"?"+url.Values{name: {text}}.Encode(), well[p.name()])
				case "path":
					if text != "" {
						send(p, strings.Replace(w.judge.form(p), "{"+name+"}", url.PathEscape(text), 1), well[p.name()])
					}
				}
			}
		}
	}
	for name := range well {
		if n := seen[name]; n[0] < 3 || n[1] < 5 {
			t.Errorf("of %s only %d shapes were allowed and %d forbidden", name, n[0], n[1])
		}
	}
}

// form is the address of an operation as the document writes it.
func (j *judge) form(of *judged) string {
	for path, ways := range j.doc["paths"].(map[string]any) {
		for _, op := range ways.(map[string]any) {
			if op.(map[string]any)["operationId"] == of.op["operationId"] {
				return path
			}
		}
	}
	return ""
}

// resolve is a schema, or the one that it refers to.
func (j *judge) resolve(of any) map[string]any {
	s := of.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		return j.resolve(j.doc["components"].(map[string]any)["schemas"].(map[string]any)[strings.TrimPrefix(ref, "#/components/schemas/")])
	}
	return s
}

// shapes are bodies in which one thing differs from a good one.
func (j *judge) shapes(s, good map[string]any) []string {
	list := []string{"", "null", "[]", `"x"`, "3", "{", "{}", "true", write(good), " " + write(good) + "\n"}
	change := func(name string, v any) {
		other := maps.Clone(good)
		other[name] = v
		list = append(list, write(other))
	}
	change("unheard", 1)
	change("", nil)
	properties := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		other := maps.Clone(good)
		delete(other, name)
		list = append(list, write(other))
		change(strings.ToUpper(name), good[name])
		for _, v := range j.values(properties[name]) {
			change(name, v)
		}
	}
	return list
}

// values are values near a schema, on either side of its bounds.
func (j *judge) values(of any) []any {
	s := j.resolve(of)
	list := []any{nil, true, false, "", "x", " ", "0", 0, 1, -1, 1.5, json.RawMessage("2.0"), json.RawMessage("1e3"), json.RawMessage("99999999999999999999"), 1 << 31, 1<<31 - 1, []any{}, []any{1}, []any{"x"}, map[string]any{}, map[string]any{"x": 1}}
	for _, word := range []string{"minimum", "maximum"} {
		if n, ok := s[word].(float64); ok {
			list = append(list, n-1, n, n+1, n-1000, n+1000)
		}
	}
	if one, ok := s["enum"].([]any); ok {
		list = append(list, one...)
		list = append(list, strings.ToUpper(one[0].(string)), one[0].(string)+" ", "level:11", "level:01", "flat:5", "level:9/budget=1")
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		some, _ := s[word].([]any)
		for _, one := range some {
			list = append(list, j.values(one)...)
		}
	}
	for _, word := range []string{"minLength", "maxLength"} {
		if n, ok := s[word].(float64); ok {
			for _, size := range []int{int(n) - 1, int(n), int(n) + 1} {
				list = append(list, strings.Repeat("a", size), strings.Repeat("0", size), strings.Repeat("🌳", size), strings.Repeat("F", size), strings.Repeat("g", size))
			}
		}
	}
	for _, word := range []string{"minItems", "maxItems"} {
		if n, ok := s[word].(float64); ok {
			for _, size := range []int{int(n) - 1, int(n), int(n) + 1} {
				list = append(list, slices.Repeat([]any{map[string]any{}}, max(size, 0)), slices.Repeat([]any{60}, max(size, 0)))
			}
		}
	}
	if items, ok := s["items"]; ok {
		for _, v := range j.values(items) {
			list = append(list, []any{v}, []any{120, v})
		}
	}
	return list
}

// any is a body in which some things differ from a good one.
func (j *judge) any(rng *rand.Rand, s, good map[string]any) string {
	other := maps.Clone(good)
	properties := s["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	for range 1 + rng.IntN(3) {
		name := names[rng.IntN(len(names))]
		if rng.IntN(5) == 0 {
			delete(other, name)
			continue
		}
		list := j.values(properties[name])
		other[name] = list[rng.IntN(len(list))]
	}
	return write(other)
}

func write(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprint(v, ": ", err))
	}
	return string(raw)
}
