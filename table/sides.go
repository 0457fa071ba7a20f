package table

import (
	"cmp"
	"errors"
	"slices"

	"copse/game"
)

// Both sides: the same people play as many games as there are seats, each at a table
// of its own, and sit one seat further on from game to game. So everyone has had
// every seat, whatever a seat is worth, and the points of all games are added up to
// one result.
//
// The next game begins when the one before is over, never beside it: in a game
// without chance a person who plays both at once could answer every move of the
// other with the other's own, and never lose.
//
// All games are fixed before the first: the settings of each name the commitment of
// the one that follows, so the commitment of the first covers them all. So the nonce
// that a person brings to the first game serves in the others: nobody who knew it
// could have chosen their secrets.

// Games is how many games a table with these settings is one of: 1 for a game on its
// own.
func (set *Settings) Games() int {
	if set.Side == 0 {
		return 1
	}
	return min(max(set.Seats, 1), game.MaxSeats) // whoever asks for more is refused
}

// checkSide is nil where these settings can be those of a game of both sides, or of a
// game on its own.
func (set *Settings) checkSide() error {
	last := set.Side == set.Seats || set.Side == 0
	if set.Side < 0 || set.Side > set.Seats || set.Side > 0 && set.Seats < 2 || last != (set.Following == Hash{}) {
		return game.Blame("table.sides", nil)
	}
	return nil
}

// CreateSides is Create for the first of as many games as there are secrets: the
// first secret is that of the table itself, the others are those of the games that
// follow, and must be kept for Follow.
func CreateSides(shelf *Shelf, set Settings, secrets []Secret, now Time) (Entry, Keep, error) {
	games := set.Games()
	if len(secrets) != games {
		return Entry{}, Keep{}, errors.New("table: not a secret for each game")
	}
	if set.Side == 0 {
		return Create(shelf, set, secrets[0], now)
	}
	set.Side, set.Following = 0, Hash{}
	first, keep, err := Create(shelf, set, secrets[0], now)
	if err != nil {
		return first, keep, err
	}
	set = *first.Settings
	set.Side = 1
	first.Commitment = set.chain(secrets)
	first.Settings = &set
	return first, keep, set.check()
}

// chain makes settings name the commitment of the game that follows, and gives their
// own. The secrets are those of this game and of all that follow.
func (set *Settings) chain(secrets []Secret) (own Hash) {
	one, first := *set, set.Side
	for i := len(secrets) - 1; i >= 0; i-- {
		one.Side, one.Following = first+i, own
		own = Commitment(secrets[i], one.Append(nil))
	}
	*set = one
	return own
}

// Follows tells whether another game of both sides comes after this one: it was
// played to its end and is not the last. Whoever resigns until the game ends, or
// agrees to abandon it, has done so with the games that would follow.
func (t *Table) Follows() bool {
	return t.settings.Following != (Hash{}) && t.now.phase == ended && t.now.why == Over
}

// ErrNobody says that nobody is left to play the game that follows.
var ErrNobody = errors.New("table: nobody is left who sat down before the first game")

// Follow makes the table of the game that follows, as far as nobody need do anything:
// everyone sits one seat further on and the game has begun. The secrets are those of
// the games that follow this one. who says which person somebody of this table is at
// the next; zero for an account that is no more, whose seat the stand-in takes. Bots
// stay, whoever was away is away, and whoever has resigned has resigned there too. A
// person who took the seat of a bot takes it there as well. deal is for DealBy.
func (t *Table) Follow(secrets []Secret, who func(seat game.Seat) Person, deal Deal, now Time) (*Table, error) {
	if !t.Follows() {
		return nil, no("table.rematch", nil)
	}
	set := *t.settings
	set.Side++
	commitment := set.chain(secrets)
	if commitment != t.settings.Following {
		return nil, errors.New("table: these are not the secrets of the games that follow")
	}
	first := Entry{At: min(max(now, t.now.at), latest), Do: Opened, Seat: game.None, Settings: &set, Commitment: commitment}
	next, err := Open(t.shelf, Keep{secrets[0], t.keep.Box}, [][]byte{first.Append(nil)})
	if err != nil {
		return nil, err
	}
	next.deal = deal
	s := succession{t: next, now: first.At}
	for seat := range t.now.seats() {
		s.seat(&t.now.chairs[seat], game.Seat((seat+1)%int(t.now.size)), who(game.Seat(seat)), t.settings.StandIn)
	}
	s.begin()
	return next, s.err
}

// succession is how the people of one game come to sit at the next.
type succession struct {
	t     *Table
	now   Time
	err   error
	first Person   // who begins the game
	take  []Entry  // who takes the seat of a bot
	away  []Person // who is away
	out   []out    // who has resigned
}

// out is somebody who has resigned, and as which.
type out struct {
	Person
	nth int8
}

// put puts an entry into the log.
func (s *succession) put(e Entry) {
	if s.err == nil {
		e.At = s.now
		_, s.err = s.t.Apply(e)
	}
}

// do carries out a command.
func (s *succession) do(cmd Command) {
	if s.err != nil {
		return
	}
	entries, err := s.t.Decide(cmd, s.now)
	s.err = err
	for _, e := range entries {
		s.put(e)
	}
}

// seat sits down whoever had a chair at the table before.
func (s *succession) seat(c *chair, to game.Seat, person Person, standIn string) {
	gone := person == Person{}
	if c.holder == Robot || gone || c.player != "" {
		s.put(Entry{Do: BotSat, Seat: to, Player: cmp.Or(c.player, standIn)})
	} else {
		s.put(Entry{Do: Sat, Seat: to, Person: person, Nonce: c.nonce})
		s.first = cmp.Or(s.first, person)
	}
	if c.holder == Robot || gone {
		return
	}
	if c.player != "" {
		s.take = append(s.take, Entry{Do: Taken, Seat: to, Person: person})
	}
	switch c.holder {
	case Away:
		s.away = append(s.away, person)
	case Replaced:
		s.out = append(s.out, out{person, c.out})
	}
}

// begin begins the game.
func (s *succession) begin() {
	if s.err == nil && s.first == (Person{}) {
		s.err = ErrNobody
	}
	s.do(Start{Person: s.first})
	for _, e := range s.take {
		s.put(e)
	}
	for _, person := range s.away {
		s.do(Leave{Person: person})
	}
	slices.SortFunc(s.out, func(a, b out) int { return cmp.Compare(a.nth, b.nth) })
	for _, o := range s.out {
		s.do(Resign{Person: o.Person})
	}
}

// Side is what a game of both sides came to, seat by seat.
type Side struct {
	Totals []int `json:"totals"`
	Ranks  []int `json:"ranks"`
	Out    []int `json:"out"` // 1 for the first to resign, and so on; 0 for who did not
}

// Side is what the game came to; false while it is not over, and where it was
// abandoned.
func (t *Table) Side() (Side, bool) {
	if t.now.phase != ended || t.now.why == Abandoned {
		return Side{}, false
	}
	side := Side{Out: make([]int, t.now.size)}
	side.Totals, side.Ranks = t.now.result(t.now.why)
	for seat := range t.now.seats() {
		side.Out[seat] = int(t.now.chairs[seat].out)
	}
	return side, true
}

// Turned is the same by the seats of a game so many further on in the row, or
// earlier: everyone sits so many seats further on there.
func (s Side) Turned(games int) Side {
	return Side{turned(s.Totals, games), turned(s.Ranks, games), turned(s.Out, games)}
}

func turned(list []int, by int) []int {
	n := len(list)
	moved := make([]int, n)
	for seat, value := range list {
		moved[((seat+by)%n+n)%n] = value
	}
	return moved
}

// Place is what somebody has of all games together.
type Place struct {
	Total int `json:"total"` // points
	Rank  int `json:"rank"`
}

// Together is the one result of both sides: what everyone has of all games, which
// must be given by the seats of one of them, the first game first. The points are
// added up; of those who have as many, the one with the better ranks is ahead, also
// added up; else they share a rank. Whoever resigned in any game ranks behind all who
// did not, the last to resign best among them.
func Together(games []Side) []Place {
	if len(games) == 0 {
		return nil
	}
	type sum struct{ total, ranks, game, out int }
	sums := make([]sum, len(games[0].Totals))
	for i := range games {
		for seat := range sums {
			s, out := &sums[seat], games[i].Out[seat]
			s.total += games[i].Totals[seat]
			s.ranks += games[i].Ranks[seat]
			if s.out == 0 && out != 0 {
				s.game, s.out = i, out
			}
		}
	}
	order := func(a, b sum) int { // below zero: a is ahead
		switch {
		case a.out == 0 && b.out == 0:
			return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.ranks, b.ranks))
		case a.out == 0 || b.out == 0:
			return cmp.Compare(a.out, b.out)
		}
		return cmp.Or(cmp.Compare(b.game, a.game), cmp.Compare(b.out, a.out))
	}
	places := make([]Place, len(sums))
	for seat, own := range sums {
		places[seat] = Place{own.total, 1}
		for _, other := range sums {
			if order(other, own) < 0 {
				places[seat].Rank++
			}
		}
	}
	return places
}
