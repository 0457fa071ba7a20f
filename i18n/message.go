package i18n

import (
	"fmt"
	"slices"
	"strings"
)

// message is a parsed message: its parts one after the other.
type message []part

// part is a stretch of text, the number of the plural around it, a slot to be
// filled or a choice of messages. It is exactly one of them: a slot has a kind, a
// choice has branches.
type part struct {
	text     string
	number   bool
	arg      string
	kind     []string // of a slot: "plain", "seat", "list", "word", "bosk.tile", …
	plural   bool     // of a choice: by number, else by text
	branches []branch
}

type branch struct {
	selector string
	message  message
}

// Slot is one use of an argument in a message.
type Slot struct {
	Arg  string
	Kind string // "plain", "plural", "select", "square", "list seat", "word bosk.tile", …
}

// Slots are the uses of arguments in the message of a key, sorted, none twice.
func (l *Locale) Slots(key string) []Slot {
	slots := l.messages[key].slots(nil)
	slices.SortFunc(slots, func(a, b Slot) int {
		return strings.Compare(a.Arg+" "+a.Kind, b.Arg+" "+b.Kind)
	})
	return slices.Compact(slots)
}

func (m message) slots(list []Slot) []Slot {
	for _, p := range m {
		switch {
		case p.kind != nil:
			list = append(list, Slot{p.arg, strings.Join(p.kind, " ")})
		case p.plural:
			list = append(list, Slot{p.arg, "plural"})
		case p.branches != nil:
			list = append(list, Slot{p.arg, "select"})
		}
		for _, b := range p.branches {
			list = b.message.slots(list)
		}
	}
	return list
}

// parse reads a message; README.md has the grammar.
func parse(source string) (message, error) {
	p := parser{source: source, rest: source}
	m := p.message(false)
	if p.err == nil && p.rest != "" {
		p.fail("a } without its {")
	}
	if p.err != nil {
		return nil, p.err
	}
	return m, nil
}

// parser reads on from rest until something is wrong; everything that it reads
// after that is empty.
type parser struct {
	source, rest string
	err          error
}

func (p *parser) fail(what string) {
	if p.err == nil {
		at := len([]rune(p.source[:len(p.source)-len(p.rest)]))
		p.err = fmt.Errorf("%s at character %d of %q", what, at, p.source)
	}
	p.rest = ""
}

// message reads up to the } that closes it, which it does not take, or to the end.
func (p *parser) message(inPlural bool) message {
	var m message
	text := strings.Builder{}
	flush := func() {
		if text.Len() > 0 {
			m = append(m, part{text: text.String()})
			text.Reset()
		}
	}
	for p.rest != "" && p.rest[0] != '}' {
		switch {
		case quoted(p.rest):
			text.WriteByte(p.rest[1])
			p.rest = p.rest[3:]
		case p.rest[0] == '{':
			flush()
			m = append(m, p.slot(inPlural))
		case p.rest[0] == '#' && inPlural:
			flush()
			m = append(m, part{number: true})
			p.rest = p.rest[1:]
		default:
			text.WriteByte(p.rest[0])
			p.rest = p.rest[1:]
		}
	}
	flush()
	return m
}

// quoted tells whether '{', '}' or '#' stands here, apostrophes included. All
// other apostrophes are themselves.
func quoted(s string) bool {
	return len(s) >= 3 && s[0] == '\'' && s[2] == '\'' && strings.IndexByte("{}#", s[1]) >= 0
}

// slot reads from { to }.
func (p *parser) slot(inPlural bool) part {
	p.take("{")
	slot := part{arg: p.name("")}
	if p.next() == '}' {
		p.take("}")
		slot.kind = []string{"plain"}
		return slot
	}
	p.take(",")
	switch kind := p.name(""); kind {
	case "plural", "select":
		p.take(",")
		slot.plural = kind == "plural"
		slot.branches = p.branches(slot.plural, inPlural)
	case "list":
		slot.kind = []string{"list"}
		if p.next() == ',' {
			p.take(",")
			slot.kind = append(slot.kind, p.plain(p.name(""))...)
		}
	default:
		slot.kind = p.plain(kind)
	}
	p.take("}")
	return slot
}

// plain reads the rest of a kind that is neither a choice nor a list.
func (p *parser) plain(kind string) []string {
	switch kind {
	case "seat", "square", "crossing", "signed":
		return []string{kind}
	case "word", "tally":
		p.take(",")
		return []string{kind, p.name(".-")}
	}
	p.fail("no such kind as " + kind)
	return nil
}

func (p *parser) branches(plural, inPlural bool) []branch {
	var list []branch
	for p.err == nil && p.next() != '}' {
		selector := p.selector(plural)
		if slices.ContainsFunc(list, func(b branch) bool { return b.selector == selector }) {
			p.fail("a second " + selector)
		}
		p.take("{")
		list = append(list, branch{selector, p.message(plural || inPlural)})
		p.take("}")
	}
	if !slices.ContainsFunc(list, func(b branch) bool { return b.selector == "other" }) {
		p.fail("no branch for other")
	}
	return list
}

func (p *parser) selector(plural bool) string {
	if !plural {
		return p.name(".-")
	}
	if p.next() == '=' {
		p.take("=")
		number := p.name("")
		if strings.Trim(number, "0123456789") != "" {
			p.fail("no number after =")
		}
		return "=" + number
	}
	name := p.name("")
	if name != "one" && name != "other" {
		p.fail("no such plural as " + name)
	}
	return name
}

// next is what comes after spaces, 0 at the end.
func (p *parser) next() byte {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) take(want string) {
	p.next()
	rest, ok := strings.CutPrefix(p.rest, want)
	if !ok {
		p.fail("no " + want)
		return
	}
	p.rest = rest
}

// name reads letters, digits, _ and what else is allowed.
func (p *parser) name(also string) string {
	p.next()
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return false
		}
		return !strings.ContainsRune(also, r)
	})
	if end < 0 {
		end = len(p.rest)
	}
	if end == 0 {
		p.fail("no name")
		return ""
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	return name
}
