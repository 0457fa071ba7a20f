package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"copse/game"
)

// Settings are what was agreed before the game. They never change.
type Settings struct {
	Game      string
	Version   int             // of the rules
	Judgement int             // how the log is judged: 1, or a later judgement that judgement.go tells of
	Seats     int             // how many
	Options   json.RawMessage // of the game, without the box, in their one written form
	Box       string          // the hash of the box; nothing for a game without one

	Pace     string // one of Paces, or Own
	Bank     Time   // what a seat begins with, where the pace is Own
	Gain     Time   // what each turn adds to it, where the pace is Own
	Night    Night  // only where no clock of the pace runs at night
	Shifts   Shifts // of the place whose night it is; nothing for UTC
	Undo     string // UndoNone or UndoConsent
	Visible  string // ForAll, ByLink or Private
	Watchers bool   // others may look on
	Hints    bool   // everyone may ask a bot for advice
	TakeOver bool   // people may take the seats of bots while the game goes on
	StandIn  string // the player who sits in for people who are away

	Side      int  // which of the games of both sides this is, from 1; 0 for a game on its own
	Following Hash // the commitment of the game that follows it; zero for the last one, and for a game on its own

	Rated bool // ratings follow from it; the hall alone sets such tables

	usualTakeOver bool // nobody said whether people may take the seats of bots: Create decides by the game

	Zone string // the name of the place, as it was asked for; the server makes Shifts of it, and it is not written
}

// The rules for taking back what was confirmed. Against bots alone no consent is
// needed.
const (
	UndoNone    = "none"
	UndoConsent = "consent"
)

// UndoNames are the names of these rules on the wire, for ever.
func UndoNames() []string { return []string{UndoNone, UndoConsent} }

// The people who find a table.
const (
	ForAll  = "open"    // it is listed
	ByLink  = "link"    // whoever has the link finds it
	Private = "private" // likewise, and once the game has begun only those at the table see it
)

// VisibleNames are the names on the wire of who finds a table, for ever.
func VisibleNames() []string { return []string{ForAll, ByLink, Private} }

// usualStandIn is the stand-in of settings that name none. The table does not know
// whether there is such a player.
const usualStandIn = "level:3"

// longestOptions is how many bytes the options of a game may have, without a box.
const longestOptions = 1 << 10

// ReadSettings reads the settings that somebody wants a table to have: "game" and
// "seats", and where they are not the usual ones "options", "version", "pace",
// "bank" and "step" (in milliseconds, where the pace is "own" and only there),
// "night" (two minutes of the day), "zone" (the place whose night it is, UTC where
// none is named), "undo", "visible", "watchers", "hints", "takeOver", "standIn",
// "sides" (both sides are played: this is the first of as many games as seats).
// Usually people may take the seats of bots where the game keeps no secrets, and
// may not where it does: whoever knew one seat's secrets would see another's.
// Nobody chooses the judgement: a new table has the newest. Create says whether
// there can be such a table.
func ReadSettings(raw []byte) (Settings, error) {
	o := game.ReadObject(raw)
	text := func(field, usual string) string {
		if !o.Has(field) {
			return usual
		}
		return o.Text(field)
	}
	flag := func(field string, usual bool) bool {
		if !o.Has(field) {
			return usual
		}
		return o.Flag(field)
	}
	set := Settings{
		Game: o.Text("game"), Seats: o.Number("seats"),
		Pace: text("pace", Live), Undo: text("undo", UndoConsent), Visible: text("visible", ByLink),
		Hints: flag("hints", false), TakeOver: flag("takeOver", false), usualTakeOver: !o.Has("takeOver"), StandIn: text("standIn", usualStandIn),
	}
	set.Watchers = flag("watchers", set.Visible != Private)
	if flag("sides", false) {
		set.Side = 1
	}
	if o.Has("options") {
		set.Options = o.Raw("options")
	}
	if o.Has("version") {
		set.Version = o.Number("version")
	}
	if _, named := paceOf(set.Pace); named && (o.Has("bank") || o.Has("step")) && o.Fault() == nil {
		return set, game.Blame("table.pace.named", game.Args{"pace": set.Pace})
	}
	if set.Pace == Own || o.Has("bank") {
		set.Bank = Time(o.Number("bank"))
	}
	if set.Pace == Own || o.Has("step") {
		set.Gain = Time(o.Number("step"))
	}
	if set.Times().Rest {
		set.Night = usualNight()
	}
	if o.Has("night") {
		night := o.Pair("night")
		set.Night = Night{night[0], night[1]}
	}
	if o.Has("zone") {
		set.Zone = o.Text("zone")
		if o.Fault() == nil && set.Night.minutes() == 0 {
			return set, game.Blame("table.night.pace", game.Args{"pace": set.Pace})
		}
	}
	return set, o.Done()
}

// check is nil where a table can have these settings, as far as that can be known
// without the game.
func (set *Settings) check() error {
	oneOf := func(field, value string, known ...string) error {
		if slices.Contains(known, value) {
			return nil
		}
		return game.Blame("table.setting", game.Args{"field": field, "value": value, "known": known})
	}
	if err := cmp.Or(
		oneOf("pace", set.Pace, PaceNames()...),
		set.checkPace(),
		oneOf("undo", set.Undo, UndoNames()...),
		oneOf("visible", set.Visible, VisibleNames()...),
		checkPlayer(set.StandIn),
		set.Night.check(),
		set.Shifts.check(),
	); err != nil {
		return err
	}
	if set.Judgement < 1 || set.Judgement > NewestJudgement {
		return game.Blame("table.law", game.Args{"law": set.Judgement, "known": NewestJudgement})
	}
	if !set.Times().Rest && set.Night.minutes() > 0 || set.Night.minutes() == 0 && len(set.Shifts) > 0 {
		return game.Blame("table.night.pace", game.Args{"pace": set.Pace})
	}
	if set.Visible == Private && set.Watchers {
		return game.Blame("table.private", nil)
	}
	return cmp.Or(set.checkSide(), set.checkRated())
}

// longestPlayer is how long the name of a player may be.
const longestPlayer = 24

// checkPlayer is nil where a text may be the name of a player.
func checkPlayer(player string) error {
	if player == "" || len(player) > longestPlayer || strings.ContainsFunc(player, func(r rune) bool { return r > 127 || !plain(byte(r)) }) {
		return game.Blame("table.player", nil)
	}
	return nil
}

// Append writes the settings in their one form.
func (set *Settings) Append(dst []byte) []byte {
	p := pen(dst)
	p.open()
	p.text("game", set.Game)
	p.number("version", int64(set.Version))
	if set.Judgement > 1 {
		p.number("law", int64(set.Judgement))
	}
	p.number("seats", int64(set.Seats))
	p.raw("options", set.Options)
	if set.Box != "" {
		p.text("box", set.Box)
	}
	p.text("pace", set.Pace)
	if set.Pace == Own {
		p.number("bank", int64(set.Bank))
		p.number("step", int64(set.Gain))
	}
	if set.Night.minutes() > 0 {
		p.numbers("night", []int{set.Night.From, set.Night.To})
	}
	if len(set.Shifts) > 0 {
		p.numbers("shifts", set.Shifts)
	}
	p.text("undo", set.Undo)
	p.text("visible", set.Visible)
	p.flag("watchers", set.Watchers)
	p.flag("hints", set.Hints)
	p.flag("takeOver", set.TakeOver)
	p.text("standIn", set.StandIn)
	if set.Side > 0 {
		p.number("side", int64(set.Side))
	}
	if set.Following != (Hash{}) {
		p.hex("following", set.Following[:])
	}
	if set.Rated {
		p.flag("rated", true)
	}
	p.close()
	return p
}

// MarshalJSON writes the settings in their one form.
func (set *Settings) MarshalJSON() ([]byte, error) { return set.Append(nil), nil }

// settings reads settings in their one form.
func (e *eye) settings() *Settings {
	set := &Settings{}
	e.skip("{")
	e.name("game")
	set.Game = e.text()
	e.name("version")
	set.Version = int(e.number(1, 1<<20))
	if set.Judgement = 1; e.has("law") {
		set.Judgement = int(e.number(2, 1<<20))
	}
	e.name("seats")
	set.Seats = int(e.number(1, game.MaxSeats))
	e.name("options")
	set.Options = e.object(longestOptions)
	if e.has("box") {
		var hash Hash
		e.hex(hash[:])
		set.Box = hash.String()
	}
	e.name("pace")
	if set.Pace = e.text(); set.Pace == Own {
		e.name("bank")
		set.Bank = Time(e.number(0, int64(latest)))
		e.name("step")
		set.Gain = Time(e.number(0, int64(latest)))
	}
	if e.has("night") {
		if night := e.numbers(2, 0, dayMinutes-1); len(night) == 2 {
			set.Night = Night{night[0], night[1]}
		} else {
			e.bad = true
		}
	}
	if e.has("shifts") {
		set.Shifts = e.numbers(1+2*mostShifts, -furthestShift, int64(latest/minute))
	}
	e.name("undo")
	set.Undo = e.text()
	e.name("visible")
	set.Visible = e.text()
	e.name("watchers")
	set.Watchers = e.flag()
	e.name("hints")
	set.Hints = e.flag()
	e.name("takeOver")
	set.TakeOver = e.flag()
	e.name("standIn")
	set.StandIn = e.text()
	if e.has("side") {
		set.Side = int(e.number(1, game.MaxSeats))
	}
	if e.has("following") {
		if e.hex(set.Following[:]); set.Following == (Hash{}) {
			e.bad = true
		}
	}
	if e.has("rated") {
		set.Rated = e.flag()
	}
	e.skip("}")
	return set
}

// tidy brings options into their one written form: names sorted, nothing that is
// null. It gives the box apart.
func tidy(options json.RawMessage) (rest, box json.RawMessage, err error) {
	if err := game.ReadOptions(options).Fault(); err != nil {
		return nil, nil, err
	}
	fields := map[string]json.RawMessage{}
	if len(options) > 0 {
		if err := json.Unmarshal(options, &fields); err != nil {
			return nil, nil, game.Blame("json.object", nil)
		}
	}
	p := pen{'{'}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if strings.ContainsFunc(name, func(r rune) bool { return r > 127 || !plain(byte(unicode.ToLower(r))) }) {
			return nil, nil, game.Blame("json.unknown", game.Args{"field": name})
		}
		var value bytes.Buffer
		if err := json.Compact(&value, fields[name]); err != nil {
			return nil, nil, game.Blame("json.object", nil)
		}
		switch {
		case value.String() == "null":
		case name == "box":
			box = value.Bytes()
		default:
			p.raw(name, value.Bytes())
		}
	}
	p.close()
	if len(p) > longestOptions {
		return nil, nil, game.Blame("table.options", game.Args{"bytes": len(p), "most": longestOptions})
	}
	return json.RawMessage(p), box, nil
}
