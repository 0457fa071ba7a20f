package terminal

import (
	"fmt"
	"strings"
	"unicode"
)

// shellLine is a command as a shell reads it, so that it can be pasted: words that
// a shell would change are quoted, and nothing in it steers the terminal.
func shellLine(words []string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = shellWord(word)
	}
	return strings.Join(list, " ")
}

func shellWord(word string) string {
	switch {
	case strings.ToValidUTF8(word, "") != word || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }):
		return ansiQuoted(word)
	case word == "" || strings.ContainsFunc(word, special):
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// special tells whether a shell may read a character as more than itself.
func special(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_@%+=:,./-", r)
}

// ansiQuoted spells out the bytes of a word that cannot be shown, in a form that
// bash, zsh and ksh read.
func ansiQuoted(word string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(word) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
