package server

import (
	"slices"
	"testing"
)

// alike tells whether two names have a look in common.
func alike(a, b string) bool {
	for _, one := range looks(a) {
		if slices.Contains(looks(b), one) {
			return true
		}
	}
	return false
}

// TestNamesThatLookAlike: what people would take for each other is one name, what they
// would not is two.
func TestNamesThatLookAlike(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"Anna", "anna"}, {"Anna", "ANNA"},
		{"Anna", "Аnnа"},        // with Cyrillic А and а
		{"Ivan", "lvan"},        // with a small L
		{"Ivan", "ivan"},        // by its capital
		{"IVAN", "1van"},        // with a one
		{"Tom", "Torn"},         // rn looks like m
		{"Oak", "0ak"},          // with a zero
		{"Hera", "Ηera"},        // with a Greek capital Eta
		{"ΗΛΙΑΣ", "ηλιασ"},      // by its capitals
		{"Élan", "E\u0301lan"},  // composed or not
		{"Bob", "B\u200bob"},    // with a space that nobody sees
		{"Bob", "Bo\u034fb"},    // with a joiner that nobody sees
		{"Bob", "Bo\ufe0fb"},    // with a variation selector
		{"Bob", "𝔹𝕠𝕓"},          // letters of mathematics
		{"Bob", "Ｂｏｂ"},          // letters of full width
		{"paypal", "раураӏ"},    // all of it Cyrillic
		{"Ann O", "Ann\u00a0O"}, // with a space that does not break
		{"Straße", "STRAßE"},    // whose capital is younger
		{"micro", "mісrо"},      // in part Cyrillic
		{"Iris", "i\u0307ris"},  // with one more dot, where there is one
		{"Jan", "j\u0307an"},    // likewise
		{"Σίσυφος", "ΣΊΣΥΦΟΣ"},  // whose last letter has two small forms
		{"Ann O", "Ann\u2800O"}, // with an empty pattern of Braille
	} {
		if !alike(c.a, c.b) {
			t.Errorf("%q and %q are two names: %q %q", c.a, c.b, skeleton(folded(c.a)), skeleton(folded(c.b)))
		}
	}
	for _, c := range []struct{ a, b string }{
		{"Anna", "Anno"}, {"Ann A", "Anna"}, {"Elan", "Élan"}, {"Zoe", "Zoë"}, {"树", "木"}, {"🌲", "🌳"},
		{"\u0947a", "\u0948a"},              // signs whose stand-ins are younger than Go
		{"Bill", "Bob"}, {"ao", "a\u0307o"}, // a dot where there is none is seen
	} {
		if alike(c.a, c.b) {
			t.Errorf("%q and %q are one name", c.a, c.b)
		}
	}
}

// FuzzLooks: every name has one look or two, and is alike itself in capitals.
func FuzzLooks(f *testing.F) {
	for _, name := range []string{"Anna", "Η", "\u034f", "ﷺ", "İstanbul", "\xff"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if n := len(looks(name)); n < 1 || n > 2 {
			t.Errorf("%q has %d looks", name, n)
		}
		if !alike(name, name) {
			t.Errorf("%q is not alike itself", name)
		}
	})
}
