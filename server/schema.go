package server

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"copse/bot"
	"copse/game"
	"copse/peace"
	"copse/rating"
	"copse/server/hall"
	"copse/table"
)

// schema is a JSON Schema as OpenAPI 3.1 has it.
type schema map[string]any

// schemas are the types of the document, by name.
type schemas struct {
	all    map[string]schema
	from   map[string]reflect.Type
	bodies map[reflect.Type]bool // those that are asked with
}

func newSchemas() *schemas {
	return &schemas{all: map[string]schema{}, from: map[string]reflect.Type{}, bodies: map[reflect.Type]bool{}}
}

// body is the schema of the body of a request. It is closed, since a field that
// nobody knows is refused; and a field that may be missing may be null, which means
// the same (game.Object).
func (all *schemas) body(t reflect.Type) schema {
	all.bodies[t] = true
	return all.of(t)
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

// Texts of which there are only some.
type (
	pace    string
	undo    string
	visible string
	player  string // a bot
	saying  string // a set phrase
	phase   string

	playPace string
)

// shared are types that are no structs and have a name in the document, so that
// generators make one type of each.
func shared() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[actor]():         "Actor",
		reflect.TypeFor[viewer]():        "Viewer",
		reflect.TypeFor[game.Audience](): "Audience",
		reflect.TypeFor[pace]():          "PaceName",
		reflect.TypeFor[playPace]():      "PlayPaceName",
		reflect.TypeFor[undo]():          "Undo",
		reflect.TypeFor[visible]():       "Visible",
		reflect.TypeFor[player]():        "Player",
		reflect.TypeFor[saying]():        "Saying",
		reflect.TypeFor[phase]():         "Phase",
		reflect.TypeFor[table.Wish]():    "Wish",
	}
}

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
			"phase":    reflect.TypeFor[phase](),
		},
		reflect.TypeFor[table.People](): {"phase": reflect.TypeFor[phase]()},
		reflect.TypeFor[table.Asking](): {"for": reflect.TypeFor[table.Wish]()},
		reflect.TypeFor[settingsJSON](): {"pace": reflect.TypeFor[pace](), "undo": reflect.TypeFor[undo](), "visible": reflect.TypeFor[visible]()},
		reflect.TypeFor[hall.Words]():   {"phrase": reflect.TypeFor[saying]()},
		reflect.TypeFor[gamesReply]():   {"phrases": reflect.TypeFor[[]saying]()},
		reflect.TypeFor[gameInfo]():     {"bots": reflect.TypeFor[[]player]()},
		reflect.TypeFor[paceInfo]():     {"name": reflect.TypeFor[pace]()},

		reflect.TypeFor[tableBody]():   {"pace": reflect.TypeFor[pace](), "undo": reflect.TypeFor[undo](), "visible": reflect.TypeFor[visible](), "standIn": reflect.TypeFor[player]()},
		reflect.TypeFor[wantBody]():    {"pace": reflect.TypeFor[playPace]()},
		reflect.TypeFor[inviteBody]():  {"friends": reflect.TypeFor[[]string]()},
		reflect.TypeFor[companyBody](): {"friends": reflect.TypeFor[[]string](), "pace": reflect.TypeFor[playPace]()},
		reflect.TypeFor[botBody]():     {"player": reflect.TypeFor[player]()},
		reflect.TypeFor[startBody]():   {"fill": reflect.TypeFor[player]()},
		reflect.TypeFor[answerBody]():  {"for": reflect.TypeFor[table.Wish]()},
		reflect.TypeFor[sayBody]():     {"phrase": reflect.TypeFor[saying]()},
	}
}

// bounds are what a field keeps to besides its type. In a body the server refuses
// what does not, by a key that says more, and a test holds the two together.
func bounds() map[reflect.Type]map[string]schema {
	// What is read as a number has 32 bits (game.Object).
	count := schema{"minimum": 0, "maximum": math.MaxInt32}
	// A text of which nothing can be seen is refused: this says as much of that as a
	// pattern can.
	text := func(most int) schema { return schema{"minLength": 1, "maxLength": most, "pattern": `\S`} }
	time := func(least, most time.Duration) schema {
		return schema{"minimum": least.Milliseconds(), "maximum": most.Milliseconds(), "multipleOf": 1000}
	}
	return map[reflect.Type]map[string]schema{
		reflect.TypeFor[game.Option](): {"kind": {"enum": []string{"flag", "words", "number", "box"}}},
		reflect.TypeFor[program]():     {"state": {"enum": []string{tokenGood, tokenSoon, tokenEnded}}},
		reflect.TypeFor[nameBody]():    {"name": text(longestName)},
		reflect.TypeFor[labelBody]():   {"label": text(longestName)},
		reflect.TypeFor[passkeyBody](): {"label": text(longestName)},
		reflect.TypeFor[recoverBody](): {"name": text(longestName)},
		reflect.TypeFor[meReply]():     {"passkeys": {"enum": []string{passkeysOffered, passkeysAddress, passkeysHost, passkeysOther, passkeysPlain}}},
		reflect.TypeFor[browserBody](): {"language": {"enum": languages()}},
		reflect.TypeFor[doorbellBody](): {
			"from": {"minimum": 0, "maximum": lastMinute}, "to": {"minimum": 0, "maximum": lastMinute},
		},
		reflect.TypeFor[doorbellReply](): {"paces": {"items": schema{"type": "string", "enum": hall.ChimePaces()}}},
		reflect.TypeFor[triedReply]():    {"outcome": {"enum": triedOutcomes()}},
		reflect.TypeFor[playBody]():      {"after": count, "moves": {"minItems": 1, "maxItems": table.LongestDraft}},
		reflect.TypeFor[sitBody](): {
			// Not all of them zero.
			"nonce": {"minLength": nonceDigits, "maxLength": nonceDigits, "pattern": "^[0-9a-f]*[1-9a-f][0-9a-f]*$"},
		},
		reflect.TypeFor[comeBody](): {"nonce": {"minLength": nonceDigits, "maxLength": nonceDigits, "pattern": "^[0-9a-f]*[1-9a-f][0-9a-f]*$"}},
		reflect.TypeFor[wantBody](): {
			"seats": {"minimum": game.MinSeats, "maximum": game.MaxSeats},
			"bots":  {"minimum": 0, "maximum": hall.MostBots},
		},
		reflect.TypeFor[whomBody]():         {"line": count},
		reflect.TypeFor[friendReply]():      {"state": {"enum": []string{hall.FriendAsked, hall.FriendsNow}}},
		reflect.TypeFor[hall.Bond]():        {"is": {"enum": hall.BondNames()}},
		reflect.TypeFor[profileReply]():     {"bond": {"enum": hall.BondNames()}},
		reflect.TypeFor[hall.FriendsNews](): {"why": {"enum": hall.FriendsWhy()}},
		reflect.TypeFor[inviteBody]():       {"friends": {"minItems": 1, "maxItems": hall.MostInCompany}},
		reflect.TypeFor[companyBody](): {
			"name":    text(hall.LongestCompany),
			"friends": {"minItems": 1, "maxItems": hall.MostInCompany},
			"seats":   {"minimum": game.MinSeats, "maximum": game.MaxSeats},
		},
		reflect.TypeFor[hall.Waiting]():   {"state": {"enum": hall.WaitStates()}},
		reflect.TypeFor[hall.RatedGame](): {"why": {"enum": []string{rating.LeftEarly, rating.NoPerson}}},
		reflect.TypeFor[gamesReply]():     {"chat": {"enum": ChatModes()}},
		reflect.TypeFor[reportBody]():     {"why": {"enum": peace.Reasons()}, "text": {"maxLength": peace.LongestText}, "line": count},
		reflect.TypeFor[DeskReport]():     {"why": {"enum": peace.Reasons()}},
		reflect.TypeFor[mineReport]():     {"why": {"enum": peace.Reasons()}},
		reflect.TypeFor[DeskAct]():        {"do": {"enum": peace.Deeds()}},
		reflect.TypeFor[mineAct]():        {"do": {"enum": peace.Deeds()}},
		reflect.TypeFor[closeBody]():      {"note": {"maxLength": peace.LongestWhy}},
		reflect.TypeFor[actBody](): {
			"do": {"enum": deskDeeds()}, "why": {"minLength": 1, "maxLength": peace.LongestWhy},
			"days": {"minimum": 1, "maximum": longestAct}, "report": count,
		},
		reflect.TypeFor[undoBody](): {"to": count},
		reflect.TypeFor[sayBody]():  {"text": text(table.LongestChat)},
		reflect.TypeFor[tableBody](): {
			"seats":   {"minimum": game.MinSeats, "maximum": game.MaxSeats},
			"options": {"type": "object", "additionalProperties": true},
			"version": count,
			"bank":    time(table.LeastBank, table.MostBank),
			"step":    time(0, table.MostGain),
			"night":   {"minItems": 2, "maxItems": 2, "items": schema{"type": "integer", "format": "int64", "minimum": 0, "maximum": 24*60 - 1}},
		},
	}
}

// nonceDigits is how many digits a nonce has.
const nonceDigits = 2 * len(table.Nonce{})

// alone are the bodies of which exactly one field is given.
func alone() map[reflect.Type]bool {
	return map[reflect.Type]bool{reflect.TypeFor[sayBody](): true}
}

// written are types that write themselves in a form of their own.
func written() map[reflect.Type]schema {
	hex := func(digits string) schema { return schema{"type": "string", "pattern": "^[0-9a-f]{" + digits + "}$"} }
	seat := schema{"type": "integer", "format": "int64", "minimum": 0, "maximum": game.MaxSeats - 1}
	or := func(other string) []any { return []any{seat, schema{"type": "string", "const": other}} }
	some := func(about string, list []string) schema {
		return schema{"type": "string", "enum": list, "description": about}
	}
	return map[reflect.Type]schema{
		reflect.TypeFor[json.RawMessage](): {"description": "JSON as the game writes it: docs/engine.md."},
		reflect.TypeFor[browserJSON]():     {"type": "object", "additionalProperties": true, "description": "JSON of Web Authentication or of a push subscription, as browsers read and write it."},
		reflect.TypeFor[game.Seat]():       seat,
		reflect.TypeFor[actor]():           {"oneOf": or("chance"), "description": "Who acts: a seat, or chance."},
		reflect.TypeFor[viewer]():          {"oneOf": or("watcher"), "description": "Who looks on: a seat, or somebody at none."},
		reflect.TypeFor[game.Audience](): {"description": "Who hears it.", "oneOf": []any{
			schema{"type": "string", "const": "all"}, schema{"type": "array", "items": schema{"$ref": componentOf("Viewer")}},
		}},
		reflect.TypeFor[pace]():         some("How much time a seat has; `GET /api/games` tells the figures.", table.PaceNames()),
		reflect.TypeFor[playPace]():     some("A pace at which one can play now.", hall.PlayPaces()),
		reflect.TypeFor[undo]():         some("Whether what was confirmed can be taken back.", table.UndoNames()),
		reflect.TypeFor[visible]():      some("Who finds a table: everyone, as it is listed; whoever has its link; the same, and once the game has begun nobody else sees it.", table.VisibleNames()),
		reflect.TypeFor[player]():       some("A bot; `GET /api/games` tells how strong they are.", bot.Players()),
		reflect.TypeFor[saying]():       some("A set phrase, which everyone reads in their own language.", table.Sayings()),
		reflect.TypeFor[phase]():        some("How far a table is: before the game, in it, paused, after it.", table.PhaseNames()),
		reflect.TypeFor[game.Points]():  {"type": []string{"integer", "null"}, "format": "int64", "description": "null where the viewer may not know."},
		reflect.TypeFor[game.Args]():    {"type": "object", "additionalProperties": true},
		reflect.TypeFor[table.Hash]():   hex("64"),
		reflect.TypeFor[table.Person](): hex("32"),
		reflect.TypeFor[table.Holder](): {"type": "string", "enum": names(table.Nobody, table.Replaced)},
		reflect.TypeFor[table.Kind]():   {"type": "string", "enum": kindNames()},
		reflect.TypeFor[table.Wish]():   some("What may be asked of the others.", names(table.Undo, table.Abandon)),
		reflect.TypeFor[table.Why]():    {"type": "string", "enum": names(table.Over, table.Abandoned)},
		reflect.TypeFor[table.Secret](): hex("64"),
		reflect.TypeFor[table.Time]():   {"type": "integer", "format": "int64", "description": "Milliseconds; a moment is counted from 1970 in UTC."},
	}
}

// componentOf is where a type stands in the document.
func componentOf(name string) string { return "#/components/schemas/" + name }

// events is the schema of an event of a stream: one of those that there are, told
// apart by their name.
func (all *schemas) events() schema {
	const name = "StreamEvent"
	one, where := []any{}, schema{}
	for _, event := range events() {
		each := "Stream" + strings.ToUpper(event.name[:1]) + event.name[1:]
		properties := schema{"event": schema{"type": "string", "const": event.name}, "data": all.of(event.data)}
		required := []string{"data", "event"}
		if event.id {
			properties["id"] = schema{"type": "string", "description": "How far I am: to be sent back as `Last-Event-ID`."}
			required = append(required, "id")
		}
		all.name(each, event.data)
		all.all[each] = schema{"type": "object", "description": event.about, "properties": properties, "required": required}
		one = append(one, schema{"$ref": componentOf(each)})
		where[event.name] = componentOf(each)
	}
	all.name(name, reflect.TypeFor[streamEvent]())
	all.all[name] = schema{"oneOf": one, "discriminator": schema{"propertyName": "event", "mapping": where}}
	return schema{"$ref": componentOf(name)}
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
		name, named := shared()[t]
		if !named {
			return s
		}
		if all.from[name] != t {
			all.name(name, t)
			all.all[name] = s
			if t == reflect.TypeFor[game.Audience]() {
				all.of(reflect.TypeFor[viewer]())
			}
		}
		return schema{"$ref": componentOf(name)}
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
		return schema{"type": "integer", "format": "int64"}
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
		if all.from[name] != t {
			all.name(name, t) // so that it may name itself
			all.all[name] = all.object(t)
		}
		return schema{"$ref": componentOf(name)}
	}
	panic("server: no schema for " + t.String())
}

// name gives a type its name in the document, which no other may have.
func (all *schemas) name(name string, t reflect.Type) {
	if other := all.from[name]; other != nil && other != t {
		panic("server: " + t.String() + " and " + other.String() + " have the same name in the document: rename one")
	}
	all.from[name] = t
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
// never null in an answer, and may be null in a body; any other that may be empty
// may be null. A pointer to a struct only saves a copy.
func (all *schemas) field(in reflect.Type, name string, t reflect.Type, omitted bool) schema {
	written, ok := meant()[in][name]
	if !ok {
		written = t
	}
	s := maps.Clone(all.of(written))
	maps.Copy(s, bounds()[in][name])
	switch {
	case all.bodies[in]:
		if omitted && !alone()[in] {
			return orNull(s)
		}
	case !ok && t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Struct && !omitted:
		return orNull(s)
	}
	return s
}

// orNull is a schema that null fits too.
func orNull(s schema) schema {
	if one, ok := s["type"].(string); ok {
		s["type"] = []string{one, "null"}
		return s
	}
	return schema{"anyOf": []any{s, schema{"type": "null"}}}
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
					properties[name].(schema)["description"] = about
				}
				if !strings.Contains(options, "omit") && !slices.Contains(required, name) {
					required = append(required, name)
				}
			}
		}
	}
	add(t)
	s := schema{"type": "object", "properties": properties}
	if all.bodies[t] {
		s["additionalProperties"] = false
	}
	if alone()[t] {
		s["minProperties"], s["maxProperties"] = 1, 1
	}
	if len(required) > 0 {
		slices.Sort(required)
		s["required"] = required
	}
	return s
}
