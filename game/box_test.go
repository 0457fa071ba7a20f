package game_test

import (
	"encoding/json"
	"strings"
	"testing"

	"copse/game"
)

func TestTheBoxThatATableAsksFor(t *testing.T) {
	const standard = "5d3c"
	large := `{"x":"` + strings.Repeat("x", game.LargestBox-8) + `"}` // as large as may be
	for _, c := range []struct{ options, box, want string }{
		{``, `{}`, ""},
		{`null`, `{}`, ""},
		{`{}`, `{}`, ""},
		{`{"other":1}`, `{}`, ""},
		{`{"box":null}`, `{}`, ""},
		{`{"box":{}}`, `{}`, ""},
		{`{"box":{"a":1}}`, `{"a":1}`, ""},
		{`{"box":"5d3c"}`, `{}`, ""},
		{`{"box":` + large + `}`, large, ""},
		{`{"box":` + large[:6] + "x" + large[6:] + `}`, "", `box.large {"bytes":65537,"most":65536}`},
		{`{"box":"0be1"}`, "", `box.unknown {"hash":"0be1","standard":"5d3c"}`},
		{`{"box":""}`, "", `box.unknown {"hash":"","standard":"5d3c"}`},
		{`{"box":"/etc/passwd"}`, "", `box.unknown {"hash":"/etc/passwd","standard":"5d3c"}`},
		{`{"box":7}`, "", `json.an-object {"field":"box"}`},
		{`{"box":[]}`, "", `json.an-object {"field":"box"}`},
		{`{"box":true}`, "", `json.an-object {"field":"box"}`},
		{`[]`, `{}`, `json.object {}`},
	} {
		box, err := game.TheBox(game.ReadOptions([]byte(c.options)), standard)
		if string(box) != c.box || said(err) != c.want {
			t.Errorf("%.40s: %.40s, %v; want %.40s, %q", c.options, box, err, c.box, c.want)
		}
	}
}

// TestABoxIsNamedByItsHash: logs name a box by its hash for ever.
func TestABoxIsNamedByItsHash(t *testing.T) {
	const sha256OfBraces = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
	if got := game.BoxHash(json.RawMessage("{}")); got != sha256OfBraces {
		t.Errorf("{} is named %s", got)
	}
}

func TestReadable(t *testing.T) {
	for name, want := range map[string]bool{
		"fox": true, "épicéa": true, "blue-grey": true, "red ground": true, "狐": true,
		"": false, " ": false, " fox": false, "\x1b[31m": false, "\u200b": false, "\u202eabc": false, "\u2028x": false, "\u3164": false, "a\nb": false,
	} {
		if got := game.Readable(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
}

func TestInsideNamesTheWayIn(t *testing.T) {
	for want, fault := range map[string]error{
		`json.twice {"field":"box.tiles"}`:          game.Blame("json.twice", game.Args{"field": "tiles"}),
		`bosk.box.row {"path":"box.rows","side":6}`: game.Blame("bosk.box.row", game.Args{"path": "rows", "side": 6}),
		`json.object {}`:                            game.Blame("json.object", nil),
	} {
		if got := game.Inside("box", fault); got.Error() != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
}
