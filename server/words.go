package server

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"copse/game"
)

// usualWords are the words that are not welcome where the operator says nothing else.
//
//go:embed words.txt
var usualWords string

// Words are words that are not welcome in names and in chat. They are compared whole,
// never as parts of others, by what they look like: so a letter of another script or a
// digit in the place of a letter helps nobody, and no name is refused because it has
// such a word within.
type Words map[string]bool

// ReadWords reads a list of words: one a line; what follows a # is a remark. A list
// without words refuses nothing.
func ReadWords(text string) Words {
	list := Words{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range wordsOf(line) {
			for _, look := range wordLooks(word) {
				list[look] = true
			}
		}
	}
	return list
}

// UsualWords is the list that comes with Copse.
func UsualWords() Words { return ReadWords(usualWords) }

// wordLooks are what a word looks like, as looks has it.
func wordLooks(word string) []string {
	return []string{lookKey(skeleton(folded(word))), lookKey(skeleton(folded(skeleton(word))))}
}

// wordsOf are the words of a text: runs of letters, digits and marks. Letters that stand
// alone one after the other are a word too, as they are read. Characters that nobody
// sees part nothing.
func wordsOf(text string) []string {
	seen := strings.Map(func(r rune) rune {
		if unseen(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	words := strings.FieldsFunc(seen, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	spelt, run := []string{}, []string{}
	flush := func() {
		if len(run) > 2 {
			spelt = append(spelt, strings.Join(run, ""))
		}
		run = nil
	}
	for _, word := range words {
		if utf8.RuneCountInString(word) == 1 {
			run = append(run, word)
			continue
		}
		flush()
	}
	flush()
	return append(words, spelt...)
}

// unwelcome tells whether a text has such a word in it.
func (w Words) unwelcome(text string) bool {
	if len(w) == 0 {
		return false
	}
	for _, word := range wordsOf(text) {
		for _, look := range wordLooks(word) {
			if w[look] {
				return true
			}
		}
	}
	return false
}

// welcome refuses a text that others will read and that has a word in it that is not
// welcome. It does not say which: whoever wants to know would only look for another
// way to write it.
func (s *Server) welcome(text string) error {
	if s.Words.unwelcome(text) {
		return game.Refuse("", "server.word", nil)
	}
	return nil
}

// What may be said in a house.
const (
	ChatOn      = "on"
	ChatPhrases = "phrases" // set phrases alone
	ChatOff     = "off"
)

// ChatModes are all of these.
func ChatModes() []string { return []string{ChatOn, ChatPhrases, ChatOff} }
