package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"copse/rating"
	"copse/store"
	"copse/table"
)

// Ratings are papers. The append that ends a rated game writes its result, a paper
// without an owner under the next number, and the rating of everybody who sat there, a
// paper of theirs. Each is written under the version that was read, so of two games
// that end at the same moment, at any nodes, one is judged anew: no number is given
// twice, none is left out, and nobody's rating is computed from an old one. A version
// says so as long as a paper is there: one that is torn up begins at zero again. Nobody
// tears up results or their number; a rating goes with its account alone, whose ID
// nobody gets again, and without an account none is written.

// The kinds of papers of ratings.
const (
	resultPaper  = "result"  // key: its number, in twelve digits
	resultsPaper = "results" // one, under the same key: how many there are
	ratingPaper  = "rating"  // key: pool and account
)

// Standing is what is known of somebody in a pool.
type Standing struct {
	rating.Pool
	Who string `json:"who"` // the pseudonym under which results of this pool know them
	rating.Rating
	Games int            `json:"games"`
	Day   int64          `json:"day,omitempty"` // the latest of their games, and…
	Met   map[string]int `json:"met,omitempty"` // …how often games counted on it against whom
	Eve   map[string]int `json:"eve,omitempty"` // likewise, on the day before it: a game that ended before midnight may be judged after one that ended later
	Past  []Past         `json:"past,omitempty"`

	paper store.Paper
}

// Past is what was known after a game.
type Past struct {
	Number int64 `json:"number"`
	At     int64 `json:"at"`
	rating.Rating
	Table string `json:"table"`
}

// mostPast is how many games back it is shown how a rating went.
const mostPast = 200

// metOn is how often games of a day counted against whom, to be read and added to. A
// day before the eve is never asked for: what ends is judged within seconds.
func (s *Standing) metOn(day int64) map[string]int {
	if day > s.Day {
		if s.Eve = nil; day == s.Day+1 {
			s.Eve = s.Met
		}
		s.Day, s.Met = day, nil
	}
	of := &s.Met
	if day < s.Day {
		of = &s.Eve
	}
	if *of == nil {
		*of = map[string]int{}
	}
	return *of
}

func poolKey(p rating.Pool) string {
	return p.Game + " " + strconv.Itoa(p.Version) + " " + p.Pace + " "
}

// standing is what is known of somebody in a pool. Who has not played there is a
// newcomer with a new pseudonym.
func (h *Hall) standing(ctx context.Context, p rating.Pool, account string) (*Standing, error) {
	paper, err := h.store.Paper(ctx, ratingPaper, poolKey(p)+account)
	if errors.Is(err, store.ErrNone) {
		return &Standing{Pool: p, Who: h.NewID(), Rating: rating.Start(), paper: store.Paper{Kind: ratingPaper, Key: poolKey(p) + account, Owner: account}}, nil
	}
	if err != nil {
		return nil, err
	}
	s := &Standing{paper: paper}
	if err := json.Unmarshal(paper.Body, s); err != nil {
		return nil, fmt.Errorf("rating %s: %w", paper.Name(), err)
	}
	return s, nil
}

// Standings are what is known of somebody in all pools in which they have played.
func (h *Hall) Standings(ctx context.Context, account string) ([]Standing, error) {
	papers, err := h.store.Papers(ctx, ratingPaper, account, "", store.MostListed)
	if err != nil {
		return nil, err
	}
	list := []Standing{}
	for _, p := range papers {
		var s Standing
		if err := json.Unmarshal(p.Body, &s); err != nil {
			return nil, fmt.Errorf("rating %s: %w", p.Name(), err)
		}
		list = append(list, s)
	}
	return list, nil
}

// RatedGame is what a rated game did to the ratings of those who sat at it.
type RatedGame struct {
	Number int64      `json:"number,omitempty"` // of the result; nothing where it is not rated
	Why    string     `json:"why,omitempty"`    // it is not rated
	Seats  []RatedGot `json:"seats,omitempty"`
}

// RatedGot is what it did to one seat. Before and after are points in whole numbers.
type RatedGot struct {
	Rank   int  `json:"rank"`
	Before int  `json:"before"`
	After  int  `json:"after"`
	Spread int  `json:"spread"`           // after it, one standard deviation
	Least  int  `json:"least"`            // the levels between which they are, as far as is known…
	Most   int  `json:"most"`             // …of all bots
	Bot    bool `json:"bot,omitempty"`    // an anchor
	Repeat bool `json:"repeat,omitempty"` // it did not count for them
}

// finished is the game of a table as ratings count it, without people.
func finished(id string, t *table.Table, edition int) (rating.Finished, bool) {
	set := t.Settings()
	f := rating.Finished{Table: id, At: int64(t.At()), Pool: rating.Pool{Game: set.Game, Version: set.Version, Pace: set.Pace}, Edition: edition}
	end, over := t.Finish()
	if !over || !set.Rated {
		return f, false
	}
	f.Abandoned = end.Abandoned
	for _, s := range end.Seats {
		f.Seats = append(f.Seats, rating.FinishedSeat{Level: levelOf(s.Player), Rank: s.Rank, Gone: s.Gone, Early: s.Early})
	}
	return f, true
}

// levelOf is the number of a level; 0 where a player is none.
func levelOf(player string) int {
	digits, _ := strings.CutPrefix(player, "level:")
	n, _ := strconv.Atoi(digits)
	return n
}

// rate makes the papers of a rated game that is over, as they are to be written now.
func (r *room) rate(ctx context.Context) ([]store.Paper, *RatedGame, error) {
	h := r.hall
	f, ok := finished(r.id, r.t, rating.Edition)
	if !ok {
		return nil, nil, nil
	}
	people := make([]*Standing, len(f.Seats))
	for i := range f.Seats {
		s := &f.Seats[i]
		if s.Level > 0 {
			continue
		}
		s.Before = rating.Start()
		if r.accounts[i] == "" {
			continue
		}
		if _, err := h.readAccount(ctx, r.accounts[i]); errors.Is(err, store.ErrNone) {
			continue // deleted meanwhile
		} else if err != nil {
			return nil, nil, err
		}
		own, err := h.standing(ctx, f.Pool, r.accounts[i])
		if err != nil {
			return nil, nil, err
		}
		s.Who, s.Before, s.Met, people[i] = own.Who, own.Rating, own.metOn(rating.Day(f.At)), own
	}
	result, why := rating.Judge(f)
	if why != rating.Rated {
		return nil, &RatedGame{Why: why}, nil
	}
	count, err := h.store.Paper(ctx, resultsPaper, resultsPaper)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return nil, nil, err
	}
	if len(count.Body) > 0 {
		if result.Number, err = strconv.ParseInt(string(count.Body), 10, 64); err != nil {
			return nil, nil, fmt.Errorf("how many results there are: %w", err)
		}
	}
	result.Number++
	body, err := json.Marshal(result)
	if err != nil {
		return nil, nil, err
	}
	papers := []store.Paper{
		{Kind: resultsPaper, Key: resultsPaper, Body: strconv.AppendInt(nil, result.Number, 10), Version: count.Version},
		{Kind: resultPaper, Key: fmt.Sprintf("%012d", result.Number), Body: body},
	}
	for _, m := range rating.Meetings(&result) {
		for i, own := range people {
			for who, other := range map[string]string{m[0]: m[1], m[1]: m[0]} {
				if own != nil && result.Seats[i].Who == who {
					own.metOn(rating.Day(f.At))[other]++
				}
			}
		}
	}
	anchors := rating.For(rating.Edition, f.Pool.Game, f.Pool.Version, len(f.Seats))
	told := &RatedGame{Number: result.Number}
	for i, s := range result.Seats {
		least, most := anchors.Between(s.After)
		got := RatedGot{Rank: s.Rank, Before: points(s.Before.Mean), After: points(s.After.Mean), Spread: points(s.After.Spread), Least: least, Most: most, Bot: s.Level > 0, Repeat: s.Repeat}
		told.Seats = append(told.Seats, got)
		own := people[i]
		if own == nil {
			continue
		}
		own.Rating = s.After
		own.Games++
		own.Past = append(own.Past, Past{result.Number, result.At, s.After, r.id})
		own.Past = own.Past[max(len(own.Past)-mostPast, 0):]
		if own.paper.Body, err = json.Marshal(own); err != nil {
			return nil, nil, err
		}
		papers = append(papers, own.paper)
	}
	return papers, told, nil
}

func points(x float64) int {
	if x < 0 {
		return -points(-x)
	}
	return int(x + 0.5)
}

// longestPause is how long the hall waits at most before it judges the end of a game
// anew since another ended at the same time: as long as chance has it, so that those who
// got into each other's way do not meet again.
const longestPause = 20 * time.Millisecond

// pause waits for a moment.
func pause(ctx context.Context) error {
	select {
	case <-time.After(rand.N(longestPause)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// appendEnd appends the end of a game with what follows from it for those who sat
// there: their careers, and, where it is rated, their ratings. Where another game has
// ended since those were read, they are read and judged again, however often, for as long
// as the hall waits for a store at all: of those that get into each other's way one is
// always written. Rated games share one number, so at one node one of them ends at a
// time: it is only those of other nodes that come between. After that time nothing is
// written, the game is not over, and whoever ended it is told to try again.
func (r *room) appendEnd(ctx context.Context, a store.Append) (receipt store.Receipt, row store.Row, shown about, err error) {
	if r.t.Settings().Rated {
		waiting, done := r.hall.patiently(ctx)
		err := r.hall.judging.hold(waiting)
		done()
		if err != nil {
			return receipt, row, shown, fmt.Errorf("%w: the end of a rated game cannot be judged: %w", store.ErrUnwritten, err)
		}
		defer r.hall.judging.letGo()
	}
	patience, done := r.hall.patiently(ctx)
	defer done()
	for {
		reading, done := r.hall.patiently(ctx)
		a.Papers, r.rated, err = r.rate(reading)
		if err == nil {
			var careers []store.Paper
			careers, err = r.careers(reading)
			a.Papers = append(a.Papers, careers...)
		}
		done()
		if err != nil {
			return receipt, row, shown, fmt.Errorf("%w: the end of a game cannot be judged: %w", store.ErrUnwritten, err)
		}
		row, shown = r.list()
		a.Row = &row
		if receipt, err = r.append(ctx, a); !errors.Is(err, store.ErrPapers) {
			return receipt, row, shown, err
		}
		if pause(patience) != nil {
			return receipt, row, shown, err
		}
	}
}

// Results are the results from a number on, at most so many.
func Results(ctx context.Context, papers store.Papers, after int64, most int) ([]rating.Result, error) {
	list, err := papers.Papers(ctx, resultPaper, "", fmt.Sprintf("%012d", after), most)
	if err != nil {
		return nil, err
	}
	results := make([]rating.Result, len(list))
	for i := range list {
		if err := json.Unmarshal(list[i].Body, &results[i]); err != nil {
			return nil, fmt.Errorf("result %s: %w", list[i].Name(), err)
		}
		if fmt.Sprintf("%012d", results[i].Number) != list[i].Key {
			return nil, fmt.Errorf("result %s calls itself number %d", list[i].Name(), results[i].Number)
		}
	}
	return results, nil
}

// FinishedGame is what the log of a finished table says, as ratings count it.
func FinishedGame(ctx context.Context, logs store.Logs, shelf *table.Shelf, id string, edition int) (*rating.Finished, error) {
	entries, err := logs.Read(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	log := make([][]byte, len(entries))
	for i, e := range entries {
		log[i] = e.Body
	}
	if len(log) == 0 {
		return nil, store.ErrNone
	}
	last, err := table.ReadEntry(log[len(log)-1])
	if err != nil {
		return nil, err
	}
	t, err := table.Open(shelf, table.Keep{Secret: last.Secret}, log)
	if err != nil {
		return nil, err
	}
	f, ok := finished(id, t, edition)
	if !ok {
		return nil, errors.New("it is no rated game that is over")
	}
	return &f, nil
}

// PoolStanding is somebody in a pool.
type PoolStanding struct {
	Account string
	Standing
}

// PoolStandings are all who have played in a pool, the strongest first.
func PoolStandings(ctx context.Context, papers store.Papers, p rating.Pool) ([]PoolStanding, error) {
	var list []PoolStanding
	for after := poolKey(p); ; {
		some, err := papers.Papers(ctx, ratingPaper, "", after, store.MostListed)
		if err != nil {
			return nil, err
		}
		for _, one := range some {
			account, ours := strings.CutPrefix(one.Key, poolKey(p))
			if !ours {
				some = nil
				break
			}
			s := PoolStanding{Account: account}
			if err := json.Unmarshal(one.Body, &s.Standing); err != nil {
				return nil, fmt.Errorf("rating %s: %w", one.Name(), err)
			}
			list = append(list, s)
			after = one.Key
		}
		if len(some) == 0 {
			slices.SortStableFunc(list, func(a, b PoolStanding) int {
				if a.Mean != b.Mean {
					if a.Mean > b.Mean {
						return -1
					}
					return 1
				}
				return strings.Compare(a.Who, b.Who)
			})
			return list, nil
		}
	}
}
