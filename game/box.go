package game

import (
	"strings"
	"unicode"
)

// LargestBox is the longest box in bytes that anyone may bring.
const LargestBox = 64 << 10

// BoxHash is the name of a box: the hash of its one written form, as About.Box
// gives it. A log names the box it was played with by this hash.
func BoxHash(written RawMessage) string {
	sum := Sum256(written)
	const digits = "0123456789abcdef"
	name := make([]byte, 0, 2*len(sum))
	for _, b := range sum {
		name = append(name, digits[b>>4], digits[b&15])
	}
	return string(name)
}

// TheBox is the box that the option "box" asks for, to be read by the game: the box
// as JSON, or {} for the one that comes with Copse, which may also be asked for by
// its hash. It is never a path.
func TheBox(options *Object, standardHash string) (RawMessage, error) {
	if !options.Has("box") {
		return RawMessage("{}"), options.Fault()
	}
	raw := options.Raw("box")
	if len(raw) > LargestBox {
		return nil, Blame("box.large", Args{"bytes": len(raw), "most": LargestBox})
	}
	switch raw[0] {
	case '{':
		return raw, nil
	case '"':
	default:
		return nil, Blame("json.an-object", Args{"field": "box"})
	}
	if hash := options.Text("box"); hash != standardHash {
		return nil, Blame("box.unknown", Args{"hash": hash, "standard": standardHash})
	}
	return RawMessage("{}"), nil
}

// Readable tells whether a name from outside can be shown on a screen: it has
// something to see, and nothing that steers the screen.
func Readable(name string) bool {
	steers := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || !unicode.IsGraphic(r) }
	blank := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	}
	return !strings.ContainsFunc(name, steers) && strings.TrimFunc(name, blank) == name && name != ""
}
