package server

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"copse/game"
	"copse/table"
)

// schema is a JSON Schema as OpenAPI 3.1 has it.
type schema map[string]any

// schemas are the types of the document, by name.
type schemas map[string]schema

// written are types that write themselves in a form of their own.
func written() map[reflect.Type]schema {
	hex := func(digits string) schema { return schema{"type": "string", "pattern": "^[0-9a-f]{" + digits + "}$"} }
	return map[reflect.Type]schema{
		reflect.TypeFor[json.RawMessage](): {"description": "JSON as the game writes it: docs/engine.md."},
		reflect.TypeFor[game.Seat](): {"oneOf": []any{
			schema{"type": "integer", "minimum": 0, "maximum": game.MaxSeats - 1}, schema{"enum": []string{"chance", "watcher"}},
		}},
		reflect.TypeFor[game.Audience](): {"oneOf": []any{schema{"const": "all"}, schema{"type": "array"}}},
		reflect.TypeFor[game.Points]():   {"type": []string{"integer", "null"}, "description": "null where the viewer may not know."},
		reflect.TypeFor[game.Args]():     {"type": "object", "additionalProperties": true},
		reflect.TypeFor[table.Hash]():    hex("64"),
		reflect.TypeFor[table.Person]():  hex("32"),
		reflect.TypeFor[table.Holder]():  {"type": "string", "enum": holders()},
		reflect.TypeFor[table.Time]():    {"type": "integer", "description": "Milliseconds; a moment is counted from 1970 in UTC."},
	}
}

func holders() []string {
	var list []string
	for h := table.Nobody; h <= table.Replaced; h++ {
		list = append(list, h.String())
	}
	return list
}

// of is the schema of a type, which may be one of the document's.
func (all schemas) of(t reflect.Type) schema {
	if s, ok := written()[t]; ok {
		return s
	}
	if t == reflect.TypeFor[table.Settings]() {
		return all.of(reflect.TypeFor[tableBody]())
	}
	switch t.Kind() {
	case reflect.Pointer:
		return all.of(t.Elem())
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Float64, reflect.Float32:
		return schema{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint16, reflect.Uint8:
		return schema{"type": "integer"}
	case reflect.Interface:
		return schema{}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": all.of(t.Elem())}
	case reflect.Slice, reflect.Array:
		item := all.of(t.Elem())
		if t.Elem().Kind() == reflect.Pointer {
			item = schema{"anyOf": []any{item, schema{"type": "null"}}}
		}
		return schema{"type": "array", "items": item}
	case reflect.Struct:
		name := typeName(t)
		if _, ok := all[name]; !ok {
			all[name] = schema{} // so that it may name itself
			all[name] = all.object(t)
		}
		return schema{"$ref": "#/components/schemas/" + name}
	}
	panic("server: no schema for " + t.String())
}

// typeName is the name of a type in the document.
func typeName(t reflect.Type) string {
	name := strings.TrimSuffix(strings.TrimSuffix(t.Name(), "JSON"), "Info")
	return strings.ToUpper(name[:1]) + name[1:]
}

// object is the schema of a struct. What is embedded stands among its fields.
func (all schemas) object(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	var add func(reflect.Type)
	add = func(t reflect.Type) {
		for f := range t.Fields() {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous && name == "":
				at := f.Type
				if at.Kind() == reflect.Pointer {
					at = at.Elem()
				}
				add(at)
			case name != "" && name != "-":
				properties[name] = all.of(f.Type)
				if about := f.Tag.Get("about"); about != "" {
					properties[name] = schema{"allOf": []any{properties[name]}, "description": about}
				}
				if !strings.Contains(options, "omit") && !slices.Contains(required, name) {
					required = append(required, name)
				}
			}
		}
	}
	add(t)
	s := schema{"type": "object", "properties": properties}
	if len(required) > 0 {
		slices.Sort(required)
		s["required"] = required
	}
	return s
}
