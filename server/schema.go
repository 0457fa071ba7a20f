package server

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"copse/game"
	"copse/server/hall"
	"copse/table"
)

// schema is a JSON Schema as OpenAPI 3.1 has it.
type schema map[string]any

// schemas are the types of the document, by name.
type schemas struct {
	all  map[string]schema
	from map[string]reflect.Type
}

func newSchemas() *schemas {
	return &schemas{all: map[string]schema{}, from: map[string]reflect.Type{}}
}

// renamed are types that have another name in the document: names on the wire are
// for ever.
func renamed() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[game.HeardMove]():  "Heard",
		reflect.TypeFor[hall.HeardEntry](): "Told",
		reflect.TypeFor[hall.ChatLine]():   "Line",
	}
}

// A seat of the document is a seat of the table, except for these two.
type (
	actor  game.Seat // or chance
	viewer game.Seat // or a watcher
)

// meant are the fields whose type does not tell what is in them: seats that may be
// others than those of the table, and JSON that is already written.
func meant() map[reflect.Type]map[string]reflect.Type {
	actors := reflect.TypeFor[[]actor]()
	return map[reflect.Type]map[string]reflect.Type{
		reflect.TypeFor[table.Item]():     {"entry": reflect.TypeFor[entryJSON](), "toAct": actors},
		reflect.TypeFor[table.Look]():     {"toAct": actors},
		reflect.TypeFor[table.Record]():   {"seat": reflect.TypeFor[viewer]()},
		reflect.TypeFor[game.HeardMove](): {"seat": reflect.TypeFor[actor]()},
		reflect.TypeFor[movesReply]():     {"toAct": actors},
		reflect.TypeFor[hall.Summary](): {
			"settings": reflect.TypeFor[settingsJSON](),
			"seats":    reflect.TypeFor[[]table.Seated](),
		},
	}
}

// written are types that write themselves in a form of their own.
func written() map[reflect.Type]schema {
	hex := func(digits string) schema { return schema{"type": "string", "pattern": "^[0-9a-f]{" + digits + "}$"} }
	seat := schema{"type": "integer", "minimum": 0, "maximum": game.MaxSeats - 1}
	or := func(other string) schema { return schema{"oneOf": []any{seat, schema{"const": other}}} }
	return map[reflect.Type]schema{
		reflect.TypeFor[json.RawMessage](): {"description": "JSON as the game writes it: docs/engine.md."},
		reflect.TypeFor[game.Seat]():       seat,
		reflect.TypeFor[actor]():           or("chance"),
		reflect.TypeFor[viewer]():          or("watcher"),
		reflect.TypeFor[game.Audience]():   {"oneOf": []any{schema{"const": "all"}, schema{"type": "array", "items": or("watcher")}}},
		reflect.TypeFor[game.Points]():     {"type": []string{"integer", "null"}, "description": "null where the viewer may not know."},
		reflect.TypeFor[game.Args]():       {"type": "object", "additionalProperties": true},
		reflect.TypeFor[table.Hash]():      hex("64"),
		reflect.TypeFor[table.Person]():    hex("32"),
		reflect.TypeFor[table.Holder]():    {"type": "string", "enum": names(table.Nobody, table.Replaced)},
		reflect.TypeFor[table.Kind]():      {"type": "string", "enum": kindNames()},
		reflect.TypeFor[table.Wish]():      {"type": "string", "enum": names(table.Undo, table.Abandon)},
		reflect.TypeFor[table.Why]():       {"type": "string", "enum": names(table.Over, table.Abandoned)},
		reflect.TypeFor[table.Secret]():    hex("64"),
		reflect.TypeFor[table.Time]():      {"type": "integer", "description": "Milliseconds; a moment is counted from 1970 in UTC."},
	}
}

// kindNames are the names on the wire of the kinds of entries.
func kindNames() []string {
	var list []string
	for _, k := range table.Kinds() {
		list = append(list, k.String())
	}
	return list
}

// names are the names on the wire of things that are counted.
func names[T interface {
	~uint8
	String() string
}](first, last T) []string {
	var list []string
	for thing := first; thing <= last; thing++ {
		list = append(list, thing.String())
	}
	return list
}

// of is the schema of a type, which may be one of the document's.
func (all *schemas) of(t reflect.Type) schema {
	if s, ok := written()[t]; ok {
		return s
	}
	if t == reflect.TypeFor[table.Settings]() {
		return all.of(reflect.TypeFor[settingsJSON]())
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
		if other, ok := all.from[name]; !ok {
			all.from[name] = t // so that it may name itself
			all.all[name] = all.object(t)
		} else if other != t {
			panic("server: " + t.String() + " and " + other.String() + " have the same name in the document: rename one")
		}
		return schema{"$ref": "#/components/schemas/" + name}
	}
	panic("server: no schema for " + t.String())
}

// typeName is the name of a type in the document.
func typeName(t reflect.Type) string {
	if name, ok := renamed()[t]; ok {
		return name
	}
	name := strings.TrimSuffix(strings.TrimSuffix(t.Name(), "JSON"), "Info")
	return strings.ToUpper(name[:1]) + name[1:]
}

// field is the schema of a field. A field that is left out where it is empty is
// never null; any other that may be empty may be null. A pointer to a struct only
// saves a copy.
func (all *schemas) field(in reflect.Type, name string, t reflect.Type, omitted bool) schema {
	if written, ok := meant()[in][name]; ok {
		return all.of(written)
	}
	s := all.of(t)
	if t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Struct && !omitted {
		return schema{"anyOf": []any{s, schema{"type": "null"}}}
	}
	return s
}

// object is the schema of a struct. The fields of an embedded struct stand among
// its own.
func (all *schemas) object(t reflect.Type) schema {
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
				properties[name] = all.field(t, name, f.Type, strings.Contains(options, "omit"))
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
