package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"copse/game"
)

// Table is what a log has come to. It is not for use by several goroutines at once.
type Table struct {
	shelf      *Shelf
	keep       Keep
	settings   *Settings
	written    []byte // the settings as the first entry writes them
	commitment Hash
	pace       Pace
	parts      []string      // of a score
	first      game.Position // before anything has happened
	deal       Deal          // nil: the seed decides

	log   pages
	trace []waypoint // what must be known of each entry
	stops []state    // the table after every so many entries
	start int32      // the entry with which the game began
	now   state

	// decided are moves that Decide has folded and Apply has not met yet, the next
	// one first: so no move is made twice. They count as long as nothing else happens.
	decided []Step
}

// stride is how many entries lie between two states that are kept. An older state
// is made by playing on from one of them.
const stride = 32

// MostEntries is how long a log may grow. Beyond it only beginning, playing on and
// coming back are allowed. A person whose time runs out again and again may come
// back until the log is twice as long; then the stand-ins play to the end, and the
// log ends before a store would refuse to take more of it.
const MostEntries = 20_000

// Open folds a log into its table. The error names the entry that cannot stand
// where it stands.
func Open(shelf *Shelf, keep Keep, entries [][]byte) (*Table, error) {
	if len(entries) == 0 {
		return nil, &Wrong{Entry: 0, Err: game.Blame("table.log.empty", nil)}
	}
	t := &Table{shelf: shelf, keep: keep, start: -1}
	for n, raw := range entries {
		e, err := ReadEntry(raw)
		if err == nil && n == 0 {
			err = t.set(&e)
		}
		if err == nil {
			_, err = t.apply(&e, raw)
		}
		if err != nil {
			return nil, &Wrong{Entry: n, Err: err}
		}
	}
	return t, nil
}

// set takes the settings of the first entry.
func (t *Table) set(e *Entry) error {
	if e.Do != Opened {
		return impossible(e)
	}
	g, err := t.shelf.Game(e.Settings.Game)
	if err != nil {
		return err
	}
	about := g.About()
	if _, err := about.Settle(e.Settings.Seats, e.Settings.Version); err != nil {
		return err
	}
	if err := e.Settings.check(); err != nil {
		return err
	}
	rest, box, err := tidy(e.Settings.Options)
	if err != nil {
		return err
	}
	if box != nil || !bytes.Equal(rest, e.Settings.Options) {
		return impossible(e)
	}
	if e.Settings.Rated && t.keep.Box != nil {
		return game.Blame("table.rated", nil)
	}
	if t.first, err = t.shelf.start(e.Settings, t.keep.Box); err != nil {
		return err
	}
	t.settings, t.commitment = e.Settings, e.Commitment
	t.written = t.settings.Append(nil)
	t.pace = t.settings.Times()
	t.parts = about.Parts
	return nil
}

// Apply goes on by an entry that is in the log now, and gives what is to be told of
// it. An entry that cannot stand there changes nothing.
func (t *Table) Apply(e Entry) (Step, error) { return t.apply(&e, e.Append(nil)) }

func (t *Table) apply(e *Entry, raw []byte) (step Step, err error) {
	if !t.redeem(e, &step) {
		if step, err = t.fold(&t.now, e); err != nil {
			return Step{}, err
		}
	}
	step.raw = raw
	t.now = step.after
	if e.Do == Started {
		t.start = t.now.tip
	}
	w := waypoint{tip: t.now.tip, draws: uint16(t.now.draws), actor: t.now.toAct()}
	if t.now.pos != nil {
		w.turn = uint16(t.now.pos.Turn())
	}
	t.log.add(raw)
	t.trace = append(t.trace, w)
	if t.log.n%stride == 0 {
		t.stops = append(t.stops, t.now)
	}
	return step, nil
}

// redeem takes the step that an entry was decided as, if it is the one that comes
// next. Anything else that is applied leads elsewhere, and what was decided counts no
// more.
func (t *Table) redeem(e *Entry, step *Step) bool {
	list := t.decided
	t.decided = nil
	if len(list) == 0 || !list[0].Entry.sameMove(e) {
		return false
	}
	*step = list[0]
	if len(list) > 1 {
		t.decided = list[1:]
	}
	return true
}

// Fork is the same table once more, to go back to. The two share memory, so only one
// of them may go on: whoever goes back to a fork throws the other away.
func (t *Table) Fork() *Table {
	fork := *t
	fork.decided = nil
	return &fork
}

// entry reads an entry of the log again.
func (t *Table) entry(n int) Entry {
	e, err := ReadEntry(t.log.at(n))
	if err != nil {
		panic(fmt.Sprintf("table: entry %d was read once and cannot be read again: %v", n, err))
	}
	return e
}

// replay goes through the log again from entry n on, until visit returns false.
func (t *Table) replay(n int, visit func(*Step) bool) {
	var s state
	from := 0
	if stop := n/stride - 1; stop >= 0 {
		s, from = t.stop(stop), (stop+1)*stride
	}
	for ; from < t.log.n; from++ {
		e := t.entry(from)
		step, err := t.fold(&s, &e)
		if err != nil {
			panic(fmt.Sprintf("table: entry %d stood once and cannot stand again: %v", from, err))
		}
		s = step.after
		if from >= n && !visit(&step) {
			return
		}
	}
}

// Len is how many entries the log has.
func (t *Table) Len() int { return t.log.n }

// Log is the log as it is written. It must not be changed.
func (t *Table) Log() [][]byte { return t.log.all() }

// Entry is entry n as it is written. It must exist.
func (t *Table) Entry(n int) []byte { return t.log.at(n) }

// Settings are what was agreed before the game. They must not be changed.
func (t *Table) Settings() *Settings { return t.settings }

// Secrets tells whether a seat may know what others may not.
func (t *Table) Secrets() bool { return t.first.Secrets() }

// Keep is what must be kept beside the log.
func (t *Table) Keep() Keep { return t.keep }

// Last is the last entry that changed the game, which a draft must have seen. It is
// -1 before the game.
func (t *Table) Last() int { return int(t.now.last) }

// ToAct is the seat to act; game.Chance where an outcome must follow, game.None
// before and after the game.
func (t *Table) ToAct() game.Seat { return t.now.toAct() }

// Turn is the number of the turn, 0 before the game.
func (t *Table) Turn() int { return t.now.turn() }

// At is the time of the last entry.
func (t *Table) At() Time { return t.now.at }

// Begun tells whether the game has begun.
func (t *Table) Begun() bool { return t.now.phase != lobby }

// Over tells whether nothing more can happen at the table.
func (t *Table) Over() bool { return t.now.phase == ended }

// SeatOf is the seat of a person, None where they have none. A person who has
// resigned still has one.
func (t *Table) SeatOf(person Person) game.Seat { return t.now.seatOf(person) }

// Sitter is the person who holds a seat or held it last, zero where nobody ever
// did.
func (t *Table) Sitter(seat game.Seat) Person { return t.now.chairs[seat].person }

// Barred tells whether a person was sent away from the table.
func (t *Table) Barred(person Person) bool { return slices.Contains(t.now.barred, person) }

// MaySee tells whether a person may look at the table: those who sit at it may, and
// everyone before the game and where the settings allow watchers.
func (t *Table) MaySee(person Person) bool {
	return t.now.phase == lobby || t.settings.Watchers || t.SeatOf(person) >= 0
}

// Hints tells whether those at the table may ask a bot for advice: where the
// settings allow it to all, and where a person plays with bots alone; never in a rated
// game.
func (t *Table) Hints() bool { return t.hints(&t.now) }

func (t *Table) hints(s *state) bool {
	return !t.settings.Rated && (t.settings.Hints || s.count((*chair).theirs) == 1)
}

// Thinks tells whether a bot is to move: at which seat, which player it is, and the
// position from which it recalls what its seat may know. No bot moves while nobody
// is at the table.
func (t *Table) Thinks() (seat game.Seat, player string, from game.Position, ok bool) {
	s := &t.now
	seat = s.toAct()
	if seat < 0 || s.paused || s.present() == 0 || !s.chairs[seat].holder.bot() {
		return game.None, "", nil, false
	}
	return seat, t.playerAt(s, seat), s.pos, true
}

// Host is the seat of the person who has sat at the table for the longest time,
// None where nobody sits.
func (t *Table) Host() game.Seat { return t.now.host() }

// playerAt is the bot that plays for a seat, empty where a person does.
func (t *Table) playerAt(s *state, seat game.Seat) string {
	switch s.chairs[seat].holder {
	case Robot:
		return s.chairs[seat].player
	case Away, Replaced:
		return t.settings.StandIn
	}
	return ""
}

// seed is where chance comes from.
func (t *Table) seed(s *state) game.Seed {
	seed := game.Seed{Secret: t.keep.Secret[:]}
	for seat := range s.seats() {
		var nonce []byte
		if p := &s.chairs[seat]; p.nonce != (Nonce{}) {
			nonce = p.nonce[:]
		}
		seed.Nonces = append(seed.Nonces, nonce)
	}
	return seed
}

// Deal is another way to find the outcome of draw number k.
type Deal func(p game.Position, k int) json.RawMessage

// DealBy feeds outcomes in by hand, to prove that what a viewer is sent does not
// depend on what it may not know. The log of such a table does not verify.
func (t *Table) DealBy(deal Deal) { t.deal = deal }

// draw is what chance does next.
func (t *Table) draw(s *state) json.RawMessage {
	if t.deal != nil {
		return t.deal(s.pos, int(s.draws))
	}
	return s.pos.Draw(t.seed(s), int(s.draws))
}
