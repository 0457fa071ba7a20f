// Package i18n turns keys with arguments into sentences.
//
// The rules, the engine and the terminal speak in keys; what people read is in
// en.json, fr.json and it.json, one flat object of key and message each. The
// format of a message is small enough to be written again in another language:
// README.md defines it, and vectors.json holds every implementation to it.
package i18n

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed en.json fr.json it.json
var files embed.FS

// Locale is a language: its messages, and how it counts and joins.
type Locale struct {
	tag      string
	habits   habits
	messages map[string]message
}

// habits are what languages do differently within a message.
type habits struct {
	and     string               // joins the last two of a list
	decimal string               // between a number and its fraction
	one     func(n float64) bool // tells whether a number, made positive, counts as "one"
}

func habitsOf(tag string) habits {
	single := func(n float64) bool { return n == 1 }
	switch tag {
	case "fr":
		return habits{and: " et ", decimal: ",", one: func(n float64) bool { return n < 2 }}
	case "it":
		return habits{and: " e ", decimal: ",", one: single}
	}
	return habits{and: " and ", decimal: ".", one: single}
}

// locales are the built-in ones, English first.
var locales = sync.OnceValue(func() []*Locale {
	var list []*Locale
	for _, tag := range []string{"en", "fr", "it"} {
		raw, err := files.ReadFile(tag + ".json")
		var messages map[string]string
		if err == nil {
			err = json.Unmarshal(raw, &messages)
		}
		// A file or a message that cannot be read fails a test; in a running Copse
		// its keys are shown as they are.
		l, bad := New(tag, messages)
		_ = errors.Join(err, bad)
		list = append(list, l)
	}
	return list
})

// Locales are the languages that Copse speaks, English first.
func Locales() []*Locale { return slices.Clone(locales()) }

// Pick is the first language of lang that Copse speaks, English if there is
// none. It takes what is found in LANG, LANGUAGE and Accept-Language alike:
// "fr_CH.UTF-8", "de:it", "de-CH, fr;q=0.8", "".
func Pick(lang string) *Locale {
	for wish := range strings.FieldsFuncSeq(lang, func(r rune) bool { return r == ':' || r == ',' }) {
		wish = strings.ToLower(strings.TrimSpace(wish))
		if end := strings.IndexAny(wish, "_-.@;"); end >= 0 {
			wish = wish[:end]
		}
		for _, l := range locales() {
			if l.tag == wish {
				return l
			}
		}
	}
	return locales()[0]
}

// New makes a locale of messages by key. It leaves out messages that cannot be
// parsed, and the error names all of them.
func New(tag string, messages map[string]string) (*Locale, error) {
	l := &Locale{tag: tag, habits: habitsOf(tag), messages: make(map[string]message, len(messages))}
	var bad []error
	for _, key := range slices.Sorted(maps.Keys(messages)) {
		m, err := parse(messages[key])
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %s: %w", tag, key, err))
			continue
		}
		l.messages[key] = m
	}
	return l, errors.Join(bad...)
}

// Tag is "en", "fr" or "it".
func (l *Locale) Tag() string { return l.tag }

// Decimal is what stands between a whole number and its fraction.
func (l *Locale) Decimal() string { return l.habits.decimal }

// Keys are the keys of all messages, sorted.
func (l *Locale) Keys() []string { return slices.Sorted(maps.Keys(l.messages)) }

// Say is the message of a key with its arguments filled in. Arguments count as
// their JSON does, so that a page that got them over the wire says the same. Names
// gives the name of a seat, "" for one that it does not know; it may be nil. A key
// without a message is shown as it is, with its arguments.
func (l *Locale) Say(key string, args map[string]any, names func(seat int) string) string {
	m, ok := l.messages[key]
	if !ok {
		return bare(key, args)
	}
	s := speech{locale: l, args: args, names: names}
	s.say(m)
	return s.out.String()
}

// Names is a function for Say that knows the names of the seats from 0 on.
func Names(names ...string) func(seat int) string {
	return func(seat int) string {
		if seat < 0 || seat >= len(names) {
			return ""
		}
		return names[seat]
	}
}

// bare is what is shown of a key without a message.
func bare(key string, args map[string]any) string {
	if len(args) == 0 {
		return key
	}
	return key + " " + jsonOf(args)
}

// jsonOf is a value as JSON, names sorted.
func jsonOf(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
