package server

import (
	"encoding/json"
	"time"

	"copse/bot"
	"copse/game"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// gamesReply is what can be played.
type gamesReply struct {
	Games   []gameInfo `json:"games"`
	Paces   []paceInfo `json:"paces"`
	Own     paceLimits `json:"own" about:"Within which limits a table may have a pace of its own."`
	Phrases []string   `json:"phrases" about:"What can be said in any language."`
	Chat    string     `json:"chat" about:"What may be said at tables here: everything, set phrases alone, or nothing."`
	Version string     `json:"version" about:"The version of this server."`
}

// gameInfo is a game.
type gameInfo struct {
	Name    string          `json:"name"`
	Seats   []int           `json:"seats" about:"How many may play."`
	Options []game.Option   `json:"options"`
	Version int             `json:"version" about:"The version of its rules."`
	Parts   []string        `json:"parts" about:"The parts of a score."`
	Levels  []bot.LevelInfo `json:"levels" about:"The levels of bots, the weakest first."`
	Bots    []string        `json:"bots" about:"All bots by name."`
}

// paceInfo is how much time there is, in milliseconds.
type paceInfo struct {
	Name  string `json:"name"`
	Bank  int64  `json:"bank" about:"At the beginning."`
	Step  int64  `json:"step" about:"For every turn."`
	Most  int64  `json:"most" about:"What the bank never grows beyond."`
	Night bool   `json:"night" about:"No clock runs at night."`

	Back     int64 `json:"back" about:"What is in the bank after a turn in which it ran out."`
	Patience int64 `json:"patience" about:"How long who is away is asked like the others when the game is to go back."`
}

// paceLimits are within which limits the pace `own` may be, in milliseconds; both are
// whole seconds. Where bank and step together are less than `near`, who is out of
// reach for some minutes is played for; where they are `rest` or more, no clock
// runs at night.
type paceLimits struct {
	LeastBank int64 `json:"leastBank"`
	MostBank  int64 `json:"mostBank"`
	MostGain  int64 `json:"mostStep"`
	Near      int64 `json:"near"`
	Rest      int64 `json:"rest"`
}

func (c *call) games(none) (gamesReply, error) {
	reply := gamesReply{Games: []gameInfo{}, Paces: []paceInfo{}, Phrases: table.Sayings(), Chat: c.Chat, Version: c.Version}
	reply.Own = paceLimits{
		LeastBank: table.LeastBank.Milliseconds(), MostBank: table.MostBank.Milliseconds(), MostGain: table.MostGain.Milliseconds(),
		Near: table.NearBelow.Milliseconds(), Rest: table.RestFrom.Milliseconds(),
	}
	for _, g := range c.Hall.Games() {
		a := g.About()
		info := gameInfo{Name: a.Name, Seats: []int{}, Options: a.Options, Version: a.Version, Parts: a.Parts, Levels: bot.LevelsOf(a), Bots: []string{}}
		if _, ok := g.(bot.Thinker); ok {
			info.Bots = bot.Players()
		}
		if info.Options == nil {
			info.Options = []game.Option{}
		}
		for n := a.MinSeats; n <= a.MaxSeats; n++ {
			info.Seats = append(info.Seats, n)
		}
		reply.Games = append(reply.Games, info)
	}
	for _, p := range table.Paces() {
		reply.Paces = append(reply.Paces, paceInfo{p.Name, p.Bank.Milliseconds(), p.Gain.Milliseconds(), p.Most.Milliseconds(), p.Rest, p.Back.Milliseconds(), p.Patience.Milliseconds()})
	}
	return reply, nil
}

// tablesReply is a list of tables.
type tablesReply struct {
	Tables []hall.Summary `json:"tables"`
}

// page is how many tables a list is asked for, and from where on.
func (c *call) page() (before, most int, err error) {
	if before, err = c.number("before", 0); err != nil {
		return 0, 0, err
	}
	most, err = c.number("most", mostListed)
	return before, min(max(most, 1), mostListed), err
}

func (c *call) openTables(none) (tablesReply, error) {
	before, most, err := c.page()
	if err != nil {
		return tablesReply{}, err
	}
	list, err := c.Hall.Open(c.r.Context(), c.by, c.r.URL.Query().Get("game"), int64(before), most)
	return tablesReply{list}, err
}

func (c *call) myTables(none) (tablesReply, error) {
	list, err := c.Hall.Sitting(c.r.Context(), c.by, store.MostListed)
	return tablesReply{list}, err
}

func (c *call) playedTables(none) (tablesReply, error) {
	before, most, err := c.page()
	if err != nil {
		return tablesReply{}, err
	}
	list, err := c.Hall.Played(c.r.Context(), c.by, int64(before), most)
	return tablesReply{list}, err
}

// tableBody is what a table is to be like. table.ReadSettings reads it; a test
// holds the two together.
type tableBody struct {
	Game     string           `json:"game"`
	Seats    int              `json:"seats"`
	Options  *json.RawMessage `json:"options,omitempty" about:"Options of the game, by name, as far as they are not the usual ones."`
	Version  *int             `json:"version,omitempty" about:"The version of its rules; usually the newest."`
	Pace     *string          `json:"pace,omitempty" about:"Usually live."`
	Bank     *int             `json:"bank,omitempty" about:"What a seat begins with, in milliseconds; where the pace is own, and only there."`
	Step     *int             `json:"step,omitempty" about:"What each turn adds to it, in milliseconds; likewise."`
	Night    *[]int           `json:"night,omitempty" about:"Two minutes of the day between which no clock runs; only where the pace is days, or own and as slow."`
	Zone     *string          `json:"zone,omitempty" about:"The place whose night it is, such as Europe/Zurich; usually UTC."`
	Undo     *string          `json:"undo,omitempty" about:"Usually consent."`
	Visible  *string          `json:"visible,omitempty" about:"Usually link."`
	Watchers *bool            `json:"watchers,omitempty" about:"Others may look on; usually so, unless private."`
	Hints    *bool            `json:"hints,omitempty" about:"Everyone may ask a bot for advice."`
	TakeOver *bool            `json:"takeOver,omitempty" about:"People may take the seats of bots during the game; usually so where the game keeps no secrets."`
	StandIn  *string          `json:"standIn,omitempty" about:"The bot that plays for people who are away."`
	Sides    *bool            `json:"sides,omitempty" about:"Both sides: as many games as seats, one after the other, everyone one seat further on each time, and one result."`
}

// tableReply names a table.
type tableReply struct {
	Table string `json:"table"`
}

func (c *call) create(tableBody) (tableReply, error) {
	set, err := table.ReadSettings(c.body)
	if err != nil {
		return tableReply{}, err
	}
	if err := c.ownBox(set.Options); err != nil {
		return tableReply{}, err
	}
	if err := c.moreTables(set.Games()); err != nil {
		return tableReply{}, err
	}
	if err := c.oneMoreSeat(); err != nil {
		return tableReply{}, err
	}
	id, err := c.Hall.Create(c.r.Context(), set)
	return tableReply{id}, err
}

// moreTables is nil where somebody may set so many tables: those of games that follow
// count when the first is set. Where nobody may ever set so many at once, they count
// as many as somebody may.
func (c *call) moreTables(games int) error {
	q := quota{c.limits.Creates, time.Hour, max(c.limits.Creates/2, 1)}
	for n := range min(games, q.burst) {
		err := c.often("creates", c.by.ID, q)
		if err == nil {
			continue
		}
		for range n { // nothing is set
			c.giveBack(c.r, "creates", c.by.ID, q)
		}
		return err
	}
	return nil
}

// oneMoreSeat is nil where somebody may sit at one more table.
func (c *call) oneMoreSeat() error {
	if c.limits.Tables < 0 {
		return nil
	}
	sits, err := c.Hall.SitsAt(c.r.Context(), c.by, c.limits.Tables)
	if err == nil && sits >= c.limits.Tables {
		err = game.Refuse("", "server.tables", game.Args{"most": c.limits.Tables})
	}
	return err
}

func (c *call) look(none) (*hall.Sight, error) { return c.Hall.Look(c.r.Context(), c.table(), c.by) }

func (c *call) record(none) (*table.Record, error) {
	return c.Hall.Record(c.r.Context(), c.table(), c.by)
}

// movesReply is what may be done.
type movesReply struct {
	After int               `json:"after" about:"The last entry that changed the game: what a draft must have seen."`
	ToAct []game.Seat       `json:"toAct"`
	Moves []json.RawMessage `json:"moves"`
	Facts []game.Args       `json:"facts,omitempty" about:"What a screen shows of each move, in the order of the moves; where it was asked for."`
}

func (c *call) moves(none) (movesReply, error) {
	facts, err := c.flag("facts")
	if err != nil {
		return movesReply{}, err
	}
	p, last, err := c.Hall.Position(c.r.Context(), c.table(), c.by)
	if err != nil {
		return movesReply{}, err
	}
	reply := movesReply{After: last, ToAct: []game.Seat{}, Moves: p.Moves()}
	if seat := p.ToAct(); seat != game.None {
		reply.ToAct = append(reply.ToAct, seat)
	}
	if facts {
		reply.Facts = p.Facts()
	}
	return reply, nil
}

// sheetReply is the score, explained.
type sheetReply struct {
	Lines    []game.SheetLine   `json:"lines"`
	Standing *game.StandingJSON `json:"standing"`
}

func (c *call) sheet(none) (sheetReply, error) {
	lines, standing, err := c.Hall.Score(c.r.Context(), c.table(), c.by)
	return sheetReply{lines, standing}, err
}

// entriesReply is what happened.
type entriesReply struct {
	Entries []hall.HeardEntry `json:"entries"`
}

// entriesRaw is the same as it is sent.
type entriesRaw struct {
	Entries []json.RawMessage `json:"entries"`
}

func (c *call) entries(none) (entriesReply, error) {
	from, err := c.number("from", 0)
	if err != nil {
		return entriesReply{}, err
	}
	most, err := c.number("most", mostListed)
	if err != nil {
		return entriesReply{}, err
	}
	list, err := c.Hall.Since(c.r.Context(), c.table(), c.by, from, most)
	if err != nil {
		return entriesReply{}, err
	}
	return entriesReply{}, c.reply(c.end.status, entriesRaw{list})
}

func (c *call) replay(none) (*table.Look, error) {
	number, err := pathNumber(c, "number")
	if err != nil {
		return nil, err
	}
	return c.Hall.At(c.r.Context(), c.table(), c.by, number)
}

func (c *call) export(none) (string, error) {
	raw, err := c.Hall.Export(c.r.Context(), c.table(), c.by)
	if err != nil {
		return "", err
	}
	c.w.Header().Set("Content-Disposition", `attachment; filename="`+c.table()+`.copse.jsonl"`)
	c.send(c.end.status, c.end.mime, raw)
	return "", nil
}

// linesReply is what was said.
type linesReply struct {
	Lines []hall.ChatLine `json:"lines"`
}

func (c *call) lines(none) (linesReply, error) {
	from, err := c.number("from", 0)
	if err != nil {
		return linesReply{}, err
	}
	list, err := c.Hall.Lines(c.r.Context(), c.table(), c.by, from)
	return linesReply{list}, err
}
