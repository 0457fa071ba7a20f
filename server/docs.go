package server

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"reflect"
	"slices"
	"strings"
)

//go:embed docs.html
var docsTemplate string

//go:embed docs.css
var docsStyle []byte

// docsGroup is a part of the readable document.
type docsGroup struct {
	Name      string
	Endpoints []docsEndpoint
}

// docsEndpoint is an endpoint for people to read.
type docsEndpoint struct {
	Name, Method, Path, About, More, Who string
	Status                               int
	Refusals                             []int // the statuses of problems
	Once                                 bool
	Query                                []docsField
	Asks                                 []docsField
	Gives                                string // the name of a type, or nothing
	Mime                                 string
	Events                               []docsEvent
}

// docsRefusal is a status of a problem, and what it means.
type docsRefusal struct {
	Status int
	About  string
}

// docsEvent is an event of a stream for people to read.
type docsEvent struct {
	Name, Type, About string
	ID                bool
}

// docsField is a field of an object, or a part of an address.
type docsField struct {
	Name, Type, About string
	Needed            bool
}

// docsType is a type of the document.
type docsType struct {
	Name   string
	About  string
	Text   string // what it is, where it has no fields
	Fields []docsField
}

// docsPage writes the document for people to read. It needs no script.
func docsPage(list []endpoint, version string) []byte {
	types := newSchemas()
	groups := []docsGroup{}
	for i := range list {
		e := &list[i]
		if len(groups) == 0 || groups[len(groups)-1].Name != e.group {
			groups = append(groups, docsGroup{Name: e.group})
		}
		g := &groups[len(groups)-1]
		g.Endpoints = append(g.Endpoints, e.docs(types))
	}
	types.of(reflect.TypeFor[Problem]())
	all := []docsType{}
	for _, name := range slices.Sorted(maps.Keys(types.all)) {
		s := types.all[name]
		about, _ := s["description"].(string)
		d := docsType{Name: name, About: about, Fields: fieldsOf(s)}
		if s["properties"] == nil {
			d.Text = typeText(s)
		}
		all = append(all, d)
	}
	refusals := []docsRefusal{}
	for status := range 600 {
		if slices.ContainsFunc(list, func(e endpoint) bool { return slices.Contains(e.refusals(), status) }) {
			about, _ := refusalResponse(status, types)["description"].(string)
			refusals = append(refusals, docsRefusal{status, about})
		}
	}
	var out bytes.Buffer
	page := template.Must(template.New("docs").Parse(docsTemplate))
	if err := page.Execute(&out, map[string]any{"Groups": groups, "Refusals": refusals, "Types": all, "Version": version}); err != nil {
		panic("server: the readable document cannot be written: " + err.Error())
	}
	return out.Bytes()
}

func (e *endpoint) docs(types *schemas) docsEndpoint {
	d := docsEndpoint{
		Name: e.name, Method: e.method, Path: e.path, About: e.about, More: e.more, Status: e.status, Refusals: e.refusals(), Once: e.once, Mime: e.mime,
		Who: map[access]string{anyone: "anyone", players: "people and programs", persons: "people"}[e.who],
	}
	for _, q := range e.query {
		d.Query = append(d.Query, docsField{Name: q.name, Type: q.kind, About: q.about})
	}
	if e.mime == eventStream {
		types.events()
	}
	if e.asks != nil {
		types.body(e.asks)
		d.Asks = fieldsOf(types.all[typeName(e.asks)])
		for i := range d.Asks { // null is as good as nothing
			d.Asks[i].Type = strings.TrimSuffix(d.Asks[i].Type, " or null")
		}
	}
	if e.gives != nil && e.mime == "" {
		types.of(e.gives)
		d.Gives = typeName(deref(e.gives))
	}
	if e.mime == eventStream {
		for _, event := range events() {
			types.of(event.data)
			d.Events = append(d.Events, docsEvent{event.name, typeName(event.data), event.about, event.id})
		}
	}
	return d
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func fieldsOf(s schema) []docsField {
	properties, _ := s["properties"].(schema)
	required, _ := s["required"].([]string)
	list := []docsField{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		about, _ := properties[name].(schema)["description"].(string)
		list = append(list, docsField{Name: name, Type: typeText(properties[name]), About: about, Needed: slices.Contains(required, name)})
	}
	return list
}

// typeText is a schema in a few words.
func typeText(v any) string {
	s, _ := v.(schema)
	switch {
	case s["$ref"] != nil:
		ref, _ := s["$ref"].(string)
		return ref[strings.LastIndexByte(ref, '/')+1:]
	case s["items"] != nil:
		return "list of " + typeText(s["items"])
	case s["anyOf"] != nil:
		return typeText(s["anyOf"].([]any)[0]) + " or null"
	case s["oneOf"] != nil:
		either := []string{}
		for _, one := range s["oneOf"].([]any) {
			either = append(either, typeText(one))
		}
		return strings.Join(either, " or ")
	case s["const"] != nil:
		return fmt.Sprintf("%q", s["const"])
	case s["enum"] != nil:
		return strings.Join(s["enum"].([]string), ", ")
	case s["type"] == nil:
		return "JSON"
	}
	switch t := s["type"].(type) {
	case string:
		return t
	case []string:
		return strings.Join(t, " or ")
	}
	return "JSON"
}
