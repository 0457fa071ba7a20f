package game_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"copse/game"
)

func TestOnlyAnObjectIsAnObject(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                            "",
		" {\n} ":                        "",
		`{"a":{"a":{"a":1}}}`:           "",
		`{"a":1,"A":2}`:                 "",
		``:                              `json.object {}`,
		`null`:                          `json.object {}`,
		`[]`:                            `json.object {}`,
		`7`:                             `json.object {}`,
		`"{}"`:                          `json.object {}`,
		`{`:                             `json.object {}`,
		`{"a"`:                          `json.object {}`,
		`{"a":`:                         `json.object {}`,
		`{"a":1`:                        `json.object {}`,
		`{"a":1,}`:                      `json.object {}`,
		`{"a":01}`:                      `json.object {}`,
		`{a:1}`:                         `json.object {}`,
		`{1:1}`:                         `json.object {}`,
		`{}{}`:                          `json.object {}`,
		`{} x`:                          `json.object {}`,
		`{"a":1,"b":2,"a":1}`:           `json.twice {"field":"a"}`,
		`{"a":1,"\u0061":1}`:            `json.twice {"field":"a"}`,
		strings.Repeat(`{"a":`, 20_000): `json.object {}`,
	} {
		if got := said(game.ReadObject([]byte(text)).Fault()); got != want {
			t.Errorf("%.40s: %q, want %q", text, got, want)
		}
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestFieldsAreWhatTheyMustBe reads the field "f" in every way.
func TestFieldsAreWhatTheyMustBe(t *testing.T) {
	text := func(o *game.Object) any { return o.Text("f") }
	flag := func(o *game.Object) any { return o.Flag("f") }
	number := func(o *game.Object) any { return o.Number("f") }
	pair := func(o *game.Object) any { return o.Pair("f") }
	raw := func(o *game.Object) any { return string(o.Raw("f")) }
	const tooLarge = `json.range {"field":"f","least":-2147483648,"most":2147483647}`
	for _, c := range []struct {
		name  string
		read  func(*game.Object) any
		field string
		value any
		want  string
	}{
		{"text", text, `"oak"`, "oak", ""},
		{"text", text, `""`, "", ""},
		{"text", text, `"\u006fak"`, "oak", ""},
		{"text", text, `7`, "", `json.text {"field":"f"}`},
		{"text", text, `null`, "", `json.text {"field":"f"}`},
		{"text", text, `["oak"]`, "", `json.text {"field":"f"}`},
		{"flag", flag, `true`, true, ""},
		{"flag", flag, `false`, false, ""},
		{"flag", flag, `"true"`, false, `json.flag {"field":"f"}`},
		{"flag", flag, `1`, false, `json.flag {"field":"f"}`},
		{"flag", flag, `null`, false, `json.flag {"field":"f"}`},
		{"number", number, `7`, 7, ""},
		{"number", number, `-0`, 0, ""},
		{"number", number, `1.0`, 1, ""},
		{"number", number, `1e2`, 100, ""},
		{"number", number, `2147483647`, 2147483647, ""},
		{"number", number, `-2147483648`, -2147483648, ""},
		{"number", number, `2147483648`, 0, tooLarge},
		{"number", number, `-2147483649`, 0, tooLarge},
		{"number", number, `1e30`, 0, tooLarge},
		{"number", number, `1e400`, 0, tooLarge},
		{"number", number, `-1e400`, 0, tooLarge},
		{"number", number, `1.5`, 0, `json.number {"field":"f"}`},
		{"number", number, `"1"`, 0, `json.number {"field":"f"}`},
		{"number", number, `true`, 0, `json.number {"field":"f"}`},
		{"number", number, `null`, 0, `json.number {"field":"f"}`},
		{"number", number, `[1]`, 0, `json.number {"field":"f"}`},
		{"pair", pair, `[1,-2]`, [2]int{1, -2}, ""},
		{"pair", pair, `[1.0,1e2]`, [2]int{1, 100}, ""},
		{"pair", pair, `[1]`, [2]int{}, `json.pair {"field":"f"}`},
		{"pair", pair, `[1,2,3]`, [2]int{}, `json.pair {"field":"f"}`},
		{"pair", pair, `{"0":1,"1":2}`, [2]int{}, `json.pair {"field":"f"}`},
		{"pair", pair, `"ab"`, [2]int{}, `json.pair {"field":"f"}`},
		{"pair", pair, `null`, [2]int{}, `json.pair {"field":"f"}`},
		{"pair", pair, `[1,"2"]`, [2]int{1, 0}, `json.number {"field":"f"}`},
		{"pair", pair, `[null,2]`, [2]int{0, 2}, `json.number {"field":"f"}`},
		{"pair", pair, `[1e10,2]`, [2]int{0, 2}, tooLarge},
		{"raw", raw, `{"a":[1, 2]}`, `{"a":[1, 2]}`, ""},
		{"raw", raw, `null`, `null`, ""},
	} {
		o := game.ReadObject([]byte(`{"f":` + c.field + `}`))
		if value := c.read(o); value != c.value || said(o.Done()) != c.want {
			t.Errorf("%s of %s is %v, %q; want %v, %q", c.name, c.field, value, said(o.Done()), c.value, c.want)
		}
	}
	for name, read := range map[string]func(*game.Object) any{"text": text, "flag": flag, "number": number, "pair": pair, "raw": raw} {
		o := game.ReadObject([]byte(`{"F":1}`))
		value := fmt.Sprint(read(o))
		if zero := fmt.Sprint(read(game.ReadObject(nil))); value != zero || said(o.Done()) != `json.missing {"field":"f"}` {
			t.Errorf("%s of a field that is not there is %v, %v", name, value, o.Done())
		}
	}
}

func TestTheFirstThingWrongIsKept(t *testing.T) {
	o := game.ReadObject([]byte(`{"a":"x","b":"y","z":1,"c":1}`))
	o.Number("a")
	o.Flag("b")
	o.Raw("none")
	if got := said(o.Fault()); got != `json.number {"field":"a"}` {
		t.Error(got)
	}
	if got := said(o.Done()); got != `json.number {"field":"a"}` {
		t.Error(got)
	}
}

func TestFieldsThatNobodyAskedFor(t *testing.T) {
	o := game.ReadObject([]byte(`{"b":1,"z":2,"c":3,"n":null}`))
	if o.Number("b"); o.Fault() != nil {
		t.Error(o.Fault())
	}
	if got := said(o.Done()); got != `json.unknown {"field":"c"}` {
		t.Errorf("the first of them is said to be %s", got)
	}
	o.Raw("c")
	o.Raw("z")
	if got := said(o.Done()); got != `json.unknown {"field":"n"}` {
		t.Error(got)
	}
	// A field that is null counts as missing, and asking for it is enough.
	if o.Has("n") || o.Has("none") || !o.Has("b") || o.Done() != nil {
		t.Errorf("has n, none, b: %t %t %t (%v)", o.Has("n"), o.Has("none"), o.Has("b"), o.Done())
	}
	// Asking whether a field is there does not read it.
	o = game.ReadObject([]byte(`{"b":1}`))
	if !o.Has("b") || said(o.Done()) != `json.unknown {"field":"b"}` {
		t.Error(o.Done())
	}
}

func TestNoOptionsAreAnEmptyObject(t *testing.T) {
	for _, text := range []string{"", "null", "{}"} {
		if err := game.ReadOptions([]byte(text)).Done(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"[]", "nul", "0"} {
		if err := game.ReadOptions([]byte(text)).Done(); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// picky reads itself and says what is wrong.
type picky int

func (p *picky) UnmarshalJSON([]byte) error {
	return game.Blame("picky.no", game.Args{"path": "mine"})
}

func TestWhereJSONCouldNotBeRead(t *testing.T) {
	var v struct {
		A []struct {
			B int `json:"b"`
		} `json:"a"`
		P picky `json:"p"`
	}
	for _, c := range []struct{ text, root, want string }{
		{`{"a":[{"b":"x"}]}`, "view", `wrong {"path":"view.a.b"}`},
		{`{"a":[{"b":"x"}]}`, "", `wrong {"path":"a.b"}`},
		{`{"a":7}`, "view", `wrong {"path":"view.a"}`},
		{`7`, "view", `wrong {"path":"view"}`},
		{`7`, "", `json.object {}`},
		{`{`, "view", `json.object {}`},
		{``, "view", `json.object {}`},
		{`{"p":1}`, "view", `picky.no {"path":"mine"}`},
		{`{"c":1}`, "view", `json.unknown {"field":"c"}`},
	} {
		_, err := game.ReadKnown([]byte(c.text), &v)
		if err == nil {
			t.Fatalf("%s is read", c.text)
		}
		if got := game.Misread("wrong", c.root, err).Error(); got != c.want {
			t.Errorf("%s under %q: %s, want %s", c.text, c.root, got, c.want)
		}
	}
	if got := game.Misread("wrong", "view", errors.New("the disk is full")).Error(); got != `json.object {}` {
		t.Error(got)
	}
}

// FuzzObject compares the reader with encoding/json, which is slower and takes a
// field twice.
func FuzzObject(f *testing.F) {
	for _, text := range []string{
		`{}`, ` {"a" : 1 , "b":[1, {"c":"}"}] , "\u0064\"":"\\"}`, `{"f":[1,2]}`, `{"f":[[1,2],{"a":[]}]}`, `{"f":"[1,2]"}`, `{"":null}`,
		`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":[6,7],"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13,"n":14,"o":15,"p":16,"q":17,"r":18}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		fits := json.Unmarshal(text, &want) == nil && want != nil
		o := game.ReadObject(text)
		if err := o.Fault(); err != nil {
			if fits && !strings.HasPrefix(err.Error(), "json.twice") {
				t.Fatalf("%v of an object", err)
			}
			return
		}
		if !fits {
			t.Fatal("taken, and is no object")
		}
		for name, raw := range want {
			if got := o.Raw(name); string(got) != string(raw) {
				t.Fatalf("%q is %s, want %s", name, got, raw)
			}
		}
		if err := o.Done(); err != nil {
			t.Fatalf("%v, and all has been read", err)
		}
		var pair []int32
		if raw := want["f"]; len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &pair) == nil {
			got, nulls := o.Pair("f"), strings.Contains(string(raw), "null")
			switch err := o.Fault(); {
			case len(pair) != 2 && err == nil, len(pair) == 2 && err != nil && !nulls:
				t.Fatalf("%s is a pair %v: %v", raw, got, err)
			case err == nil && got != [2]int{int(pair[0]), int(pair[1])}:
				t.Fatalf("%s is the pair %v", raw, got)
			}
		}
	})
}

// TestAListIsTakenApartAsJSONSays: value by value, as encoding/json has it.
func TestAListIsTakenApartAsJSONSays(t *testing.T) {
	for _, raw := range []string{`[]`, ` [ ] `, `[1]`, `[1,2 , 3]`, `[{"a":[1,{"b":"]"}]} ,"x,y\"]", null,true,-1.5e3]`, `[[],[[]]]`} {
		var want []json.RawMessage
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatal(err)
		}
		o := game.ReadObject([]byte(`{"list":` + raw + `}`))
		got := o.List("list")
		if o.Done() != nil || got == nil || len(got) != len(want) {
			t.Fatalf("%s is %q, %v", raw, got, o.Done())
		}
		for i := range got {
			if string(got[i]) != string(want[i]) {
				t.Errorf("%s: value %d is %s", raw, i, got[i])
			}
		}
	}
	for raw, key := range map[string]string{`{"list":{}}`: "json.list", `{"list":null}`: "json.list", `{"list":"[]"}`: "json.list", `{}`: "json.missing"} {
		o := game.ReadObject([]byte(raw))
		var fault *game.Fault
		if list := o.List("list"); list != nil || !errors.As(o.Fault(), &fault) || fault.Key != key {
			t.Errorf("%s is %q, %v", raw, list, o.Fault())
		}
	}
}
