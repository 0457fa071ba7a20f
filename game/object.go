package game

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
)

// Object reads one JSON object strictly: names as they are written, none twice,
// whole numbers where numbers must be. It keeps the first thing that is wrong as a
// Fault that names the field; everything read after it is zero.
type Object struct {
	fields []member
	room   [6]member      // for the fields of most objects, so that they need no allocation
	index  map[string]int // where each field is, once there are many
	fault  *Fault
}

// few is how many fields are searched one by one.
const few = 16

// member is a field of an object.
type member struct {
	name string
	raw  RawMessage
	read bool
}

// ReadObject reads raw as an object. The caller says what it is part of.
func ReadObject(raw []byte) *Object {
	o := &Object{}
	o.fields = o.room[:0]
	rest := bytes.TrimLeft(raw, space)
	if len(rest) == 0 || rest[0] != '{' || !valid(rest) {
		return o.blame("json.object", nil)
	}
	rest = bytes.Clone(rest[1:]) // a field that is kept does not keep the whole input in memory
	for {
		rest = bytes.TrimLeft(rest, space+",")
		if rest[0] == '}' {
			return o
		}
		end := valueEnd(rest)
		name, ok := unquote(rest[:end])
		if !ok {
			return o.blame("json.object", nil)
		}
		if o.find(name) != nil {
			return o.blame("json.twice", Args{"field": name})
		}
		rest = bytes.TrimLeft(rest[end:], space+":")
		end = valueEnd(rest)
		o.add(member{name: name, raw: rest[:end:end]})
		rest = rest[end:]
	}
}

func (o *Object) add(f member) {
	o.fields = append(o.fields, f)
	switch n := len(o.fields); {
	case n > few:
		o.index[f.name] = n - 1
	case n == few:
		o.index = map[string]int{}
		for i := range o.fields {
			o.index[o.fields[i].name] = i
		}
	}
}

const space = " \t\r\n"

// valueEnd is where the value ends with which a text begins. The text is known to
// be valid.
func valueEnd(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			return i
		}
	}
	return len(text)
}

// unquote is a text without its quotes and escapes, where the value is one.
func unquote(raw []byte) (string, bool) {
	if raw[0] != '"' {
		return "", false
	}
	return unquoted(raw), true
}

// find is the field of a name, nil where there is none.
func (o *Object) find(name string) *member {
	if o.index != nil {
		if i, ok := o.index[name]; ok {
			return &o.fields[i]
		}
		return nil
	}
	for i := range o.fields {
		if o.fields[i].name == name {
			return &o.fields[i]
		}
	}
	return nil
}

// ReadOptions reads the options of a table; none at all and null are an empty
// object.
func ReadOptions(raw []byte) *Object {
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	return ReadObject(raw)
}

func (o *Object) blame(key string, args Args) *Object {
	if o.fault == nil {
		o.fault = Blame(key, args)
	}
	return o
}

// Has tells whether the object has the field. A field that is null counts as
// missing.
func (o *Object) Has(field string) bool {
	f := o.find(field)
	if f != nil && string(f.raw) == "null" {
		f.read = true
		return false
	}
	return f != nil
}

// Raw is the field as it is written, nil where it is missing.
func (o *Object) Raw(field string) RawMessage {
	f := o.find(field)
	if f == nil {
		o.blame("json.missing", Args{"field": field})
		return nil
	}
	f.read = true
	return f.raw
}

// Text is a field that must be a string.
func (o *Object) Text(field string) string {
	raw := o.Raw(field)
	if raw == nil {
		return ""
	}
	text, ok := unquote(raw)
	if !ok {
		o.blame("json.text", Args{"field": field})
		return ""
	}
	return text
}

// Flag is a field that must be true or false.
func (o *Object) Flag(field string) bool {
	raw := o.Raw(field)
	if raw != nil && string(raw) != "true" && string(raw) != "false" {
		o.blame("json.flag", Args{"field": field})
	}
	return string(raw) == "true"
}

// Number is a field that must be a whole number of at most 32 bits.
func (o *Object) Number(field string) int {
	raw := o.Raw(field)
	if raw == nil {
		return 0
	}
	return o.number(field, raw)
}

// List is a field that must be a list, value by value as they are written.
func (o *Object) List(field string) []RawMessage {
	raw := o.Raw(field)
	if raw == nil {
		return nil
	}
	if raw[0] != '[' {
		o.blame("json.list", Args{"field": field})
		return nil
	}
	list := []RawMessage{}
	for rest := raw[1:]; ; {
		rest = bytes.TrimLeft(rest, space+",")
		if rest[0] == ']' {
			return list
		}
		end := valueEnd(rest)
		list, rest = append(list, rest[:end:end]), rest[end:]
	}
}

// Pair is a field that must be a list of two whole numbers.
func (o *Object) Pair(field string) [2]int {
	raw := o.Raw(field)
	if raw == nil {
		return [2]int{}
	}
	if raw[0] == '[' {
		one := bytes.TrimLeft(raw[1:], space)
		end := valueEnd(one)
		two := bytes.TrimLeft(one[end:], space+",")
		last := valueEnd(two)
		if end > 0 && last > 0 && string(bytes.TrimSpace(two[last:])) == "]" {
			return [2]int{o.number(field, one[:end]), o.number(field, two[:last])}
		}
	}
	o.blame("json.pair", Args{"field": field})
	return [2]int{}
}

func (o *Object) number(field string, raw []byte) int {
	x, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case err != nil && !math.IsInf(x, 0), x != math.Trunc(x):
		o.blame("json.number", Args{"field": field})
	case x < math.MinInt32, x > math.MaxInt32:
		o.blame("json.range", Args{"field": field, "least": math.MinInt32, "most": math.MaxInt32})
	default:
		return int(x)
	}
	return 0
}

// Done is the first thing that is wrong, or nil. A field that nobody asked for is
// wrong too.
func (o *Object) Done() error {
	if o.fault != nil {
		return o.fault
	}
	var unknown *member
	for i := range o.fields {
		if f := &o.fields[i]; !f.read && (unknown == nil || f.name < unknown.name) {
			unknown = f
		}
	}
	if unknown != nil {
		return Blame("json.unknown", Args{"field": unknown.name})
	}
	return nil
}

// Fault is the first thing that is wrong so far, or nil. Fields that nobody asked
// for may be there.
func (o *Object) Fault() error {
	if o.fault != nil {
		return o.fault
	}
	return nil
}

// Misread is the fault of JSON that Unmarshal or ReadKnown could not read: a field
// that nobody knows or, under key, the path of the first value of a wrong kind.
func Misread(key, root string, err error) *Fault {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault // a value that reads itself has said what is wrong
	}
	var wrong *misfit
	switch {
	case !errors.As(err, &wrong), wrong == errNoJSON:
		return Blame("json.object", nil)
	case wrong.unknown:
		return Blame("json.unknown", Args{"field": wrong.path})
	case root+wrong.path == "":
		return Blame("json.object", nil)
	}
	return Blame(key, Args{"path": strings.Trim(root+"."+wrong.path, ".")})
}
