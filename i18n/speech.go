package i18n

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// speech is one message on its way to becoming a sentence.
type speech struct {
	locale *Locale
	args   map[string]any
	names  func(seat int) string
	number string // of the innermost plural, for #
	inner  bool   // it is said of an item of a tally, and tallies nothing itself
	out    strings.Builder
}

func (s *speech) say(m message) {
	for _, p := range m {
		switch {
		case p.number:
			s.out.WriteString(s.number)
		case p.arg == "":
			s.out.WriteString(p.text)
		default:
			s.fill(p)
		}
	}
}

func (s *speech) fill(p part) {
	arg, ok := s.args[p.arg]
	value := wire(arg)
	switch {
	case p.branches != nil && p.plural:
		outer := s.number
		s.number = "{" + p.arg + "}"
		if ok {
			s.number = s.plain(value)
		}
		s.say(p.choose(s.countOf(value)...))
		s.number = outer
	case p.branches != nil:
		s.say(p.choose(choiceOf(value)))
	case !ok:
		s.out.WriteString("{" + p.arg + "}")
	default:
		s.out.WriteString(s.show(value, p.kind))
	}
}

// choose is the branch of the first selector that has one.
func (p *part) choose(selectors ...string) message {
	for _, want := range append(selectors, "other") {
		for _, b := range p.branches {
			if b.selector == want {
				return b.message
			}
		}
	}
	return nil
}

// countOf are the selectors by which a plural may select a value, the best first.
func (s *speech) countOf(value any) []string {
	n, ok := value.(float64)
	if !ok {
		return nil
	}
	var list []string
	if whole(n) && n >= 0 {
		list = append(list, "="+strconv.FormatFloat(n, 'f', 0, 64))
	}
	if s.locale.habits.one(math.Abs(n)) {
		list = append(list, "one")
	}
	return list
}

// choiceOf is the selector by which a select selects a value.
func choiceOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if whole(v) {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
	}
	return "other"
}

// show is a value as its kind is shown. A value that does not fit its kind is shown
// plainly.
func (s *speech) show(value any, kind []string) string {
	switch kind[0] {
	case "list":
		return s.list(value, kind[1:])
	case "tally":
		return s.tally(value, kind[1])
	case "word":
		if word, ok := value.(string); ok {
			return s.word(kind[1], word)
		}
	case "seat":
		if n, ok := value.(float64); ok && whole(n) && math.Abs(n) <= math.MaxInt32 {
			return s.seat(int(n))
		}
	case "square":
		if row, column, ok := pair(value); ok {
			if row < 0 || column < 0 || column > 25 {
				return s.outside(row, column)
			}
			return string(rune('A'+int(column))) + digits(row+1)
		}
	case "crossing":
		if row, column, ok := pair(value); ok {
			if row < 0 || column < 0 {
				return s.outside(row, column)
			}
			return digits(row) + "-" + digits(column)
		}
	case "signed":
		if n, ok := value.(float64); ok {
			text := s.plain(n)
			if n > 0 && text != "0" {
				text = "+" + text
			}
			return text
		}
	}
	return s.plain(value)
}

// outside shows a pair that lies on no board.
func (s *speech) outside(row, column float64) string {
	return "(" + s.plain(row) + ", " + s.plain(column) + ")"
}

// word is the message of a word, without arguments; the word itself where there is
// none.
func (s *speech) word(prefix, word string) string {
	m, ok := s.locale.messages[prefix+"."+word]
	if !ok {
		return clean(word)
	}
	inner := speech{locale: s.locale}
	inner.say(m)
	return inner.out.String()
}

// seat is the name of a seat; without one it is counted from 1.
func (s *speech) seat(seat int) string {
	if s.names != nil {
		if name := s.names(seat); name != "" {
			return name
		}
	}
	return "#" + s.plain(float64(seat+1))
}

// list joins the items of a list, each shown by a kind.
func (s *speech) list(value any, kind []string) string {
	if len(kind) == 0 {
		kind = []string{"plain"}
	}
	var shown []string
	for _, item := range items(value) {
		shown = append(shown, s.show(item, kind))
	}
	return s.join(shown)
}

// tally says equal items of a list once, by the message of a key that gets what
// they are and how many. Where there is no such message they are listed plainly.
func (s *speech) tally(value any, key string) string {
	m, ok := s.locale.messages[key]
	if !ok || s.inner {
		return s.list(value, nil)
	}
	var words []string
	times := map[string]int{}
	for _, item := range items(value) {
		word := s.plain(item)
		if times[word]++; times[word] == 1 {
			words = append(words, word)
		}
	}
	for i, word := range words {
		inner := speech{locale: s.locale, args: map[string]any{"word": word, "times": times[word]}, inner: true}
		inner.say(m)
		words[i] = inner.out.String()
	}
	return s.join(words)
}

// items are those of a list; anything else is a list of one.
func items(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

// join makes one text of several: A, B and C.
func (s *speech) join(texts []string) string {
	if len(texts) == 0 {
		return "–"
	}
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + s.locale.habits.and + texts[last]
}

// plain shows any value as it is.
func (s *speech) plain(value any) string {
	switch v := value.(type) {
	case nil:
		return "?"
	case string:
		return clean(v)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return s.decimal(v)
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = s.plain(item)
		}
		return strings.Join(items, ", ")
	}
	return jsonOf(value)
}

// decimal is a number, rounded to two places, halves away from zero.
func (s *speech) decimal(x float64) string {
	sign := ""
	if x < 0 {
		sign, x = "−", -x
	}
	if whole(x) {
		if x == 0 {
			return "0"
		}
		return sign + digits(x)
	}
	hundredths := math.Round(x * 100)
	fraction := strconv.Itoa(100 + int(math.Mod(hundredths, 100)))[1:]
	text := digits(math.Floor(hundredths / 100))
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		text += s.locale.habits.decimal + fraction
	}
	if text == "0" {
		return text
	}
	return sign + text
}

func digits(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }

func whole(x float64) bool { return x == math.Trunc(x) && !math.IsInf(x, 0) }

// pair is a value that is a list of two whole numbers.
func pair(value any) (a, b float64, ok bool) {
	list, _ := value.([]any)
	if len(list) != 2 {
		return 0, 0, false
	}
	a, okA := list[0].(float64)
	b, okB := list[1].(float64)
	return a, b, okA && okB && whole(a) && whole(b)
}

// clean takes out of a text what would steer a terminal.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7F && r <= 0x9F {
			return '\uFFFD'
		}
		return r
	}, text)
}

// wire is a value as it comes out of JSON.
func wire(v any) any {
	switch v := v.(type) {
	case nil, string, bool:
		return v
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
		return nil
	case int:
		return float64(v)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var plain any
	if json.Unmarshal(raw, &plain) != nil {
		return nil
	}
	return plain
}
