package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"copse/game"
	"copse/store"
	"copse/table"
)

// A career is what the finished games of somebody came to: counted by game, seats and
// pace, and listed one by one. It is papers of theirs, so that nobody who looks at it
// reads thousands of logs, and it goes with them.
//
// The append that ends a game writes it. So a game counts once, however often the end
// is sent, and of two games of one person that end at the same moment, at any nodes,
// one is counted after the other.
//
// Who has played before there were careers has none. The end of their next game only
// writes down that there is something to count; whoever first asks for the career has
// all of it counted, from what the index and the last entries of the logs say. Every
// end of a game meanwhile makes that a new version, so that nothing is passed over.
//
// Games at open tables and games at closed ones are listed apart: to others the second
// list does not exist.

// The kinds of these papers. They are for ever.
const (
	careerPaper = "career" // key: the account
	playedPaper = "played" // key: the account, which list, and the number of the paper
)

// Limits of a career.
const (
	playedAPaper = 64   // games that one paper lists
	mostOld      = 5000 // games from before there were careers that are counted: the newest
	mostRows     = 150  // rows for games at open tables, and as many for others; what would be one more is counted with the rest of its game
)

// Career is what somebody's games came to.
type Career struct {
	Whole  bool        `json:"whole"` // else it is still to be counted
	Open   int         `json:"open"`  // how many games are listed, of those at open tables…
	Closed int         `json:"closed"`
	Rows   []CareerRow `json:"rows,omitempty"`

	paper store.Paper
}

// CareerRow is what games of one kind came to.
type CareerRow struct {
	Game   string `json:"game"`
	Seats  int    `json:"seats"` // 0 for the rest of a game
	Pace   string `json:"pace"`  // likewise empty
	Closed bool   `json:"closed,omitempty"`
	Alone  bool   `json:"alone,omitempty"` // with bots, and nobody else

	Played int   `json:"played"`
	Won    int   `json:"won"`    // nobody else had the first rank
	Shared int   `json:"shared"` // somebody else had it too
	Gone   int   `json:"gone"`   // resigned, or played for at the end
	None   int   `json:"none"`   // ended without a winner
	Ranks  []int `json:"ranks"`  // how often each rank, the first one first; of games that have one, and were played to the end
}

// PlayedGame is a finished game of somebody.
type PlayedGame struct {
	Table  string     `json:"table"`
	At     table.Time `json:"at"` // when it ended
	Game   string     `json:"game"`
	Seats  int        `json:"seats"`
	Pace   string     `json:"pace"`
	Rank   int        `json:"rank,omitempty"` // 0 where there is none
	Shared bool       `json:"shared,omitempty"`
	Gone   bool       `json:"gone,omitempty"`
	Alone  bool       `json:"alone,omitempty"`
	Rated  bool       `json:"rated,omitempty"`
}

// gameTerms are those settings of a table by which its game is counted.
type gameTerms struct {
	Game     string `json:"game"`
	Seats    int    `json:"seats"`
	Pace     string `json:"pace"`
	Visible  string `json:"visible"`
	Watchers bool   `json:"watchers"`
	Rated    bool   `json:"rated"`
}

// closed tells that not everybody may find and see the table.
func (t *gameTerms) closed() bool { return t.Visible != table.ForAll || !t.Watchers }

// gameSeat is who sat at a seat of a finished game.
type gameSeat struct {
	Person *string `json:"person"` // nil for a bot
	Held   string  `json:"held"`
}

// playedGame is a finished game as the person at a seat has played it.
func playedGame(id string, at table.Time, terms *gameTerms, seats []gameSeat, ranks []int, seat int) PlayedGame {
	g := PlayedGame{Table: id, At: at, Game: terms.Game, Seats: terms.Seats, Pace: terms.Pace, Rated: terms.Rated, Alone: true}
	held := seats[seat].Held
	g.Gone = held == table.Replaced.String() || held == table.Away.String()
	for i := range seats {
		g.Alone = g.Alone && (i == seat || seats[i].Person == nil)
	}
	if seat < len(ranks) {
		g.Rank = ranks[seat]
		for i, rank := range ranks {
			g.Shared = g.Shared || i != seat && rank == g.Rank
		}
	}
	return g
}

// add counts a game.
func (c *Career) add(g *PlayedGame, closed bool) {
	row := c.row(CareerRow{Game: g.Game, Seats: g.Seats, Pace: g.Pace, Closed: closed, Alone: g.Alone})
	row.Played++
	switch {
	case g.Gone:
		row.Gone++
	case g.Rank == 0:
		row.None++
	default:
		for len(row.Ranks) < g.Rank {
			row.Ranks = append(row.Ranks, 0)
		}
		row.Ranks[g.Rank-1]++
		if g.Rank == 1 && g.Shared {
			row.Shared++
		} else if g.Rank == 1 {
			row.Won++
		}
	}
}

// row is the row for games of a kind. Where there are too many, a game has one more
// that takes the rest.
func (c *Career) row(of CareerRow) *CareerRow {
	for {
		alike := 0 // those that nobody sees say nothing of the others
		for i := range c.Rows {
			r := &c.Rows[i]
			if r.Closed == of.Closed {
				alike++
			}
			if r.Game == of.Game && r.Seats == of.Seats && r.Pace == of.Pace && r.Closed == of.Closed && r.Alone == of.Alone {
				return r
			}
		}
		if alike < mostRows || of.Seats == 0 {
			of.Ranks = []int{}
			c.Rows = append(c.Rows, of)
			continue
		}
		of.Seats, of.Pace = 0, ""
	}
}

func (c *Career) count(closed bool) *int {
	if closed {
		return &c.Closed
	}
	return &c.Open
}

func (c *Career) write() (store.Paper, error) {
	raw, err := json.Marshal(c)
	c.paper.Body = raw
	return c.paper, err
}

func playedKey(account string, closed bool, number int) string {
	list := "open"
	if closed {
		list = "closed"
	}
	return account + " " + list + " " + fmt.Sprintf("%06d", number)
}

// career is what is kept of somebody's career; one that is not whole where there is
// none.
func (h *Hall) career(ctx context.Context, account string) (*Career, error) {
	c := &Career{paper: store.Paper{Kind: careerPaper, Key: account, Owner: account}}
	p, err := h.store.Paper(ctx, careerPaper, account)
	if errors.Is(err, store.ErrNone) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	c.paper = p
	if err := json.Unmarshal(p.Body, c); err != nil {
		return nil, fmt.Errorf("career %s: %w", p.Name(), err)
	}
	return c, nil
}

// playedList is a paper that lists games.
func (h *Hall) playedList(ctx context.Context, account string, closed bool, number int) ([]PlayedGame, store.Paper, error) {
	key := playedKey(account, closed, number)
	p, err := h.store.Paper(ctx, playedPaper, key)
	if errors.Is(err, store.ErrNone) {
		return nil, store.Paper{Kind: playedPaper, Key: key, Owner: account}, nil
	}
	if err != nil {
		return nil, p, err
	}
	var list []PlayedGame
	if err := json.Unmarshal(p.Body, &list); err != nil {
		return nil, p, fmt.Errorf("games %s: %w", p.Name(), err)
	}
	return list, p, nil
}

// careers makes the papers that are written with the end of a game: the careers of
// everybody who sat there.
func (r *room) careers(ctx context.Context) ([]store.Paper, error) {
	h, set := r.hall, r.t.Settings()
	end, over := r.t.Finish()
	if !over {
		return nil, nil
	}
	terms := gameTerms{set.Game, set.Seats, set.Pace, set.Visible, set.Watchers, set.Rated}
	ranks := make([]int, 0, len(end.Seats))
	for _, s := range end.Seats {
		if !end.Abandoned {
			ranks = append(ranks, s.Rank)
		}
	}
	seats := make([]gameSeat, set.Seats)
	for i, s := range r.t.People().Seats {
		if seats[i].Held = s.Held.String(); s.Person != nil {
			seats[i].Person = new(string)
		}
	}
	var papers []store.Paper
	for seat, account := range r.accounts[:set.Seats] {
		if account == "" {
			continue
		}
		a, err := h.readAccount(ctx, account)
		if errors.Is(err, store.ErrNone) || err == nil && a.Program { // deleted meanwhile, or nobody who has a page
			continue
		}
		if err != nil {
			return nil, err
		}
		g := playedGame(r.id, r.t.At(), &terms, seats, ranks, seat)
		own, err := h.counted(ctx, account, &g, terms.closed())
		if err != nil {
			return nil, err
		}
		papers = append(papers, own...)
	}
	return papers, nil
}

// counted are the papers of somebody's career with one game more.
func (h *Hall) counted(ctx context.Context, account string, g *PlayedGame, closed bool) ([]store.Paper, error) {
	c, err := h.career(ctx, account)
	if err != nil {
		return nil, h.unread(err, account)
	}
	if c.paper.Version == 0 { // their first game, or the first one since there are careers
		old, err := h.store.Played(ctx, account, 0, 1)
		if err != nil {
			return nil, err
		}
		c.Whole = len(old) == 0
	}
	if !c.Whole {
		p, err := c.write() // under another version: who counts just now begins again
		return []store.Paper{p}, err
	}
	n := c.count(closed)
	list, page, err := h.playedList(ctx, account, closed, *n/playedAPaper)
	if err != nil {
		return nil, h.unread(err, account)
	}
	c.add(g, closed)
	*n++
	if page.Body, err = json.Marshal(append(list, *g)); err != nil {
		return nil, err
	}
	p, err := c.write()
	return []store.Paper{p, page}, err
}

// unread is nil for a career that says nothing that can be read: a game ends all the
// same, and the operator is told.
func (h *Hall) unread(err error, account string) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &syntax) && !errors.As(err, &kind) {
		return err
	}
	h.trouble(h.life, "what somebody's games came to cannot be read, and no more is counted", err)
	return nil
}

// mostCounted is how often old games are counted anew since another has ended meanwhile:
// nothing is lost by it, whoever asks asks again.
const mostCounted = 50

// Career is what somebody's games came to, all of them.
func (h *Hall) Career(ctx context.Context, account string) (*Career, error) {
	for range mostCounted {
		c, err := h.career(ctx, account)
		if err != nil || c.Whole {
			return c, err
		}
		again, err := h.countOld(ctx, account, c)
		if err != nil {
			return nil, err
		}
		if !again {
			return c, nil
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
	return nil, game.Refuse("", "server.busy", nil)
}

// oldGame is a game that is counted later than it ended.
type oldGame struct {
	PlayedGame
	closed bool
}

// countOld counts all games of somebody, into a career that is whole after it. again
// tells that a game has ended meanwhile, or somebody else counts too.
func (h *Hall) countOld(ctx context.Context, account string, c *Career) (again bool, err error) {
	games, err := h.oldGames(ctx, account)
	if err != nil {
		return false, err
	}
	if len(games) == 0 && c.paper.Version == 0 { // nothing to keep: the end of their first game begins it
		c.Whole = true
		return false, nil
	}
	slices.Reverse(games)
	slices.SortStableFunc(games, func(a, b oldGame) int { return int(a.At - b.At) })
	c.Open, c.Closed, c.Rows = 0, 0, nil
	lists := [2][]PlayedGame{}
	for i := range games {
		g := &games[i]
		c.add(&g.PlayedGame, g.closed)
		which := 0
		if g.closed {
			which = 1
		}
		lists[which] = append(lists[which], g.PlayedGame)
		*c.count(g.closed)++
	}
	var pages []store.Paper
	for which, list := range lists {
		number := 0
		for some := range slices.Chunk(list, playedAPaper) {
			_, page, err := h.playedList(ctx, account, which == 1, number)
			if err != nil {
				return false, err
			}
			if page.Body, err = json.Marshal(some); err != nil {
				return false, err
			}
			pages = append(pages, page)
			number++
		}
	}
	// The lists go first, each time under the version of the career: nobody who was
	// slower writes on a list to which games are added already.
	for {
		some := pages[:min(len(pages), store.MostPapers-1)]
		pages = pages[len(some):]
		c.Whole = len(pages) == 0
		p, err := c.write()
		if err != nil {
			return false, err
		}
		err = h.store.Write(ctx, append(slices.Clone(some), p)...)
		if errors.Is(err, store.ErrChanged) {
			return true, nil
		}
		if err != nil || c.Whole {
			return false, err
		}
		c.paper.Version++
	}
}

// oldGames are the games of somebody by the index, the newest first.
func (h *Hall) oldGames(ctx context.Context, account string) (games []oldGame, err error) {
	before := int64(0)
	for len(games) < mostOld {
		list, err := h.store.Played(ctx, account, before, store.MostListed)
		if err != nil || len(list) == 0 {
			return games, err
		}
		for i := range list {
			before = list[i].Serial
			g, ok, err := h.oldGame(ctx, &list[i], account)
			if err != nil {
				return nil, err
			}
			if ok {
				games = append(games, g)
			}
		}
	}
	return games[:mostOld], nil
}

// oldGame is a game by what the index says of its table and by the last entry of its
// log. What is damaged counts for nothing.
func (h *Hall) oldGame(ctx context.Context, l *store.Listing, account string) (g oldGame, ok bool, err error) {
	var a about
	var terms gameTerms
	var seats []gameSeat
	seat := slices.Index(l.Sitting, account)
	if json.Unmarshal(l.About, &a) != nil || json.Unmarshal(a.Settings, &terms) != nil || json.Unmarshal(a.Seats, &seats) != nil || seat < 0 || seat >= len(seats) {
		return g, false, nil
	}
	from := l.Next - 1
	if a.Turn == 0 { // perhaps it never began: then it was no game
		from = 0
	}
	entries, err := h.store.Read(ctx, l.ID, from)
	var damage *store.Damage
	if errors.As(err, &damage) || errors.Is(err, store.ErrNone) {
		return g, false, nil
	}
	if err != nil || len(entries) == 0 {
		return g, false, err
	}
	begun := from > 0
	for i := 0; !begun && i < len(entries); i++ {
		e, err := table.ReadEntry(entries[i].Body)
		begun = err == nil && e.Do == table.Started
	}
	last, wrong := table.ReadEntry(entries[len(entries)-1].Body)
	if wrong != nil || last.Do != table.Ended || !begun {
		return g, false, nil
	}
	return oldGame{playedGame(l.ID, last.At, &terms, seats, last.Ranks, seat), terms.closed()}, true, nil
}

// CareerGames are finished games of somebody from one of the two lists, the newest
// first: those before a number, all where it is 0, at most so many. next is the number
// with which to go on; 0 where there are no more.
func (h *Hall) CareerGames(ctx context.Context, account string, c *Career, closed bool, before, most int) (list []PlayedGame, next int, err error) {
	at := *c.count(closed)
	if before > 0 {
		at = min(at, before)
	}
	list = []PlayedGame{}
	for at > 0 && len(list) < most {
		number := (at - 1) / playedAPaper
		some, _, err := h.playedList(ctx, account, closed, number)
		if err != nil {
			return nil, 0, err
		}
		for ; at > number*playedAPaper && len(list) < most; at-- {
			if i := at - 1 - number*playedAPaper; i < len(some) {
				list = append(list, some[i])
			}
		}
	}
	return list, at, nil
}

// Others are those at the other seats of finished tables, table by table and seat by
// seat; nobody where a table is gone.
func (h *Hall) Others(ctx context.Context, games []PlayedGame) ([][]*Who, error) {
	all := make([][]*Who, len(games))
	for i := range games {
		l, err := h.store.Table(ctx, games[i].Table)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if all[i], err = h.names(ctx, l.Sitting); err != nil {
			return nil, err
		}
	}
	return all, nil
}
