package server

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"copse/game"
)

// read reads the body of a request into a struct: every field has its name in a tag
// and must be there, unless it is a pointer. The OpenAPI document is made from the
// same struct. What is wrong with the body is a *game.Fault.
func read(raw []byte, into any) error {
	v := reflect.ValueOf(into).Elem()
	if v.NumField() == 0 && len(raw) == 0 {
		return nil
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	o := game.ReadObject(raw)
	for i, name := range namesOf(v.Type()) {
		field := v.Field(i)
		if field.Kind() == reflect.Pointer {
			if !o.Has(name) {
				continue
			}
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if err := readField(o, name, field); err != nil {
			return err
		}
	}
	return o.Done()
}

// fieldNames are those of the fields of all structs that were read so far.
var fieldNames sync.Map // reflect.Type → []string

// namesOf are the names of the fields of a struct.
func namesOf(t reflect.Type) []string {
	if list, ok := fieldNames.Load(t); ok {
		return list.([]string)
	}
	list := make([]string, t.NumField())
	for i := range list {
		list[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	fieldNames.Store(t, list)
	return list
}

func readField(o *game.Object, name string, field reflect.Value) error {
	switch at := field.Addr().Interface().(type) {
	case *string:
		*at = o.Text(name)
	case *int:
		*at = o.Number(name)
	case *bool:
		*at = o.Flag(name)
	case *game.Seat:
		n := o.Number(name)
		if o.Fault() == nil && (n < 0 || n >= game.MaxSeats) {
			return game.Blame("json.range", game.Args{"field": name, "least": 0, "most": game.MaxSeats - 1})
		}
		*at = game.Seat(n)
	case *browserJSON:
		*at = browserJSON(o.Raw(name))
		if o.Fault() == nil && !bytes.HasPrefix(bytes.TrimSpace(*at), []byte("{")) {
			return game.Blame("json.object", nil)
		}
	case *[]json.RawMessage:
		*at = o.List(name)
	default:
		panic("server: a body cannot have a field of type " + field.Type().String())
	}
	return o.Fault()
}
