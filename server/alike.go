package server

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"
)

// looks are the keys under which a name is held for its member: two names that people
// could take for each other have one in common. They are skeletons as UTS 39 has them,
// hashed, since a skeleton may be many times as long as its name.
//
// A skeleton minds capitals, and people do not. To fold first and to fold last differ:
// a Greek Η looks like a Latin H, while its small letter η looks like an n. So a name
// is held under both, which nearly always are the same.
func looks(name string) []string {
	keys := []string{lookKey(skeleton(folded(name))), lookKey(skeleton(folded(skeleton(name))))}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// lookKey is the key of a skeleton without capitals. A small i stands for an l as well:
// its capital looks like one.
func lookKey(skeleton string) string {
	sum := sha256.Sum256([]byte("copse look 1\n" + strings.ReplaceAll(skeleton, "i", "l")))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// folded is a text without capitals, compatible forms of letters in the usual one.
// A sigma at the end of a word is one like any other: its capital does not tell.
func folded(text string) string {
	return strings.ReplaceAll(strings.ToLower(norm.NFKC.String(text)), "ς", "σ")
}

// skeleton is what a text looks like: of characters that look alike one stands for all.
// The table is the one of Unicode; the function beside it in its package leaves out what
// the unicode package of Go does not know yet, so that letters younger than Go would all
// look like nothing. Two things the table does not say: a dot on an i or a j takes the
// place of the dot that is there, and the empty pattern of Braille is a space.
func skeleton(text string) string {
	var b strings.Builder
	dotted := false
	for _, r := range norm.NFD.String(text) {
		as := confusable.GetReplacement(r)
		had := dotted
		dotted = strings.ContainsRune("ij", r) || as == "i" || as == "j"
		switch {
		case unseen(r):
			dotted = had
		case had && r == '\u0307':
		case r == '\u2800':
			b.WriteByte(' ')
		case as != "":
			b.WriteString(as)
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFD.String(b.String())
}

// unseen tells of characters that nobody sees.
func unseen(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
