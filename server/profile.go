package server

import (
	"cmp"
	"slices"
	"time"

	"copse/game"
	"copse/rating"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

// profileReply is what a member's page tells. What the member does not show is not in
// it, and nothing in it depends on that: not what else is there, nor its order, nor
// how much there is.
type profileReply struct {
	Name  string `json:"name"`
	Since string `json:"since,omitempty" about:"The month since which the name is kept, as 2026-11. Not there where nothing else is shown."`
	You   bool   `json:"you,omitempty" about:"It is my own: all is there, whatever others see."`
	Games bool   `json:"games,omitempty" about:"Finished games at open tables can be asked for by profileGames."`
	Bond  string `json:"bond,omitempty" about:"What they are to me, who am a person and not they."`

	Results *[]profileResult `json:"results,omitempty" about:"What finished games came to, by game, seats and pace."`
	Ratings *[]profileRating `json:"ratings,omitempty"`
	Shown   *hall.Shown      `json:"shown,omitempty" about:"What others see; only I am told."`
}

// profileResult is what finished games of one kind came to.
type profileResult struct {
	Game   string `json:"game"`
	Seats  int    `json:"seats" about:"0 for all that have no row of their own."`
	Pace   string `json:"pace" about:"Likewise empty."`
	Alone  bool   `json:"alone,omitempty" about:"Bots sat at all other seats."`
	Closed bool   `json:"closed,omitempty" about:"At tables that were not open to everyone; only I am told apart."`
	Played int    `json:"played"`
	Won    int    `json:"won"`
	Shared int    `json:"shared" about:"The first place, with somebody else."`
	Gone   int    `json:"gone" about:"Resigned, or played for by a bot at the end."`
	None   int    `json:"none" about:"Ended without a winner."`
	Ranks  []int  `json:"ranks" about:"How often first, second and so on, of those that were played to their end."`
}

// profileRating is a rating, with how it went.
type profileRating struct {
	rating.Pool
	Mean   int `json:"mean" about:"Points."`
	Spread int `json:"spread" about:"How far off that may be, one standard deviation."`
	Least  int `json:"least" about:"The levels of bots between which they are, as far as is known, at a table of two."`
	Most   int `json:"most"`
	Games  int `json:"games"`

	Levels []int         `json:"levels" about:"How many points each level of bots has there, the weakest first."`
	Past   []profilePast `json:"past" about:"After each of the last games, the earliest first."`
}

// profilePast is what was known after a game.
type profilePast struct {
	Day    table.Time `json:"day" about:"When the day began on which the game ended, in UTC."`
	Mean   int        `json:"mean"`
	Spread int        `json:"spread"`
	Least  int        `json:"least"`
	Most   int        `json:"most"`
}

// shownBody is what others are to see of me. What is left out stays as it is.
type shownBody struct {
	Rating  *bool `json:"rating,omitempty" about:"My ratings, and how they went from day to day."`
	Results *bool `json:"results,omitempty" about:"How my games came out, counted."`
	Games   *bool `json:"games,omitempty" about:"My finished games at open tables, one by one."`
	Closed  *bool `json:"closed,omitempty" about:"Games at closed tables are counted among the results. They are never listed to others: those who sat there with me have not been asked."`
}

// called is the member whose page is asked for, and what the asker may see of them: all
// where it is the asker's own.
func (c *call) called() (a hall.Account, shown hall.Shown, you bool, err error) {
	ctx := c.r.Context()
	name, err := cleanName(c.r.PathValue("name"))
	if err != nil {
		return a, shown, false, store.ErrNone // nobody is called so
	}
	if a, err = c.Hall.MemberCalled(ctx, looks(name)); err != nil {
		return a, shown, false, err
	}
	if shown, err = c.Hall.Shown(ctx, a.ID); err != nil || a.ID == c.by.ID {
		return a, shown, a.ID == c.by.ID, err
	}
	apart, err := c.Hall.Apart(ctx, c.by, a)
	if apart { // neither sees more of the other than the name
		shown = hall.Shown{}
	}
	return a, shown, false, err
}

func (c *call) profile(none) (profileReply, error) {
	a, shown, you, err := c.called()
	if err != nil {
		return profileReply{}, err
	}
	ctx, reply := c.r.Context(), profileReply{Name: a.Name, You: you, Games: you || shown.Games}
	switch {
	case you:
		reply.Shown = &shown
	case c.by.ID != "" && !c.by.Program:
		if reply.Bond, err = c.Hall.BondWith(ctx, c.by, a); err != nil {
			return profileReply{}, err
		}
	}
	if you || shown.Anything() {
		reply.Since = store.Time(int64(a.Member)).UTC().Format("2006-01")
	}
	if you || shown.Results {
		career, err := c.Hall.Career(ctx, a.ID)
		if err != nil {
			return profileReply{}, err
		}
		list := profileResults(career, you, you || shown.Closed)
		reply.Results = &list
	}
	if you || shown.Rating {
		list, err := c.profileRatings(a.ID)
		if err != nil {
			return profileReply{}, err
		}
		reply.Ratings = &list
	}
	return reply, nil
}

// profileResults are the results of a career: apart by where they were played for the
// person alone, and those at closed tables only where they are shown.
func profileResults(career *hall.Career, apart, closed bool) []profileResult {
	list := []profileResult{}
	for _, r := range career.Rows {
		if r.Closed && !closed {
			continue
		}
		one := profileResult{r.Game, r.Seats, r.Pace, r.Alone, r.Closed && apart, r.Played, r.Won, r.Shared, r.Gone, r.None, append([]int{}, r.Ranks...)}
		list = addResult(list, one)
	}
	sortResults(list) // the rows of a career stand in the order in which each was first needed, which tells of rows that are not shown
	return list
}

func (c *call) profileRatings(account string) ([]profileRating, error) {
	standings, err := c.Hall.Standings(c.r.Context(), account)
	if err != nil {
		return nil, err
	}
	list := []profileRating{}
	for _, s := range standings {
		a := rating.For(rating.Edition, s.Game, s.Version, 2)
		p := profileRating{Pool: s.Pool, Mean: whole(s.Mean), Spread: whole(s.Spread), Games: s.Games, Levels: []int{}, Past: []profilePast{}}
		p.Least, p.Most = a.Between(s.Rating)
		for _, points := range a.Points {
			p.Levels = append(p.Levels, whole(points))
		}
		for _, one := range s.Past {
			least, most := a.Between(one.Rating)
			day := time.UnixMilli(one.At).UTC().Truncate(24 * time.Hour)
			p.Past = append(p.Past, profilePast{table.At(day), whole(one.Mean), whole(one.Spread), least, most})
		}
		list = append(list, p)
	}
	return list, nil
}

// profileGame is a finished game of a member.
type profileGame struct {
	Table  string     `json:"table"`
	At     table.Time `json:"at" about:"When it ended."`
	Game   string     `json:"game"`
	Seats  int        `json:"seats"`
	Pace   string     `json:"pace"`
	Rank   int        `json:"rank,omitempty" about:"Nothing where it ended without a winner."`
	Shared bool       `json:"shared,omitempty" about:"Somebody else had the same rank."`
	Gone   bool       `json:"gone,omitempty" about:"Resigned, or played for by a bot at the end."`
	Alone  bool       `json:"alone,omitempty" about:"Bots sat at all other seats."`
	Rated  bool       `json:"rated,omitempty"`

	Who []*hall.Who `json:"who,omitempty" about:"Everyone at the table, seat by seat; only I am told: others may not want their games to be found here."`
}

// profileGamesReply is a part of the finished games of a member.
type profileGamesReply struct {
	Games []profileGame `json:"games"`
	More  int           `json:"more,omitempty" about:"Ask again with this as before; nothing where these are the last."`
}

// mostGames is how many games of a profile are told at once.
const mostGames = 50

func (c *call) profileGames(none) (profileGamesReply, error) {
	closed, err := c.flag("closed")
	if err != nil {
		return profileGamesReply{}, err
	}
	before, err := c.number("before", 0)
	if err != nil {
		return profileGamesReply{}, err
	}
	most, err := c.number("most", mostGames)
	if err != nil {
		return profileGamesReply{}, err
	}
	a, shown, you, err := c.called()
	if err != nil {
		return profileGamesReply{}, err
	}
	if !you && (closed || !shown.Games) {
		return profileGamesReply{}, store.ErrNone
	}
	ctx := c.r.Context()
	career, err := c.Hall.Career(ctx, a.ID)
	if err != nil {
		return profileGamesReply{}, err
	}
	list, more, err := c.Hall.CareerGames(ctx, a.ID, career, closed, before, min(max(most, 1), mostGames))
	if err != nil {
		return profileGamesReply{}, err
	}
	who := make([][]*hall.Who, len(list))
	if you {
		if who, err = c.Hall.Others(ctx, list); err != nil {
			return profileGamesReply{}, err
		}
	}
	reply := profileGamesReply{Games: []profileGame{}, More: more}
	for i, g := range list {
		reply.Games = append(reply.Games, profileGame{g.Table, g.At, g.Game, g.Seats, g.Pace, g.Rank, g.Shared, g.Gone, g.Alone, g.Rated, who[i]})
	}
	return reply, nil
}

func (c *call) show(in shownBody) (hall.Shown, error) {
	if c.by.Member == 0 {
		return hall.Shown{}, game.Refuse("", "server.member", nil)
	}
	return c.Hall.ChangeShown(c.r.Context(), c.by.ID, func(s *hall.Shown) {
		for _, one := range []struct {
			to   *bool
			from *bool
		}{{&s.Rating, in.Rating}, {&s.Results, in.Results}, {&s.Games, in.Games}, {&s.Closed, in.Closed}} {
			if one.from != nil {
				*one.to = *one.from
			}
		}
	})
}

// addResult adds a row, to one that differs from it in nothing that is told.
func addResult(list []profileResult, one profileResult) []profileResult {
	for i := range list {
		r := &list[i]
		if r.Game != one.Game || r.Seats != one.Seats || r.Pace != one.Pace || r.Alone != one.Alone || r.Closed != one.Closed {
			continue
		}
		r.Played, r.Won, r.Shared, r.Gone, r.None = r.Played+one.Played, r.Won+one.Won, r.Shared+one.Shared, r.Gone+one.Gone, r.None+one.None
		for len(r.Ranks) < len(one.Ranks) {
			r.Ranks = append(r.Ranks, 0)
		}
		for rank, n := range one.Ranks {
			r.Ranks[rank] += n
		}
		return list
	}
	return append(list, one)
}

// sortResults puts rows in one order, whatever order they were made in.
func sortResults(list []profileResult) {
	slices.SortFunc(list, func(a, b profileResult) int {
		return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Seats, b.Seats), cmp.Compare(a.Pace, b.Pace), boolOrder(a.Alone, b.Alone), boolOrder(a.Closed, b.Closed))
	})
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
