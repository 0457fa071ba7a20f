package server

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// openAPI is the document that describes the API, made of the list of endpoints.
func openAPI(list []endpoint, version string) schema {
	types := newSchemas()
	paths := map[string]schema{}
	for i := range list {
		e := &list[i]
		if paths[e.path] == nil {
			paths[e.path] = schema{}
		}
		paths[e.path][strings.ToLower(e.method)] = e.operation(types)
	}
	return schema{
		"openapi": "3.1.0",
		"info": schema{
			"title": "Copse", "version": version,
			"description": "Board games about trees: everything the page does. What is not done is answered by a problem with key, arguments and the number of the rule; the words for keys are in i18n/. docs/api.md tells how a game is played through it.",
			"license":     schema{"name": "see LICENSE"},
		},
		"paths": paths,
		"components": schema{
			"schemas": types.all,
			"securitySchemes": schema{
				"cookie": schema{"type": "apiKey", "in": "cookie", "name": "copse", "description": "Set by become and continue. Where there is TLS it is called __Host-copse."},
				"token":  schema{"type": "http", "scheme": "bearer", "description": "Given by addProgram."},
			},
		},
	}
}

var inBraces = regexp.MustCompile(`\{(\w+)\}`)

// operation is an endpoint as the document describes it.
func (e *endpoint) operation(types *schemas) schema {
	parameters := []any{}
	for _, name := range inBraces.FindAllStringSubmatch(e.path, -1) {
		kind := schema{"type": "string"}
		if name[1] == "number" || name[1] == "seat" {
			kind = schema{"type": "integer", "minimum": 0}
		}
		parameters = append(parameters, schema{"name": name[1], "in": "path", "required": true, "schema": kind})
	}
	for _, q := range e.query {
		kind := schema{"type": q.kind}
		if q.many {
			kind = schema{"type": "array", "items": kind, "maxItems": mostFollowed}
		}
		parameters = append(parameters, schema{"name": q.name, "in": "query", "description": q.about, "schema": kind})
	}
	if e.once {
		parameters = append(parameters, schema{"name": "Idempotency-Key", "in": "header", "schema": schema{"type": "string", "maxLength": longestKey, "pattern": "^[!-~]*$"},
			"description": "Unlike any other of mine at this table. Sent again with the same key and the same body, a request does nothing and is answered as it was."})
	}
	op := schema{
		"operationId": e.name, "summary": e.about, "tags": []string{e.group}, "parameters": parameters,
		"security": e.security(), "responses": e.responses(types),
	}
	if e.more != "" {
		op["description"] = e.more
	}
	if e.asks != nil {
		op["requestBody"] = schema{"required": true, "content": schema{"application/json": schema{"schema": types.of(e.asks)}}}
	}
	return op
}

// eventStream is the type of a stream. OpenAPI 3.1 has no words for its events:
// they stand in an extension, by name, each with the schema of its data and whether
// it has an id.
const eventStream = "text/event-stream"

// security says who may ask.
func (e *endpoint) security() []any {
	cookie, token := schema{"cookie": []string{}}, schema{"token": []string{}}
	switch e.who {
	case persons:
		return []any{cookie}
	case players:
		return []any{cookie, token}
	}
	return []any{schema{}, cookie, token}
}

func (e *endpoint) responses(types *schemas) schema {
	good := schema{"description": "Done."}
	switch {
	case e.mime == eventStream:
		all := schema{}
		for _, event := range events() {
			all[event.name] = schema{"description": event.about, "data": types.of(event.data), "id": event.id}
		}
		good["content"] = schema{e.mime: schema{"schema": schema{"type": "string"}, "x-events": all}}
	case e.mime != "":
		good["content"] = schema{e.mime: schema{"schema": schema{"type": "string"}}}
	case e.gives != nil:
		good["content"] = schema{"application/json": schema{"schema": types.of(e.gives)}}
	}
	return schema{
		strconv.Itoa(e.status): good,
		"default": schema{"description": "Not done, and why.", "content": schema{
			"application/problem+json": schema{"schema": types.of(reflect.TypeFor[Problem]())},
		}},
	}
}

// Document is the OpenAPI document, for programs that make types from it.
func Document(version string) ([]byte, error) {
	return json.MarshalIndent(openAPI(endpoints(), version), "", "  ")
}

// document hands out the document, and a form of it for people to read.
func (s *Server) document(mux *http.ServeMux, list []endpoint) {
	raw, err := json.MarshalIndent(openAPI(list, s.Version), "", "  ")
	if err != nil {
		panic("server: the document cannot be written: " + err.Error())
	}
	page := docsPage(list, s.Version)
	for path, made := range map[string]struct {
		mime string
		raw  []byte
	}{
		"/api/openapi.json": {"application/json", append(raw, '\n')},
		"/api/docs":         {"text/html; charset=utf-8", page},
		"/api/docs.css":     {"text/css; charset=utf-8", docsStyle},
	} {
		mux.Handle(path, onlyRead(as(documentDo, packed(made.mime, made.raw))))
	}
}
