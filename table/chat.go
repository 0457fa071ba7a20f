package table

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"copse/game"
)

// LongestChat is how many characters one line of chat may have.
const LongestChat = 280

// mostMarks is how many marks may stand on one letter: enough for every script, and
// too few to cover the lines above.
const mostMarks = 4

// CleanChat cleans what somebody says: one line, without characters that steer a
// screen or cannot be seen. What cannot be cleaned is a *game.Fault.
func CleanChat(text string) (string, error) {
	marks := 0
	line := strings.Map(func(r rune) rune {
		joins := r == '\u200d' // the joiner: emoji need it, and the letters of some scripts
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case r == unicode.ReplacementChar: // it stands for bytes that were no text
			return -1
		case !joins && (!unicode.IsGraphic(r) || unicode.In(r, unicode.Cf, unicode.Co)):
			return -1
		}
		if !joins && !unicode.IsMark(r) {
			marks = 0
			return r
		}
		if marks++; marks > mostMarks {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	line = strings.TrimFunc(strings.Join(strings.Fields(line), " "), blank)
	switch {
	case utf8.RuneCountInString(line) > LongestChat:
		return "", game.Blame("table.chat.long", game.Args{"most": LongestChat})
	case strings.IndexFunc(line, func(r rune) bool { return !blank(r) && !unicode.IsMark(r) }) < 0:
		return "", game.Blame("table.chat.empty", nil)
	}
	return line, nil
}

// blank tells whether a character shows nothing.
func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r == '\u200d' || r == '\u2800'
}

// Sayings are the names on the wire of the set phrases that everyone can say.
// Whoever hears one reads it in their own language: table.phrase.NAME has the
// words.
func Sayings() []string {
	return []string{
		"hello", "luck", "good-move", "ouch", "thinking", "sorry", "back", "your-turn", "thanks", "well-played", "again", "bye",
	}
}

// CheckSaying is nil for one of the Sayings, else a *game.Fault.
func CheckSaying(name string) error {
	for _, known := range Sayings() {
		if known == name {
			return nil
		}
	}
	return game.Blame("table.chat.phrase", game.Args{"known": Sayings()})
}
