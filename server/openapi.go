package server

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"copse/game"
	"copse/store"
)

// groups are the parts of the document, in their order, each with what it is about.
func groups() [][2]string {
	return [][2]string{
		{"Games", "What can be played here."},
		{"People", "Who I am, on which devices, and the programs that play for me."},
		{"Members", "Who comes back by a passkey, and keeps their name. Browsers speak Web Authentication; programs have tokens."},
		{"Profiles", "What members show of themselves."},
		{"Tables", "Lists of tables, and new ones."},
		{"Doorbell", "Being told something though no page is open."},
		{"Play now", "Playing with whoever wants to as well, and the ratings that follow."},
		{"Friends", "Who I like to play with, and whom I do not want to meet."},
		{"One table", "What there is to see at a table, as far as I may know it."},
		{"At the table", "What happens at a table: sitting down, moves, requests of the others, chat."},
		{"Peace", "Reporting somebody, and what operators do about it. To who is no operator there is nothing at these addresses."},
		{"Stream", "What happens, as it happens."},
	}
}

// openAPI is the document that describes the API, made of the list of endpoints.
func openAPI(list []endpoint, version string) schema {
	types := newSchemas()
	paths := map[string]schema{}
	refusals := schema{}
	for i := range list {
		e := &list[i]
		if paths[e.path] == nil {
			paths[e.path] = schema{}
		}
		paths[e.path][strings.ToLower(e.method)] = e.operation(types)
		for _, status := range e.refusals() {
			refusals[refusalName(status)] = refusalResponse(status, types)
		}
	}
	tags := []any{}
	for _, group := range groups() {
		tags = append(tags, schema{"name": group[0], "description": group[1]})
	}
	return schema{
		"openapi": "3.1.0",
		"info": schema{
			"title": "Copse", "version": version,
			"description": "Board games about trees: everything the page does. What is not done is answered by a problem with key, arguments and the number of the rule; the words for keys are in i18n/. docs/api.md tells how a game is played through it.",
			"license":     schema{"name": "Apache License 2.0", "identifier": "Apache-2.0"},
			"contact":     schema{"name": "Whoever runs this server"},
		},
		"servers": []any{schema{"url": "/", "description": "The server that hands out this document."}},
		"tags":    tags,
		"paths":   paths,
		"components": schema{
			"schemas":   types.all,
			"responses": refusals,
			"securitySchemes": schema{
				"cookie":     schema{"type": "apiKey", "in": "cookie", "name": plainCookie, "description": "Set by become and continue, where there is no TLS."},
				"hostCookie": schema{"type": "apiKey", "in": "cookie", "name": secureCookie, "description": "Set by become and continue, where there is TLS."},
				"token":      schema{"type": "http", "scheme": "bearer", "description": "Given by addProgram and renewProgram."},
			},
		},
	}
}

var inBraces = regexp.MustCompile(`\{(\w+)\}`)

// inPath are the parts of addresses, with what they may be.
func inPath() map[string]schema {
	id := schema{"type": "string", "pattern": fmt.Sprintf("^[0-9A-Za-z_-]{1,%d}$", store.LongestID)}
	whole := func(most int64) schema {
		return schema{"type": "integer", "format": "int64", "minimum": 0, "maximum": most}
	}
	return map[string]schema{
		"table":   {"description": "The table, as its link has it.", "schema": id},
		"program": {"description": "The program, as `programs` names it.", "schema": id},
		"passkey": {"description": "The passkey, as `passkeys` names it.", "schema": id},
		"browser": {"description": "The browser, as `doorbell` names it.", "schema": id},
		"session": {"description": "The browser, as `sessions` names it.", "schema": id},
		"name":    {"description": "A member, by name; one that looks like it will do.", "schema": schema{"type": "string", "minLength": 1}},
		"report":  {"description": "The number of a report.", "schema": whole(math.MaxInt32)},
		"person":  {"description": "Somebody, as `people` and `reports` name them to operators.", "schema": id},
		"friend":  {"description": "Somebody, as my lists name them.", "schema": id},
		"company": {"description": "The company, as `friends` names it.", "schema": id},
		"number":  {"description": "The number of an entry.", "schema": whole(math.MaxInt32)},
		"seat":    {"description": "The seat.", "schema": whole(game.MaxSeats - 1)},
	}
}

// operation is an endpoint as the document describes it.
func (e *endpoint) operation(types *schemas) schema {
	parameters := []any{}
	for _, name := range inBraces.FindAllStringSubmatch(e.path, -1) {
		part := inPath()[name[1]]
		parameters = append(parameters, schema{"name": name[1], "in": "path", "required": true, "description": part["description"], "schema": part["schema"]})
	}
	for _, q := range e.query {
		parameters = append(parameters, schema{"name": q.name, "in": "query", "description": q.about, "schema": q.schema()})
	}
	if e.once {
		parameters = append(parameters, schema{"name": "Idempotency-Key", "in": "header", "schema": schema{"type": "string", "maxLength": longestKey, "pattern": "^[!-~]*$"},
			"description": "Unlike any other of mine at this table. Sent again with the same key and the same body, a request does nothing and is answered as it was."})
	}
	if e.mime == eventStream {
		parameters = append(parameters, schema{"name": "Last-Event-ID", "in": "header", "schema": schema{"type": "string"},
			"description": "The `id` of the last event that was heard, to go on from there; browsers send it by themselves. What cannot be read of it begins anew."})
	}
	op := schema{
		"operationId": e.name, "summary": e.about, "description": strings.TrimSpace(e.about + " " + e.more), "tags": []string{e.group}, "parameters": parameters,
		"security": e.security(), "responses": e.responses(types),
	}
	if e.asks != nil {
		body := types.body(e.asks)
		_, needs := types.all[typeName(e.asks)]["required"]
		op["requestBody"] = schema{"required": needs || alone()[e.asks], "content": schema{jsonType[0]: schema{"schema": body}}}
	}
	return op
}

// schema is what a parameter may be.
func (q *parameter) schema() schema {
	s := schema{"type": q.kind}
	if q.kind == "integer" {
		s = schema{"type": q.kind, "format": "int64", "minimum": q.least, "maximum": math.MaxInt32}
	}
	if q.many {
		s = schema{"type": "array", "items": s, "maxItems": mostFollowed}
	}
	return s
}

// eventStream is the type of a stream. OpenAPI 3.1 has no words for its events: the
// schema is that of one of them, with its lines as fields. They stand in an extension
// too, by name, each with the schema of its data and whether it has an id.
const eventStream = "text/event-stream"

// eventStreamText is how a stream says what it is, and how its text is written.
const eventStreamText = eventStream + "; charset=utf-8"

// security says who may ask.
func (e *endpoint) security() []any {
	cookie, host, token := schema{"cookie": []string{}}, schema{"hostCookie": []string{}}, schema{"token": []string{}}
	switch e.who {
	case visitors:
		return []any{schema{}, cookie, host}
	case persons:
		return []any{cookie, host}
	case players:
		return []any{cookie, host, token}
	}
	return []any{schema{}, cookie, host, token}
}

func (e *endpoint) responses(types *schemas) schema {
	good := schema{"description": "Done."}
	switch {
	case e.mime == eventStream:
		all := schema{}
		for _, event := range events() {
			all[event.name] = schema{"description": event.about, "data": types.of(event.data), "id": event.id}
		}
		good["description"] = "The stream. Each event is as the schema says, its lines `event`, `id` and `data` as fields; what is in `data` is JSON in one line."
		good["content"] = schema{e.mime: schema{"schema": types.events(), "x-events": all}}
	case e.mime != "":
		good["description"] = e.gift
		good["content"] = schema{e.mime: schema{"schema": schema{"type": "string", "description": "Lines of JSON, each a value of its own: a text to keep as it is, not one value to read."}}}
	case e.gives != nil:
		good["description"] = "Done: this is what came of it."
		if e.method == get {
			good["description"] = "Here it is."
		}
		good["content"] = schema{jsonType[0]: schema{"schema": types.of(e.gives)}}
	}
	headers := schema{}
	if e.cookie {
		headers["Set-Cookie"] = schema{"description": "The cookie by which this browser is known from now on, or its end.", "schema": schema{"type": "string"}}
	}
	if e.who != persons && e.who != visitors {
		headers[tokenHeader] = schema{"description": "Until when the token of a program is good, in the last two weeks of it.", "schema": schema{"type": "string", "format": "date-time"}}
	}
	if len(headers) > 0 {
		good["headers"] = headers
	}
	all := schema{strconv.Itoa(e.status): good}
	for _, status := range e.refusals() {
		all[strconv.Itoa(status)] = schema{"$ref": "#/components/responses/" + refusalName(status)}
	}
	return all
}

// refusals are the statuses with which a request for an endpoint may be refused,
// from what must be so and what the endpoint says besides.
func (e *endpoint) refusals() []int {
	all := []int{
		http.StatusUnauthorized, // a token that is not good, wherever it is shown
		http.StatusMisdirectedRequest, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
	}
	if e.method != get { // there may be a body, and it is asked who sent it
		all = append(all, http.StatusBadRequest, http.StatusForbidden, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if e.who == persons || e.who == visitors || !e.banned {
		all = append(all, http.StatusForbidden)
	}
	if len(e.query) > 0 {
		all = append(all, http.StatusBadRequest)
	}
	if inBraces.MatchString(e.path) {
		all = append(all, http.StatusNotFound)
	}
	if e.once {
		all = append(all, http.StatusConflict, http.StatusUnprocessableEntity)
	}
	all = append(all, e.refuses...)
	slices.Sort(all)
	return slices.Compact(all)
}

// refusalName is what a refusal is called in the document.
func refusalName(status int) string {
	switch status { // as they are called by now
	case http.StatusRequestEntityTooLarge:
		return "ContentTooLarge"
	case http.StatusUnprocessableEntity:
		return "UnprocessableContent"
	}
	return strings.ReplaceAll(http.StatusText(status), " ", "")
}

// refusalResponse is a refusal as the document describes it.
func refusalResponse(status int, types *schemas) schema {
	about := map[int]string{
		http.StatusBadRequest:            "The request makes no sense, and never will; or it was cut off. Nothing was done.",
		http.StatusUnauthorized:          "Nobody asks: choose a name, or show a token that is good.",
		http.StatusForbidden:             "Not for me: I do not sit here, am not the host, have seen the game from another seat, am a program or banned, or another site sent it.",
		http.StatusNotFound:              "There is no such thing, or I may not know of it.",
		http.StatusRequestTimeout:        "The request did not come whole in time: nothing was done.",
		http.StatusConflict:              "Not now: the rules, or the state of things, say no.",
		http.StatusRequestEntityTooLarge: "The body is too large.",
		http.StatusUnsupportedMediaType:  "The body is not sent as JSON.",
		http.StatusMisdirectedRequest:    "This server does not answer for that host name.",
		http.StatusUnprocessableEntity:   "The key was used for another request.",
		http.StatusTooManyRequests:       "Too often, or too many.",
		http.StatusInternalServerError:   "Something is wrong with the server.",
		http.StatusServiceUnavailable:    "The server restarts, its disk is full, or its database does not answer: nothing was done, or, where the key is `server.unsure`, it may have been. The same request again, under the same key, tells.",
	}[status]
	if about == "" {
		panic("server: nobody says what " + strconv.Itoa(status) + " means")
	}
	s := schema{"description": about, "content": schema{problemType: schema{"schema": types.of(reflect.TypeFor[Problem]())}}}
	header := func(name, kind, about string) {
		s["headers"] = schema{name: schema{"description": about, "schema": schema{"type": kind}}}
	}
	switch status {
	case http.StatusUnauthorized:
		header("WWW-Authenticate", "string", "How one says who one is.")
	case http.StatusUnsupportedMediaType:
		header("Accept", "string", "What would be taken.")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		header("Retry-After", "integer", "After so many seconds it is worth while to ask again.")
	}
	return s
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
