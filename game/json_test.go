package game_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"copse/game"
)

type word string

type inner struct {
	B     int8      `json:"b"`
	Name  word      `json:"name,omitempty"`
	Deep  *inner    `json:"deep,omitempty"`
	Float float64   `json:"float"`
	Small float32   `json:"small,omitempty"`
	Many  [2]uint16 `json:"many"`
}

type embedded struct {
	Under string `json:"under"`
	About string `json:"about,omitempty"`
}

// rich has every kind of field that anything on the wire has.
type rich struct {
	*embedded
	Flag   bool              `json:"flag"`
	Text   string            `json:"text"`
	Number int               `json:"number"`
	Large  uint64            `json:"large,omitempty"`
	List   []inner           `json:"list"`
	Zero   []int             `json:"zero,omitzero"`
	Seats  []game.Seat       `json:"seats,omitempty"`
	Map    map[string]inner  `json:"map"`
	Words  map[word][]string `json:"words,omitempty"`
	Raw    json.RawMessage   `json:"raw,omitempty"`
	Raws   []json.RawMessage `json:"raws"`
	Any    any               `json:"any"`
	Maybe  *bool             `json:"maybe"`
	Pairs  [][2]int          `json:"pairs"`
	Score  game.Points       `json:"score"`
	Picked picky             `json:"picked,omitempty"`
	About  string            `json:"about"`
	Hidden string            `json:"-"`
	hidden string
	NoTag  int
	Told   map[string]*rich `json:"told,omitempty"`
	Twice  map[string]any   `json:"twice,omitempty"`
}

// both reads a text by encoding/json and by ours, and compares what came of it.
func both(t *testing.T, text []byte) {
	t.Helper()
	theirs, ours := rich{embedded: &embedded{}}, rich{embedded: &embedded{}}
	wrong, err := json.Unmarshal(text, &theirs), game.Unmarshal(text, &ours)
	if (wrong == nil) != (err == nil) {
		t.Fatalf("%q: encoding/json says %v, we say %v", text, wrong, err)
	}
	if !reflect.DeepEqual(theirs, ours) {
		t.Fatalf("%q:\n got %+v\nwant %+v", text, ours, theirs)
	}
	if wrong != nil {
		var kind *json.UnmarshalTypeError
		want := `json.object {}`
		if errors.As(wrong, &kind) {
			want = `w {"path":` + quoted(strings.Trim("r."+strings.TrimPrefix(kind.Field, "embedded."), ".")) + `}`
		}
		var fault *game.Fault
		if errors.As(wrong, &fault) {
			want = fault.Error()
		}
		if got := game.Misread("w", "r", err).Error(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	same(t, &ours)
	same(t, ours.Any)
}

func quoted(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

// same writes a value by both and compares.
func same(t *testing.T, v any) {
	t.Helper()
	want, wrong := json.Marshal(v)
	got, err := game.Marshal(v)
	if (wrong == nil) != (err == nil) || string(got) != string(want) {
		t.Fatalf("%+v:\n got %s %v\nwant %s %v", v, got, err, want, wrong)
	}
}

func texts() []string {
	return []string{
		``, ` `, `{`, `}`, `[]`, `null`, `7`, `"x"`, `true`, `{}`, ` { } `, `{"flag":true,"text":"a","number":-12}`, `{} {}`, `{"a":}`, `{"a" 1}`, `{1:2}`, `[1,]`, `{"a":1,}`,
		`{"FLAG":true,"Text":"caſe","NUMBER":3,"ſcore":1,"\u212Anown":1}`, `{"text":"\ud83c\udf33 \ud83c x \udf33 \u0041 \"\\\/\b\f\n\r\t"}`, "{\"text\":\"\xff\xe2\x80\xa8<>&\x7f\"}", "{\"text\":\"a\nb\"}", `{"text":"\x"}`, `{"text":"\u12"}`, `{"text":"`,
		`{"number":1.0}`, `{"number":1e2}`, `{"number":01}`, `{"number":-}`, `{"number":1.}`, `{"number":1e}`, `{"number":"1"}`, `{"number":9223372036854775808}`, `{"large":18446744073709551615}`, `{"large":-1}`,
		`{"list":[{"b":1},{"b":"x","name":7},{"b":200}],"flag":1}`, `{"list":[{"deep":{"deep":{"b":true}}}]}`, `{"list":{}}`, `{"list":7}`, `{"list":null,"map":null,"maybe":null,"flag":null}`, `{"maybe":false}`,
		`{"map":{"a":{"b":1},"a":{"float":2},"b":{"b":[]}}}`, `{"map":[]}`, `{"words":{"x":["1","2"],"y":null,"z":[]}}`, `{"raw": {"a" : [1, "<b>"] } ,"raws":[null,1,"x", [ ] ]}`, `{"raw":null}`,
		`{"any":[1,2.5,1e21,1e-7,"x",null,true,{"b":1,"a":{}}]}`, `{"any":1e999}`, `{"pairs":[[1,2],[3],[4,5,6]]}`, `{"pairs":[[1,"x"]]}`, `{"many":1}`, `{"seats":[0,1]}`, `{"score":3}`, `{"picked":3,"flag":7}`, `{"flag":7,"picked":3}`,
		`{"under":"u","about":"a","embedded":{},"hidden":"x","Hidden":"y","-":1,"notag":4,"NoTag":5}`, `{"told":{"x":{"flag":true,"told":{"y":null}}}}`, `{"list":[{"many":[1,2,3]},{"many":[1]}],"unknown":[{"deep":[[[]]]}]}`,
		strings.Repeat("[", 10000) + strings.Repeat("]", 10000), strings.Repeat("[", 10001) + strings.Repeat("]", 10001), `{"any":` + strings.Repeat(`{"a":`, 500) + `1` + strings.Repeat("}", 500) + `}`,
	}
}

func TestJSONIsReadAndWrittenAsEncodingJSONDoes(t *testing.T) {
	for _, text := range texts() {
		both(t, []byte(text))
	}
	yes := true
	for _, v := range []any{
		nil, true, 7, int8(-7), uint64(math.MaxUint64), 0.1, 1e20, 1e21, 1e-6, 1e-7, -1e-9, 123456789.0, float32(1e-7), float32(0.1), math.NaN(), math.Inf(1), "é <&> \u2028 \x00 \xff", word("w"), []int(nil), []int{}, [2]bool{true}, &yes, (*bool)(nil),
		map[string]any{"b": []any{1, "x"}, "a": nil, "<": game.Seat(2)}, map[string]int(nil), game.Args{"seat": game.Watcher, "points": game.Unknown}, json.RawMessage("{ \"a\" : [ 1 , \"<\\\"\u2028\" ] }"), json.RawMessage(nil), json.RawMessage("{"), json.RawMessage(""),
		rich{}, &rich{embedded: &embedded{"u", "a"}, Zero: []int{}, Maybe: &yes, Words: map[word][]string{"z": {"1"}, "a": nil}}, struct{ X, y any }{X: game.Everyone}, func() {}, make(chan int), errors.New("x"), game.Refuse("1.1", "k", nil), []error{nil},
	} {
		same(t, v)
	}
}

// What ours does not write it refuses; it never writes it otherwise.
func TestWhatIsNeverOnTheWireIsRefused(t *testing.T) {
	for _, v := range []any{[]byte("x"), map[int]int{1: 2}, struct{ B []byte }{[]byte{}}} {
		if raw, err := game.Marshal(v); err == nil {
			t.Errorf("%T is written as %s", v, raw)
		}
	}
}

func TestTheFirstValueIsReadAndNoUnknownField(t *testing.T) {
	var v inner
	rest, err := game.ReadKnown([]byte(` {"b":1} x`), &v)
	if err != nil || string(rest) != " x" || v.B != 1 {
		t.Errorf("%v %q %v", v, rest, err)
	}
	for text, want := range map[string]string{
		`{"c":1,"b":"x"}`: `json.unknown {"field":"c"}`, `{"b":"x","c":1}`: `w {"path":"b"}`, `{"":1}`: `json.unknown {"field":""}`, `x`: `json.object {}`, ``: `json.object {}`, `[]`: `json.object {}`,
	} {
		_, err := game.ReadKnown([]byte(text), &v)
		if got := game.Misread("w", "", err).Error(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What a list held before is read over, not forgotten: a box is laid on the box
// that comes with Copse.
func TestListsAreReadOverWhatTheyHeld(t *testing.T) {
	theirs, ours := []inner{{B: 1, Float: 2}, {B: 3}, {B: 4}}, []inner{{B: 1, Float: 2}, {B: 3}, {B: 4}}
	for _, text := range []string{`[{"b":7}]`, `[{},{"float":1},{}]`, `[]`, `[{}]`} {
		if json.Unmarshal([]byte(text), &theirs) != nil || game.Unmarshal([]byte(text), &ours) != nil || !reflect.DeepEqual(theirs, ours) {
			t.Errorf("%s: %v, want %v", text, ours, theirs)
		}
	}
	// An array has no length of its own: what the text leaves out is zero.
	full := inner{Many: [2]uint16{7, 8}}
	if err := game.Unmarshal([]byte(`{"many":[1]}`), &full); err != nil || full.Many != [2]uint16{1, 0} {
		t.Errorf("an array is %v, %v", full.Many, err)
	}
}

func FuzzJSON(f *testing.F) {
	for _, text := range texts() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { both(t, text) })
}

func TestTheSmallHashIsSHA256(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for n := range 300 {
		key, message := make([]byte, n%150), make([]byte, n)
		for i := range key {
			key[i] = byte(rng.Uint32())
		}
		for i := range message {
			message[i] = byte(rng.Uint32())
		}
		if got, want := game.SmallSum256(message), sha256.Sum256(message); got != want {
			t.Fatalf("SHA-256 of %d bytes is %x, want %x", n, got, want)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(message)
		if got := game.SmallMAC256(key, message); string(got[:]) != string(mac.Sum(nil)) {
			t.Fatalf("HMAC of %d bytes with a key of %d is wrong", n, len(key))
		}
	}
}
