package server

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

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
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
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
	case *[]json.RawMessage:
		list, err := readList(o.Raw(name))
		if err != nil && o.Fault() == nil {
			return game.Blame("json.list", game.Args{"field": name})
		}
		*at = list
	default:
		panic("server: a body cannot have a field of type " + field.Type().String())
	}
	return o.Fault()
}

// readList takes a list apart.
func readList(raw json.RawMessage) (list []json.RawMessage, err error) {
	if len(raw) == 0 || raw[0] != '[' {
		return nil, game.Blame("json.object", nil)
	}
	return list, json.Unmarshal(raw, &list)
}
