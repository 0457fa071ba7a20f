package server

import (
	"time"

	"copse/game"
	"copse/rating"
	"copse/server/hall"
	"copse/table"
)

// wantBody is what somebody who wants to play now wants.
type wantBody struct {
	Game  string  `json:"game"`
	Seats int     `json:"seats" about:"How many sit at the table, bots included."`
	Pace  *string `json:"pace,omitempty" about:"Usually live."`

	Bots  *int  `json:"bots,omitempty" about:"How long to wait for people before bots of my strength sit at what is empty, in milliseconds; usually a minute."`
	Rated *bool `json:"rated,omitempty" about:"Whether ratings follow from it. Usually true; a guest's games never are. Who wants rated games meets those who do, and the others each other."`
}

// usualBots is how long people wait for others who do not say it.
const usualBots = time.Minute

// mayPress refuses who presses Play now too often.
func (c *call) mayPress() error {
	return c.Server.often(c.r, "play now", c.by.ID, quota{c.limits.Asks, time.Minute, max(2*c.limits.Asks, 1)})
}

func (c *call) playNow(in wantBody) (hall.Waiting, error) {
	w := hall.Want{Game: in.Game, Seats: in.Seats, Pace: table.Live, Rated: true, Bots: table.Time(usualBots.Milliseconds())}
	if in.Pace != nil {
		w.Pace = *in.Pace
	}
	if in.Bots != nil {
		w.Bots = table.Time(*in.Bots)
	}
	if in.Rated != nil {
		w.Rated = *in.Rated
	}
	if err := c.mayPress(); err != nil {
		return hall.Waiting{}, err
	}
	if err := c.oneMoreSeat(); err != nil {
		return hall.Waiting{}, err
	}
	return c.Hall.PlayNow(c.r.Context(), c.by, w)
}

func (c *call) waiting(none) (hall.Waiting, error) { return c.Hall.Waits(c.r.Context(), c.by) }

// comeBody is what somebody brings who was matched.
type comeBody struct {
	Nonce string `json:"nonce" about:"16 random bytes as 32 hexadecimal digits, made after the commitment was seen."`
}

func (c *call) come(in comeBody) (hall.Waiting, error) {
	nonce, ok := table.ParseNonce(in.Nonce)
	if !ok {
		return hall.Waiting{}, game.Blame("table.nonce", game.Args{"bytes": len(nonce)})
	}
	if err := c.mayPress(); err != nil {
		return hall.Waiting{}, err
	}
	return c.Hall.Come(c.r.Context(), c.by, nonce)
}

func (c *call) stopWaiting(none) (none, error) {
	return none{}, c.Hall.StopWaiting(c.r.Context(), c.by)
}

// ratingsReply are somebody's ratings.
type ratingsReply struct {
	Member bool         `json:"member" about:"Whether my games can be rated: a guest's are not."`
	Pools  []poolRating `json:"pools"`
}

// poolRating is what is known of somebody in a pool.
type poolRating struct {
	rating.Pool
	Mean   int `json:"mean" about:"Points."`
	Spread int `json:"spread" about:"How far off that may be, one standard deviation. Within two of them the truth lies in 95 of 100 cases."`
	Least  int `json:"least" about:"The levels of bots between which I am, as far as is known, at a table of two."`
	Most   int `json:"most"`
	Games  int `json:"games"`

	Past []pastRating `json:"past" about:"After each of the last games, the earliest first."`
}

// pastRating is what was known after a game.
type pastRating struct {
	Number int64      `json:"number" about:"Of the result."`
	At     table.Time `json:"at"`
	Table  string     `json:"table"`
	Mean   int        `json:"mean"`
	Spread int        `json:"spread"`
}

func (c *call) ratings(none) (ratingsReply, error) {
	reply := ratingsReply{Member: c.by.Member != 0, Pools: []poolRating{}}
	list, err := c.Hall.Standings(c.r.Context(), c.by.ID)
	for _, s := range list {
		a := rating.For(rating.Edition, s.Game, s.Version, 2)
		p := poolRating{Pool: s.Pool, Mean: whole(s.Mean), Spread: whole(s.Spread), Games: s.Games, Past: []pastRating{}}
		p.Least, p.Most = a.Between(s.Rating)
		for _, one := range s.Past {
			p.Past = append(p.Past, pastRating{one.Number, table.Time(one.At), one.Table, whole(one.Mean), whole(one.Spread)})
		}
		reply.Pools = append(reply.Pools, p)
	}
	return reply, err
}

// whole is a number of points without its hundredths.
func whole(x float64) int { return int(x + 0.5) }
