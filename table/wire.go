package table

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"
)

// An entry has one form: its fields in one order, no space between them, no escape
// in a text. So it is written by hand, and read only if it would be written in the
// same way.

// pen writes an object field by field.
type pen []byte

func (p *pen) name(name string) {
	if n := len(*p); n > 0 && (*p)[n-1] != '{' {
		*p = append(*p, ',')
	}
	*p = append(append(append(*p, '"'), name...), `":`...)
}

func (p *pen) open()  { *p = append(*p, '{') }
func (p *pen) close() { *p = append(*p, '}') }

func (p *pen) number(name string, n int64) {
	p.name(name)
	*p = strconv.AppendInt(*p, n, 10)
}

// text writes a word that needs no escape.
func (p *pen) text(name, text string) {
	p.name(name)
	*p = append(append(append(*p, '"'), text...), '"')
}

func (p *pen) hex(name string, raw []byte) {
	p.name(name)
	*p = append(hex.AppendEncode(append(*p, '"'), raw), '"')
}

func (p *pen) flag(name string, on bool) {
	p.name(name)
	*p = strconv.AppendBool(*p, on)
}

func (p *pen) raw(name string, value []byte) {
	p.name(name)
	*p = append(*p, value...)
}

func (p *pen) numbers(name string, list []int) {
	p.name(name)
	*p = append(*p, '[')
	for i, n := range list {
		if i > 0 {
			*p = append(*p, ',')
		}
		*p = strconv.AppendInt(*p, int64(n), 10)
	}
	*p = append(*p, ']')
}

// eye reads what a pen has written. At something that it cannot read it stops, and
// everything read after that is zero.
type eye struct {
	raw []byte
	at  int
	bad bool
}

// skip passes over a text that must stand here.
func (e *eye) skip(text string) {
	if !e.try(text) {
		e.bad = true
	}
}

// try passes over a text if it stands here.
func (e *eye) try(text string) bool {
	if e.bad || len(e.raw)-e.at < len(text) || string(e.raw[e.at:e.at+len(text)]) != text {
		return false
	}
	e.at += len(text)
	return true
}

// has passes over the name of a field if it comes next.
func (e *eye) has(name string) bool {
	from, comma := e.at, `,"`
	if !e.bad && e.at > 0 && e.raw[e.at-1] == '{' {
		comma = `"`
	}
	if e.try(comma) && e.try(name) && e.try(`":`) {
		return true
	}
	e.at = from
	return false
}

func (e *eye) name(name string) {
	if !e.has(name) {
		e.bad = true
	}
}

// word reads as many of the allowed bytes as follow.
func (e *eye) word(allowed func(c byte) bool) []byte {
	from := e.at
	for !e.bad && e.at < len(e.raw) && allowed(e.raw[e.at]) {
		e.at++
	}
	if e.bad {
		return nil
	}
	return e.raw[from:e.at]
}

func (e *eye) number(least, most int64) int64 {
	word := e.word(func(c byte) bool { return c == '-' || c >= '0' && c <= '9' })
	n, err := strconv.ParseInt(string(word), 10, 64)
	var again [20]byte
	if err != nil || n < least || n > most || !bytes.Equal(strconv.AppendInt(again[:0], n, 10), word) {
		e.bad = true
		return 0
	}
	return n
}

// text reads a word of the wire: small letters, digits and a few signs.
func (e *eye) text() string { return string(e.term()) }

// term reads a text without copying it.
func (e *eye) term() []byte {
	e.skip(`"`)
	word := e.word(plain)
	e.skip(`"`)
	return word
}

func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == ':' || c == '-' || c == '.' || c == '_'
}

func (e *eye) hex(dst []byte) {
	e.skip(`"`)
	word := e.word(func(c byte) bool { return c >= 'a' && c <= 'f' || c >= '0' && c <= '9' })
	if !unhex(dst, string(word)) {
		e.bad = true
	}
	e.skip(`"`)
}

func (e *eye) flag() bool {
	if e.try("true") {
		return true
	}
	e.skip("false")
	return false
}

func (e *eye) numbers(longest int, least, most int64) []int {
	e.skip("[")
	list := []int{}
	for !e.bad && !e.try("]") {
		if len(list) > 0 {
			e.skip(",")
		}
		list = append(list, int(e.number(least, most)))
		if len(list) > longest {
			e.bad = true
		}
	}
	return list
}

// object reads an object that somebody else has written, without a space outside
// its texts.
func (e *eye) object(longest int) json.RawMessage {
	from, depth, quoted := e.at, 0, false
	for !e.bad {
		if e.at >= len(e.raw) || e.at-from >= longest {
			e.at, e.bad = from, true
			break
		}
		c := e.raw[e.at]
		e.at++
		switch {
		case quoted && c == '\\':
			e.at++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if e.bad || e.at > len(e.raw) || e.raw[from] != '{' {
		e.at, e.bad = from, true
		return nil
	}
	found := e.raw[from:e.at]
	var tight bytes.Buffer
	if json.Compact(&tight, found) != nil || !bytes.Equal(tight.Bytes(), found) {
		e.bad = true
		return nil
	}
	return bytes.Clone(found)
}
