package engine

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"copse/bot"
	"copse/game"
)

// Phrases are the keys that the engine itself says, with their arguments.
func Phrases() []game.Phrase {
	list := append(bot.Phrases(),
		game.Say("engine.too-long", "most"),
		game.Say("engine.do", "do", "known"),
		game.Say("engine.no-game"),
		game.Say("engine.game", "game", "known"),
		game.Say("engine.seat"),
		game.Say("engine.not-yours", "seat"),
		game.Say("engine.chance", "chance"),
		game.Say("engine.no-draw"),
		game.Say("engine.no-seed"),
		game.Say("engine.undo"),
		game.Say("engine.no-bots", "game"),
		game.Say("engine.no-cards", "game"),
	)
	return append(list, game.Needed(game.WhenNamed, game.Say("engine.broken"))...) // whatever else could not be loaded
}

// reply is the answer to a request: ok and what was asked for, or why not.
type reply struct {
	OK bool `json:"ok"`

	Error   *game.Fault   `json:"error,omitempty"`   // the request could not be read or carried out
	Refusal *game.Refusal `json:"refusal,omitempty"` // the rules do not allow the move
	Entry   *int          `json:"entry,omitempty"`   // the entry of "then" that was not taken, from 0

	Games   []gameInfo        `json:"games,omitempty"`
	ToAct   []game.Seat       `json:"toAct,omitzero"`
	Turn    *int              `json:"turn,omitempty"`
	Events  []game.Event      `json:"events,omitzero"`
	Net     string            `json:"net,omitempty"`
	Move    game.RawMessage   `json:"move,omitempty"`
	Moves   []game.RawMessage `json:"moves,omitzero"`
	Facts   []game.Args       `json:"facts,omitzero"`
	Line    []game.RawMessage `json:"line,omitzero"`
	Now     *float64          `json:"now,omitempty"`
	Options []bot.Option      `json:"options,omitzero"`
	Cut     bool              `json:"cut,omitempty"`
	Played  int               `json:"played,omitempty"`
	Errands []game.RawMessage `json:"errands,omitempty"`
	Report  game.RawMessage   `json:"report,omitempty"`
	View    game.RawMessage   `json:"view,omitempty"`
	Then    []game.HeardMove  `json:"then,omitzero"`
	Over    *bool             `json:"over,omitempty"`
	Seats   []game.ScoreJSON  `json:"seats,omitempty"`
	Ties    []game.Tie        `json:"ties,omitempty"`
	Lines   []game.SheetLine  `json:"lines,omitzero"`
	Printed game.RawMessage   `json:"printed,omitempty"`
	Version int               `json:"version,omitempty"` // of the rules of a new game
	Box     string            `json:"box,omitempty"`     // the hash of its box
}

type gameInfo struct {
	Name    string          `json:"name"`
	Seats   []int           `json:"seats"`
	Options []game.Option   `json:"options"`
	Version int             `json:"version"`
	Parts   []string        `json:"parts"`
	Secrets bool            `json:"secrets"` // a seat may know what others may not
	Levels  []bot.LevelInfo `json:"levels"`  // whom one can play against, the weakest first
}

// request is a kind of request: how it is answered, and whether a game must be in
// play.
type request struct {
	do     string
	inGame bool
	answer func(*Engine, *game.Object) (reply, error)
}

func requests() []request {
	return []request{
		{"games", false, (*Engine).answerGames},
		{"cards", false, (*Engine).answerCards},
		{"new", false, (*Engine).answerNew},
		{"open", false, (*Engine).answerOpen},
		{"moves", true, (*Engine).answerMoves},
		{"play", true, (*Engine).answerPlay},
		{"draw", true, (*Engine).answerDraw},
		{"undo", true, (*Engine).answerUndo},
		{"view", true, (*Engine).answerView},
		{"record", true, (*Engine).answerRecord},
		{"standing", true, (*Engine).answerStanding},
		{"sheet", true, (*Engine).answerSheet},
		{"wants", true, (*Engine).answerWants},
		{"think", true, (*Engine).answerThink},
		{"think-on", true, (*Engine).answerThinkOn},
		{"errand", true, (*Engine).answerErrand},
	}
}

// Answer answers one request. Whatever it is given, the answer is one JSON
// object without a line break, and a request that fails changes nothing.
func (e *Engine) Answer(line []byte) []byte {
	raw, err := game.Marshal(e.answer(line))
	if err != nil {
		raw, _ = game.Marshal(errorReply(game.Blame("engine.broken", nil)))
	}
	return raw
}

func (e *Engine) answer(line []byte) (r reply) {
	before := *e
	defer func() {
		if recover() != nil { // a bug of ours: say so, and go on as if nothing had been asked
			*e = before
			r = errorReply(game.Blame("engine.broken", nil))
		}
	}()
	o := game.ReadObject(line)
	do := o.Text("do")
	if err := o.Fault(); err != nil {
		return errorReply(err)
	}
	known := []string{}
	for _, req := range requests() {
		known = append(known, req.do)
		if req.do != do {
			continue
		}
		if req.inGame && e.now() == nil {
			return errorReply(game.Blame("engine.no-game", nil))
		}
		r, err := req.answer(e, o)
		if err != nil {
			*e = before
			return errorReply(err)
		}
		r.OK = true
		return r
	}
	return errorReply(game.Blame("engine.do", game.Args{"do": do, "known": known}))
}

// errorReply is the answer to a request that was not carried out, and says why.
func errorReply(err error) reply {
	var r reply
	var entry *entryError
	if errors.As(err, &entry) {
		r.Entry = &entry.number
	}
	if !errors.As(err, &r.Refusal) && !errors.As(err, &r.Error) {
		r.Error = game.Blame("engine.broken", nil)
	}
	if r.Refusal != nil {
		r.Refusal = &game.Refusal{Key: r.Refusal.Key, Args: brief(r.Refusal.Args), Rule: r.Refusal.Rule}
	} else {
		r.Error = &game.Fault{Key: r.Error.Key, Args: brief(r.Error.Args)}
	}
	return r
}

// longestEcho is how many bytes of a text from outside are said back.
const longestEcho = 100

// brief shortens arguments that are too long to be said back.
func brief(args game.Args) game.Args {
	short := game.Args{}
	for name, value := range args {
		if text, ok := value.(string); ok && len(text) > longestEcho {
			value = strings.ToValidUTF8(text[:longestEcho], "") + "…"
		}
		short[name] = value
	}
	return short
}

// entryError says which entry of a record was not taken.
type entryError struct {
	number int
	err    error
}

func (e *entryError) Error() string { return "entry " + strconv.Itoa(e.number) + ": " + e.err.Error() }
func (e *entryError) Unwrap() error { return e.err }

// object reads a field that must be an object.
func object(o *game.Object, field string) (game.RawMessage, error) {
	raw := o.Raw(field)
	if err := o.Fault(); err != nil {
		return nil, err
	}
	if raw[0] != '{' {
		return nil, game.Blame("json.an-object", game.Args{"field": field})
	}
	return raw, nil
}

func (e *Engine) answerGames(*game.Object) (reply, error) {
	r := reply{Games: []gameInfo{}}
	for _, g := range e.games {
		about := g.About()
		info := gameInfo{Name: about.Name, Options: about.Options, Version: about.Version, Parts: about.Parts, Levels: []bot.LevelInfo{}}
		if _, ok := g.(bot.Thinker); ok {
			info.Levels = bot.LevelsOf(about)
		}
		if info.Options == nil {
			info.Options = []game.Option{}
		}
		for n := about.MinSeats; n <= about.MaxSeats; n++ {
			info.Seats = append(info.Seats, n)
		}
		first, err := g.Start(game.Settings{Seats: about.MinSeats})
		if err != nil {
			return reply{}, err
		}
		info.Secrets = first.Secrets()
		r.Games = append(r.Games, info)
	}
	return r, nil
}

// answerCards says what stands on the cards of the box of the game in play or,
// where a game is named, of the box that comes with that game.
func (e *Engine) answerCards(o *game.Object) (reply, error) {
	name, at := e.about.Name, e.now()
	if o.Has("game") {
		name, at = o.Text("game"), nil
		if err := o.Fault(); err != nil {
			return reply{}, err
		}
		known := []string{}
		for _, g := range e.games {
			about := g.About()
			known = append(known, about.Name)
			if about.Name != name {
				continue
			}
			first, err := g.Start(game.Settings{Seats: about.MinSeats})
			if err != nil {
				return reply{}, err
			}
			at = first
		}
		if at == nil {
			return reply{}, game.Blame("engine.game", game.Args{"game": name, "known": known})
		}
	}
	if at == nil {
		return reply{}, game.Blame("engine.no-game", nil)
	}
	printed := at.Printed()
	if printed == nil {
		return reply{}, game.Blame("engine.no-cards", game.Args{"game": name})
	}
	return reply{Printed: printed}, nil
}

// settings reads the fields that new and open have in common.
func (e *Engine) settings(o *game.Object) (game.Game, game.Settings, error) {
	var set game.Settings
	name := o.Text("game")
	set.Seats = o.Number("seats")
	if o.Has("options") {
		options, err := object(o, "options")
		if err != nil {
			return nil, set, err
		}
		set.Options = options
	}
	if o.Has("version") {
		set.Version = o.Number("version")
	}
	if err := o.Fault(); err != nil {
		return nil, set, err
	}
	known := []string{}
	for _, g := range e.games {
		about := g.About()
		if about.Name == name {
			if o.Has("version") && set.Version == 0 { // only a missing version means the newest
				return nil, set, game.Blame("game.version", game.Args{"version": 0, "newest": about.Version})
			}
			_, err := about.Settle(set.Seats, set.Version)
			return g, set, err
		}
		known = append(known, about.Name)
	}
	return nil, set, game.Blame("engine.game", game.Args{"game": name, "known": known})
}

func (e *Engine) answerNew(o *game.Object) (reply, error) {
	g, set, err := e.settings(o)
	if err != nil {
		return reply{}, err
	}
	auto, seed := true, game.Seed{Secret: randomSecret()}
	if o.Has("chance") {
		switch chance := o.Text("chance"); {
		case o.Fault() != nil:
		case chance == "manual":
			auto = false
		case chance != "auto":
			return reply{}, game.Blame("engine.chance", game.Args{"chance": chance})
		}
	}
	if o.Has("seed") {
		seed.Secret = []byte(o.Text("seed"))
	}
	if err := o.Fault(); err != nil {
		return reply{}, err
	}
	first, err := g.Start(set)
	if err != nil {
		return reply{}, game.Inside("options", err)
	}
	about := g.About()
	e.begin(about, first)
	e.auto, e.seed = auto, seed
	events, err := e.leaveToChance()
	if err != nil {
		return reply{}, err
	}
	news := e.news(events)
	if news.Version, err = about.Settle(set.Seats, set.Version); err != nil {
		return reply{}, err
	}
	news.Box, _, err = about.BoxOf(set.Options, news.Version)
	return news, err
}

// answerOpen goes on from a Record: the first view, and every move since as its
// seat heard it. Nothing of it is trusted.
func (e *Engine) answerOpen(o *game.Object) (reply, error) {
	g, set, err := e.settings(o)
	if err != nil {
		return reply{}, err
	}
	seat, err := readSeat(o, set.Seats)
	if err != nil {
		return reply{}, err
	}
	view, err := object(o, "view")
	if err != nil {
		return reply{}, err
	}
	then := []game.RawMessage{}
	if o.Has("then") {
		if game.Unmarshal(o.Raw("then"), &then) != nil {
			return reply{}, game.Blame("json.list", game.Args{"field": "then"})
		}
	}
	if err := o.Fault(); err != nil {
		return reply{}, err
	}
	first, err := g.Open(set, seat, view)
	if err != nil {
		return reply{}, err
	}
	e.begin(g.About(), first)
	e.auto, e.seed = false, game.Seed{}
	events := []game.Event{}
	for i, raw := range then {
		entry := game.ReadObject(raw)
		by, err := readSeat(entry, set.Seats)
		if err != nil {
			return reply{}, &entryError{i, err}
		}
		move, err := object(entry, "move")
		if entry.Has("number") { // records of a server's log have it
			entry.Number("number")
		}
		if err := cmp.Or(err, entry.Done()); err != nil {
			return reply{}, &entryError{i, err}
		}
		told, err := e.play(by, move)
		if err != nil {
			return reply{}, &entryError{i, game.Inside("move", err)}
		}
		events = append(events, told...)
	}
	return e.news(events), nil
}

func (e *Engine) answerMoves(o *game.Object) (reply, error) {
	r := reply{ToAct: toAct(e.now()), Moves: e.now().Moves()}
	if o.Has("facts") && o.Flag("facts") {
		r.Facts = e.now().Facts()
	}
	return r, o.Fault()
}

func (e *Engine) answerPlay(o *game.Object) (reply, error) {
	seat, err := readSeat(o, e.now().Seats())
	if err != nil {
		return reply{}, err
	}
	move, err := object(o, "move")
	if err != nil {
		return reply{}, err
	}
	events, err := e.play(seat, move)
	if err != nil {
		return reply{}, game.Inside("move", err)
	}
	return e.news(events), nil
}

func (e *Engine) answerUndo(*game.Object) (reply, error) {
	if !e.undo() {
		return reply{}, game.Blame("engine.undo", nil)
	}
	return reply{ToAct: toAct(e.now())}, nil
}

func (e *Engine) answerView(o *game.Object) (reply, error) {
	if !o.Has("seat") {
		return reply{}, game.Blame("json.missing", game.Args{"field": "seat"})
	}
	if string(o.Raw("seat")) == `"all"` { // what every seat knows, taken together
		return reply{View: e.now().View()}, o.Fault()
	}
	seen, err := e.seenBy(o)
	if err != nil {
		return reply{}, err
	}
	return reply{View: seen.View()}, nil
}

// answerRecord gives what open takes: a seat's way from its first view to here.
func (e *Engine) answerRecord(o *game.Object) (reply, error) {
	if !o.Has("seat") {
		return reply{}, game.Blame("json.missing", game.Args{"field": "seat"})
	}
	seat, err := e.viewer(o)
	if err != nil {
		return reply{}, err
	}
	first, then := e.now().Record(seat)
	return reply{View: first.View(), Then: then}, nil
}

func (e *Engine) answerStanding(o *game.Object) (reply, error) {
	seen, err := e.seenBy(o)
	if err != nil {
		return reply{}, err
	}
	st := seen.Standing()
	wire := st.Wire(seen.Seats(), e.about.Parts)
	return reply{Over: &wire.Over, Seats: wire.Seats, Ties: seen.Ties()}, nil
}

func (e *Engine) answerSheet(o *game.Object) (reply, error) {
	seen, err := e.seenBy(o)
	if err != nil {
		return reply{}, err
	}
	return reply{Lines: seen.Sheet()}, nil
}

// seenBy is the present position as the seat of the request knows it, or all that
// is known where the request names none.
func (e *Engine) seenBy(o *game.Object) (game.Position, error) {
	if !o.Has("seat") {
		return e.now(), o.Fault()
	}
	seat, err := e.viewer(o)
	if err != nil {
		return nil, err
	}
	return e.now().See(seat), nil
}

// viewer is the seat of the request, or a watcher. An engine that opened the record
// of one seat cannot show another's view.
func (e *Engine) viewer(o *game.Object) (game.Seat, error) {
	seat, err := readSeat(o, e.now().Seats())
	if err != nil {
		return game.None, err
	}
	if seat == game.Chance {
		return game.None, game.Blame("engine.seat", nil)
	}
	if viewer := e.now().Viewer(); viewer != game.None && seat != viewer && seat != game.Watcher {
		return game.None, game.Blame("engine.not-yours", game.Args{"seat": seat})
	}
	return seat, nil
}

// readSeat reads the field "seat": a seat of the table, "chance" or "watcher".
func readSeat(o *game.Object, seats int) (game.Seat, error) {
	raw := o.Raw("seat")
	if err := o.Fault(); err != nil {
		return game.None, err
	}
	seat, ok := game.ParseSeat(raw)
	if !ok || int(seat) >= seats {
		return game.None, game.Blame("engine.seat", nil)
	}
	return seat, nil
}

// news is the answer to every change of position.
func (e *Engine) news(events []game.Event) reply {
	turn := e.now().Turn()
	return reply{ToAct: toAct(e.now()), Turn: &turn, Events: events}
}

// toAct is the seat to act, as a list of at most one: empty when the game is over.
func toAct(p game.Position) []game.Seat {
	if seat := p.ToAct(); seat != game.None {
		return []game.Seat{seat}
	}
	return []game.Seat{}
}
