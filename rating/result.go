package rating

import (
	"fmt"
	"slices"
)

// Result is what a rated game did to ratings. Results are numbered from 1 without a
// gap, and never change. They know nobody: Who is a pseudonym, and who it was is known
// as long as that person is here.
type Result struct {
	Number  int64        `json:"number"`
	Table   string       `json:"table"`
	At      int64        `json:"at"` // milliseconds since 1970
	Game    string       `json:"game"`
	Version int          `json:"version"` // of the rules
	Pace    string       `json:"pace"`
	Edition int          `json:"edition"` // of the anchors
	Seats   []ResultSeat `json:"seats"`
}

// ResultSeat is what it did to one seat.
type ResultSeat struct {
	Who    string `json:"who,omitempty"`   // the pseudonym of a person; empty for a bot, and for a person who was deleted before the game ended
	Level  int    `json:"level,omitempty"` // of a bot
	Rank   int    `json:"rank"`
	Gone   bool   `json:"gone,omitempty"`   // played for at the end: ranks as resigned
	Repeat bool   `json:"repeat,omitempty"` // has met somebody here often enough today: it does not count for them
	Before Rating `json:"before"`
	After  Rating `json:"after"`
}

// Pool is where people are compared: a game, a version of its rules and a pace.
type Pool struct {
	Game    string `json:"game"`
	Version int    `json:"version"`
	Pace    string `json:"pace"`
}

// Pool is the pool of a result.
func (r *Result) Pool() Pool { return Pool{r.Game, r.Version, r.Pace} }

// Finished is a game that is over, as it is judged.
type Finished struct {
	Table     string
	At        int64
	Pool      Pool
	Edition   int
	Abandoned bool // nobody came any more: nobody has a rank
	Seats     []FinishedSeat
}

// FinishedSeat is one of its seats.
type FinishedSeat struct {
	Level  int    // of a bot; 0 for a person
	Who    string // the pseudonym of a person; empty where they were deleted
	Rank   int    // as the log has it
	Gone   bool   // played for at the end
	Early  bool   // since the first round
	Before Rating
	Met    map[string]int // how often games counted today against whom
}

// Why a game is not rated.
const (
	Rated     = ""
	LeftEarly = "early"  // somebody left in the first round and did not come back
	NoPerson  = "nobody" // all that sat there were deleted
)

// mostRepeats is how many games of two people count in a day.
const mostRepeats = 3

// Judge decides what a game does to ratings, and why it does nothing.
//
//   - A game that somebody left in its first round for good counts for nobody.
//   - Whoever is played for at the end shares the last rank, whatever the score: behind
//     everybody else, bots included. In a game that was abandoned all others share the
//     first.
//   - Of two people the first three games a day count. After that neither is changed
//     by a game in which both sit; it still counts for the others at the table.
func Judge(f Finished) (Result, string) {
	r := Result{Table: f.Table, At: f.At, Game: f.Pool.Game, Version: f.Pool.Version, Pace: f.Pool.Pace, Edition: f.Edition}
	known := false
	for _, s := range f.Seats {
		if s.Early {
			return r, LeftEarly
		}
		known = known || s.Who != ""
	}
	if !known {
		return r, NoPerson
	}
	a := For(f.Edition, f.Pool.Game, f.Pool.Version, len(f.Seats))
	for i, s := range f.Seats {
		one := ResultSeat{Who: s.Who, Level: s.Level, Rank: 1, Gone: s.Gone, Before: s.Before}
		if s.Level > 0 {
			one.Before = a.Player(s.Level).Rating
		}
		for j, other := range f.Seats {
			if j != i && ahead(f.Abandoned, other, s) {
				one.Rank++
			}
			one.Repeat = one.Repeat || j != i && s.Who != "" && other.Who != "" && s.Met[other.Who] >= mostRepeats
		}
		r.Seats = append(r.Seats, one)
	}
	after := r.after()
	for i := range r.Seats {
		r.Seats[i].After = after[i]
	}
	return r, Rated
}

// ahead tells whether one seat ranks before another.
func ahead(abandoned bool, a, b FinishedSeat) bool {
	if a.Gone || b.Gone {
		return !a.Gone
	}
	return !abandoned && a.Rank < b.Rank
}

// after is what everybody's rating becomes.
func (r *Result) after() []Rating {
	a := For(r.Edition, r.Game, r.Version, len(r.Seats))
	players, ranks := make([]Player, len(r.Seats)), make([]int, len(r.Seats))
	for i, s := range r.Seats {
		players[i], ranks[i] = Player{s.Before, s.Level > 0}, s.Rank
	}
	after := After(a.Stretch, players, ranks)
	for i, s := range r.Seats {
		if s.Repeat || s.Level == 0 && s.Who == "" {
			after[i] = s.Before
		}
	}
	return after
}

// Checker replays results: each must follow from those before it.
type Checker struct {
	last int64
	now  map[seatOf]Rating
	met  map[meeting]int
}

type seatOf struct {
	Pool
	who string
}

type meeting struct {
	Pool
	day  int64
	a, b string
}

const day = 24 * 60 * 60 * 1000

// Day is the day of a time in milliseconds, in UTC.
func Day(at int64) int64 { return at / day }

// Check adds the next result, and says everything that is wrong with it. log is what
// the log of its table says, nil where that cannot be read.
func (c *Checker) Check(r Result, log *Finished) (wrong []string) {
	if c.now == nil {
		c.now, c.met = map[seatOf]Rating{}, map[meeting]int{}
	}
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if r.Number != c.last+1 {
		say("it follows number %d: results are missing", c.last)
	}
	c.last = r.Number
	again := Finished{Table: r.Table, At: r.At, Pool: r.Pool(), Edition: r.Edition}
	if log != nil {
		again.Abandoned = log.Abandoned
		if len(log.Seats) != len(r.Seats) {
			say("the log has %d seats, the result %d", len(log.Seats), len(r.Seats))
			return wrong
		}
	}
	for i, s := range r.Seats {
		before, known := c.now[seatOf{r.Pool(), s.Who}]
		if !known {
			before = Start()
		}
		one := FinishedSeat{Level: s.Level, Who: s.Who, Rank: s.Rank, Gone: s.Gone, Before: s.Before, Met: map[string]int{}}
		if s.Level == 0 && s.Who != "" {
			if s.Before != before {
				say("seat %d begins at %v, and had %v", i, s.Before, before)
			}
			for _, other := range r.Seats {
				one.Met[other.Who] = c.met[meetingOf(&r, s.Who, other.Who)]
			}
		}
		if log != nil {
			l := log.Seats[i]
			if l.Level != s.Level || l.Gone != s.Gone || l.Early {
				say("seat %d is level %d, gone %v in the log, and level %d, gone %v in the result", i, l.Level, l.Gone, s.Level, s.Gone)
			}
			one.Rank = l.Rank
		}
		again.Seats = append(again.Seats, one)
	}
	want, why := Judge(again)
	if why != Rated {
		say("it should not be rated: %s", why)
		return wrong
	}
	for i, s := range r.Seats {
		w := want.Seats[i]
		if w.Rank != s.Rank {
			say("seat %d is rank %d, and should be %d", i, s.Rank, w.Rank)
		}
		if w.Repeat != s.Repeat {
			say("seat %d: repeat is %v, and should be %v", i, s.Repeat, w.Repeat)
		}
		if w.After != s.After {
			say("seat %d ends at %v, and should at %v", i, s.After, w.After)
		}
		if s.Who != "" {
			c.now[seatOf{r.Pool(), s.Who}] = s.After
		}
	}
	for _, m := range Meetings(&r) {
		c.met[meetingOf(&r, m[0], m[1])]++
	}
	return wrong
}

func meetingOf(r *Result, a, b string) meeting {
	if a > b {
		a, b = b, a
	}
	return meeting{r.Pool(), Day(r.At), a, b}
}

// Meetings are the pairs of people who have met in a game that counted for one of them
// at least. If it had to count for both, somebody could win all day from two others who
// have had their three games with each other.
func Meetings(r *Result) (pairs [][2]string) {
	for i, a := range r.Seats {
		for _, b := range r.Seats[i+1:] {
			if a.Who != "" && b.Who != "" && !(a.Repeat && b.Repeat) {
				pairs = append(pairs, [2]string{a.Who, b.Who})
			}
		}
	}
	return pairs
}

// Rating is what is known of a pseudonym in a pool after all results so far, and of
// how many there are.
func (c *Checker) Rating(p Pool, who string) (Rating, bool) {
	r, ok := c.now[seatOf{p, who}]
	return r, ok
}

// Pools are all pools of which there are results, by name.
func (c *Checker) Pools() []Pool {
	var list []Pool
	for s := range c.now {
		if !slices.Contains(list, s.Pool) {
			list = append(list, s.Pool)
		}
	}
	slices.SortFunc(list, func(a, b Pool) int {
		return slices.Compare([]string{a.Game, fmt.Sprintf("%06d", a.Version), a.Pace}, []string{b.Game, fmt.Sprintf("%06d", b.Version), b.Pace})
	})
	return list
}
