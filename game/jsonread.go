package game

import (
	"reflect"
	"strconv"
	"strings"
)

// Unmarshal reads a value as encoding/json does, leniently: names in any case
// and twice, null for anything. It reads into what Marshal writes. The first
// value of a wrong kind is what it fails with, when it has read all the others;
// Misread says of it where it is.
func Unmarshal(raw []byte, into any) error {
	if !valid(raw) {
		return errNoJSON
	}
	_, err := read(raw, into, false)
	return err
}

// ReadKnown reads the first value of a text in the same way, but no field that
// the target does not have, and gives what comes after it.
func ReadKnown(raw []byte, into any) (rest []byte, err error) {
	if _, ok := scan(raw, skipSpace(raw, 0), 0); !ok {
		return nil, errNoJSON
	}
	return read(raw, into, true)
}

// misfit is what is wrong with JSON that cannot be read into its target.
type misfit struct {
	path    string // of the value, by the names of fields
	unknown bool   // no field is called so; path is the name
}

var errNoJSON = &misfit{}

func (e *misfit) Error() string {
	if e.unknown {
		return "JSON with an unknown field " + e.path
	}
	return "JSON that does not fit at " + strconv.Quote(e.path)
}

// reader is a valid text that is being read.
type reader struct {
	text  []byte
	at    int
	known bool     // fields that the target does not have are wrong
	path  []string // names of the fields around
	err   error    // the first misfit
}

func read(raw []byte, into any, known bool) ([]byte, error) {
	r := &reader{text: raw, known: known}
	r.at = skipSpace(raw, 0)
	if err := r.value(reflect.ValueOf(into).Elem()); err != nil {
		return nil, err
	}
	return raw[r.at:], r.err
}

func (r *reader) misfit() {
	if r.err == nil {
		r.err = &misfit{path: strings.Join(r.path, ".")}
	}
}

// skip takes the value that begins here, and leaves it unread.
func (r *reader) skip() []byte {
	from := r.at
	r.at += valueEnd(r.text[from:])
	return r.text[from:r.at]
}

// value reads the value that begins here. It fails with what a value says that
// reads itself; all other faults are kept for the end.
func (r *reader) value(v reflect.Value) error {
	c := r.text[r.at]
	own, v := target(v, c == 'n')
	if own != nil {
		return readOwn(own, r.skip())
	}
	if v.Kind() == reflect.Interface {
		if v.NumMethod() != 0 {
			r.skip()
			r.misfit()
			return nil
		}
		if found, ok := r.any(nil); !ok {
			r.misfit()
		} else if found == nil {
			v.SetZero()
		} else {
			v.Set(reflect.ValueOf(found))
		}
		return nil
	}
	switch c {
	case '{':
		return r.object(v)
	case '[':
		return r.list(v)
	}
	r.literal(r.skip(), v)
	return nil
}

// target is where a value is read into: what reads itself, or what pointers lead
// to, which are made on the way. null stops at a pointer.
func target(v reflect.Value, null bool) (readsItself, reflect.Value) {
	for {
		if v.CanAddr() && v.Type().Name() != "" && v.Kind() != reflect.Pointer {
			if own, ok := v.Addr().Interface().(readsItself); ok {
				return own, v
			}
		}
		if v.Kind() != reflect.Pointer || null && v.CanSet() {
			return nil, v
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
}

func (r *reader) list(v reflect.Value) error {
	grows := v.Kind() == reflect.Slice
	if !grows && v.Kind() != reflect.Array {
		r.skip()
		r.misfit()
		return nil
	}
	n := 0
	for r.next('[', ']') {
		if grows {
			if n >= v.Cap() {
				v.Grow(1)
			}
			if n >= v.Len() {
				v.SetLen(n + 1)
			}
		}
		if n < v.Len() {
			if err := r.value(v.Index(n)); err != nil {
				return err
			}
		} else {
			r.skip()
		}
		n++
	}
	switch {
	case grows && n == 0:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	case grows:
		v.SetLen(n)
	default:
		for ; n < v.Len(); n++ {
			v.Index(n).SetZero()
		}
	}
	return nil
}

// next goes to the next item of a list or object that begins here, or past its
// end. Before the first item its opening bracket is next, later a comma.
func (r *reader) next(open, end byte) bool {
	r.at = skipSpace(r.text, r.at)
	switch r.text[r.at] {
	case open, ',':
		r.at = skipSpace(r.text, r.at+1)
	}
	if r.text[r.at] == end {
		r.at++
		return false
	}
	return true
}

// name takes the name of a field, and what stands between it and its value.
func (r *reader) name() string {
	name := unquoted(r.skip())
	r.at = skipSpace(r.text, skipSpace(r.text, r.at)+1)
	return name
}

func (r *reader) object(v reflect.Value) error {
	t := v.Type()
	switch {
	case v.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		if v.IsNil() {
			v.Set(reflect.MakeMap(t))
		}
	case v.Kind() != reflect.Struct:
		r.skip()
		r.misfit()
		return nil
	}
	for r.next('{', '}') {
		name := r.name()
		if v.Kind() == reflect.Map {
			elem := reflect.New(t.Elem()).Elem()
			if err := r.value(elem); err != nil {
				return err
			}
			key := reflect.New(t.Key()).Elem()
			key.SetString(name)
			v.SetMapIndex(key, elem)
			continue
		}
		f := findField(t, name)
		if f == nil {
			if r.known && r.err == nil {
				r.err = &misfit{path: name, unknown: true}
			}
			r.skip()
			continue
		}
		in, ok := f.of(v)
		if !ok { // nobody reads into an embedded struct that is not there
			r.skip()
			continue
		}
		r.path = append(r.path, f.name)
		if err := r.value(in); err != nil {
			return err
		}
		r.path = r.path[:len(r.path)-1]
	}
	return nil
}

// findField is the field of a name, or the first of that name in another case.
func findField(t reflect.Type, name string) *field {
	list := fieldsOf(t)
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	for i := range list {
		if strings.EqualFold(list[i].name, name) {
			return &list[i]
		}
	}
	return nil
}

// literal reads a text, a number, a flag or null.
func (r *reader) literal(raw []byte, v reflect.Value) {
	fits := false
	switch kind := v.Kind(); raw[0] {
	case 'n':
		fits = true // null is nothing, wherever it stands
		switch kind {
		case reflect.Pointer, reflect.Map, reflect.Slice:
			v.SetZero()
		}
	case 't', 'f':
		if fits = kind == reflect.Bool; fits {
			v.SetBool(raw[0] == 't')
		}
	case '"':
		if fits = kind == reflect.String; fits {
			v.SetString(unquoted(raw))
		}
	default:
		switch kind {
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			n, err := strconv.ParseInt(string(raw), 10, 64)
			if fits = err == nil && !v.OverflowInt(n); fits {
				v.SetInt(n)
			}
		case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			n, err := strconv.ParseUint(string(raw), 10, 64)
			if fits = err == nil && !v.OverflowUint(n); fits {
				v.SetUint(n)
			}
		case reflect.Float32, reflect.Float64:
			x, err := strconv.ParseFloat(string(raw), v.Type().Bits())
			if fits = err == nil && !v.OverflowFloat(x); fits {
				v.SetFloat(x)
			}
		}
	}
	if !fits {
		r.misfit()
	}
}

// numeral is a number as it is written.
type numeral string

// any reads what may be anything; numbers are made by number, or are floats. It
// tells whether all numbers could be read.
func (r *reader) any(number func(string) any) (any, bool) {
	switch r.text[r.at] {
	case '{':
		object, good := map[string]any{}, true
		for r.next('{', '}') {
			name := r.name()
			v, ok := r.any(number)
			object[name] = v
			good = good && ok
		}
		return object, good
	case '[':
		list, good := []any{}, true
		for r.next('[', ']') {
			v, ok := r.any(number)
			list = append(list, v)
			good = good && ok
		}
		return list, good
	case '"':
		return unquoted(r.skip()), true
	case 't', 'f':
		return r.skip()[0] == 't', true
	case 'n':
		r.skip()
		return nil, true
	}
	if number != nil {
		return number(string(r.skip())), true
	}
	x, err := strconv.ParseFloat(string(r.skip()), 64)
	if err != nil {
		return nil, false
	}
	return x, true
}
