package game

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Marshal writes a value as encoding/json does, byte for byte. It takes what the
// wire carries: numbers, texts, flags, lists, maps by texts, structs, and whatever
// writes itself by value. Bytes, other maps and the less usual tags it refuses or
// does not know.
func Marshal(v any) ([]byte, error) {
	var w writer
	w.any(v)
	if w.err != nil {
		return nil, w.err
	}
	return w.out, nil
}

type writer struct {
	out []byte
	err error // the first thing that could not be written
}

func (w *writer) fail(why string) {
	if w.err == nil {
		w.err = errors.New("game: JSON cannot say " + why)
	}
}

// any writes a value whose type is not known; the usual ones without a detour.
func (w *writer) any(v any) {
	switch v := v.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case string:
		w.text(v)
	case int:
		w.out = strconv.AppendInt(w.out, int64(v), 10)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	default:
		w.value(reflect.ValueOf(v))
	}
}

func (w *writer) value(v reflect.Value) {
	kind := v.Kind()
	if kind == reflect.Interface || kind == reflect.Pointer {
		if v.IsNil() {
			w.out = append(w.out, "null"...)
			return
		}
	}
	if kind == reflect.Interface {
		w.any(v.Elem().Interface())
		return
	}
	if v.Type().NumMethod() > 0 {
		if own, ok := v.Interface().(writesItself); ok {
			w.own(own)
			return
		}
	}
	switch kind {
	case reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.out = strconv.AppendUint(w.out, v.Uint(), 10)
	case reflect.Float32:
		w.float(v.Float(), 32)
	case reflect.Float64:
		w.float(v.Float(), 64)
	case reflect.String:
		w.text(v.String())
	case reflect.Pointer:
		w.value(v.Elem())
	case reflect.Slice:
		w.slice(v)
	case reflect.Array:
		w.list(v)
	case reflect.Map:
		w.table(v)
	case reflect.Struct:
		w.object(v)
	default:
		w.fail("a " + kind.String())
	}
}

// own writes what writes itself, without its spaces.
func (w *writer) own(v writesItself) {
	raw, err := writeOwn(v)
	if err != nil {
		if w.err == nil {
			w.err = err
		}
		return
	}
	if !valid(raw) {
		w.fail("what is no JSON")
		return
	}
	quoted := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\\':
			w.out = append(w.out, c)
			i++
			c = raw[i]
		case !quoted && c <= ' ':
			continue
		case c == '<' || c == '>' || c == '&':
			w.escape(c)
			continue
		case c == 0xE2 && i+2 < len(raw) && raw[i+1] == 0x80 && raw[i+2]&^1 == 0xA8:
			w.out = append(w.out, `\u202`...)
			c = "89"[raw[i+2]&1]
			i += 2
		}
		w.out = append(w.out, c)
	}
}

func (w *writer) float(x float64, bits int) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		w.fail(strconv.FormatFloat(x, 'g', -1, bits))
		return
	}
	form := byte('f')
	size := math.Abs(x)
	if size != 0 && (bits == 64 && (size < 1e-6 || size >= 1e21) || bits == 32 && (float32(size) < 1e-6 || float32(size) >= 1e21)) {
		form = 'e'
	}
	w.out = strconv.AppendFloat(w.out, x, form, -1, bits)
	if n := len(w.out); form == 'e' && n >= 4 && string(w.out[n-4:n-1]) == "e-0" { // e-9, not e-09
		w.out[n-2] = w.out[n-1]
		w.out = w.out[:n-1]
	}
}

// text writes a text in quotation marks, so that it is harmless in a page too.
func (w *writer) text(s string) {
	w.out = append(w.out, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' {
				i++
				continue
			}
			w.out = append(w.out, s[from:i]...)
			w.escape(c)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			w.out = append(append(w.out, s[from:i]...), `\ufffd`...)
			from = i + size
		case r == '\u2028' || r == '\u2029':
			w.out = append(append(append(w.out, s[from:i]...), `\u202`...), "89"[r&1])
			from = i + size
		}
		i += size
	}
	w.out = append(append(w.out, s[from:]...), '"')
}

func (w *writer) escape(c byte) {
	switch c {
	case '"', '\\':
		w.out = append(w.out, '\\', c)
	case '\b':
		w.out = append(w.out, `\b`...)
	case '\f':
		w.out = append(w.out, `\f`...)
	case '\n':
		w.out = append(w.out, `\n`...)
	case '\r':
		w.out = append(w.out, `\r`...)
	case '\t':
		w.out = append(w.out, `\t`...)
	default:
		const hex = "0123456789abcdef"
		w.out = append(w.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}

func (w *writer) slice(v reflect.Value) {
	switch elem := v.Type().Elem(); {
	case v.IsNil():
		w.out = append(w.out, "null"...)
	case elem.Kind() == reflect.Uint8 && elem.NumMethod() == 0:
		w.fail("bytes")
	default:
		w.list(v)
	}
}

func (w *writer) list(v reflect.Value) {
	w.out = append(w.out, '[')
	for i := range v.Len() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.value(v.Index(i))
	}
	w.out = append(w.out, ']')
}

// table writes a map, its names sorted.
func (w *writer) table(v reflect.Value) {
	if v.IsNil() {
		w.out = append(w.out, "null"...)
		return
	}
	if v.Type().Key().Kind() != reflect.String {
		w.fail("a map by " + v.Type().Key().Kind().String())
		return
	}
	names, values := make([]string, 0, v.Len()), make(map[string]reflect.Value, v.Len())
	for each := v.MapRange(); each.Next(); {
		name := each.Key().String()
		names, values[name] = append(names, name), each.Value()
	}
	slices.Sort(names)
	w.out = append(w.out, '{')
	for i, name := range names {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.text(name)
		w.out = append(w.out, ':')
		w.value(values[name])
	}
	w.out = append(w.out, '}')
}

func (w *writer) object(v reflect.Value) {
	w.out = append(w.out, '{')
	first := true
	for _, f := range fieldsOf(v.Type()) {
		in, ok := f.of(v)
		if !ok || f.omitEmpty && empty(in) || f.omitZero && in.IsZero() {
			continue
		}
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		w.text(f.name)
		w.out = append(w.out, ':')
		w.value(in)
	}
	w.out = append(w.out, '}')
}

// empty tells what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// field is a field of a struct on the wire.
type field struct {
	name                string
	index               []int // the way to it, through structs that are embedded
	omitEmpty, omitZero bool
}

// of is the field of a struct; there is none in an embedded one that is nil.
func (f *field) of(v reflect.Value) (reflect.Value, bool) {
	for i, n := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v, true
}

var known struct {
	sync.RWMutex
	fields map[reflect.Type][]field
}

// fieldsOf are the fields of a struct type in their order.
func fieldsOf(t reflect.Type) []field {
	known.RLock()
	list, ok := known.fields[t]
	known.RUnlock()
	if ok {
		return list
	}
	list = listFields(t, nil)
	// Of two fields of one name the one that lies less deep counts.
	list = slices.DeleteFunc(list, func(f field) bool {
		return slices.ContainsFunc(list, func(other field) bool { return other.name == f.name && len(other.index) < len(f.index) })
	})
	known.Lock()
	defer known.Unlock()
	if known.fields == nil {
		known.fields = map[reflect.Type][]field{}
	}
	known.fields[t] = list
	return list
}

func listFields(t reflect.Type, way []int) []field {
	var list []field
	for i := range t.NumField() {
		sf := t.Field(i)
		name, rest, _ := strings.Cut(sf.Tag.Get("json"), ",")
		index := append(slices.Clone(way), i)
		inner := sf.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case sf.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			list = append(list, listFields(inner, index)...)
			continue
		case !sf.IsExported() || name == "-":
			continue
		case name == "":
			name = sf.Name
		}
		list = append(list, field{name, index, rest == "omitempty", rest == "omitzero"})
	}
	return list
}
