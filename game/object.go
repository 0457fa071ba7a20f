package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Object reads one JSON object strictly: names as they are written, none twice,
// whole numbers where numbers are due. The first thing found wrong is kept as a
// Fault that names the field; everything read after it is zero.
type Object struct {
	fields map[string]json.RawMessage
	read   map[string]bool
	fault  *Fault
}

// ReadObject reads raw as an object. What it is part of is for the caller to say.
func ReadObject(raw []byte) *Object {
	o := &Object{fields: map[string]json.RawMessage{}, read: map[string]bool{}}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return o.blame("json.object", nil)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return o.blame("json.object", nil)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return o.blame("json.object", nil)
		}
		field := name.(string)
		if _, twice := o.fields[field]; twice {
			return o.blame("json.twice", Args{"field": field})
		}
		o.fields[field] = value
	}
	if _, err := dec.Token(); err != nil {
		return o.blame("json.object", nil)
	}
	if _, err := dec.Token(); err != io.EOF {
		return o.blame("json.object", nil)
	}
	return o
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

// Has tells whether the object has the field. One that is null is as good as
// none.
func (o *Object) Has(field string) bool {
	raw, ok := o.fields[field]
	if string(raw) == "null" {
		o.read[field] = true
		return false
	}
	return ok
}

// Raw is the field as it is written, nil where it is missing.
func (o *Object) Raw(field string) json.RawMessage {
	o.read[field] = true
	raw, ok := o.fields[field]
	if !ok {
		o.blame("json.missing", Args{"field": field})
	}
	return raw
}

// Text is a field that must be a string.
func (o *Object) Text(field string) string {
	raw := o.Raw(field)
	if raw == nil {
		return ""
	}
	var text string
	if raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		o.blame("json.text", Args{"field": field})
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

// Pair is a field that must be a list of two whole numbers.
func (o *Object) Pair(field string) [2]int {
	raw := o.Raw(field)
	if raw == nil {
		return [2]int{}
	}
	var list []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &list) != nil || len(list) != 2 {
		o.blame("json.pair", Args{"field": field})
		return [2]int{}
	}
	return [2]int{o.number(field, list[0]), o.number(field, list[1])}
}

func (o *Object) number(field string, raw json.RawMessage) int {
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

// Done is the first thing found wrong, or nil; a field that nobody asked for
// is wrong too.
func (o *Object) Done() error {
	if o.fault != nil {
		return o.fault
	}
	for _, field := range slices.Sorted(maps.Keys(o.fields)) {
		if !o.read[field] {
			return Blame("json.unknown", Args{"field": field})
		}
	}
	return nil
}

// Fault is the first thing found wrong so far, or nil; fields nobody asked for
// are left alone.
func (o *Object) Fault() error {
	if o.fault != nil {
		return o.fault
	}
	return nil
}

// Misread is the fault of JSON that encoding/json could not read into what it
// should be: a field that nobody knows, or, under key, the path of the first
// value that is of another kind.
func Misread(key, root string, err error) *Fault {
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return Blame("json.unknown", Args{"field": strings.Trim(field, `"`)})
	}
	var fault *Fault
	if errors.As(err, &fault) {
		return fault // a value that reads itself has said what is wrong
	}
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || root+wrong.Field == "" {
		return Blame("json.object", nil)
	}
	return Blame(key, Args{"path": strings.Trim(root+"."+wrong.Field, ".")})
}
