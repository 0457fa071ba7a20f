package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"copse/bot"
	"copse/game"
	"copse/games"
	"copse/store"
	"copse/table"
)

// sitting is a whole game as a table logs it: what was appended at once, and
// when.
type sitting struct {
	game    string
	seats   int
	about   []byte // what lists say of it
	appends [][][]byte
	at      []table.Time
}

// real plays a whole game, by random moves or by a player. People take a few
// seconds for a turn; secrets are as random as in a real game.
func real(tb testing.TB, g game.Game, seats int, player string, number uint64) *sitting {
	tb.Helper()
	shelf, rng, name := table.NewShelf(g), rand.New(rand.NewPCG(number, uint64(seats))), g.About().Name
	noise := func(what string) [32]byte { return sha256.Sum256(fmt.Append(nil, what, name, seats, number)) }
	now := table.Time(1_767_859_200_000)
	first, keep, err := table.Create(shelf, table.Settings{Game: name, Seats: seats, Pace: table.Live, Undo: table.UndoConsent,
		Visible: table.ByLink, Watchers: true, TakeOver: true, StandIn: "level:3"}, noise("secret"), now)
	if err != nil {
		tb.Fatal(err)
	}
	s := &sitting{game: name, seats: seats, appends: [][][]byte{{first.Append(nil)}}, at: []table.Time{now}}
	t, err := table.Open(shelf, keep, s.appends[0])
	if err != nil {
		tb.Fatal(err)
	}
	do := func(cmd table.Command) {
		tb.Helper()
		now += table.Time(1000 + rng.IntN(20_000))
		list, err := t.Decide(cmd, now)
		if err != nil {
			tb.Fatal(err)
		}
		var written [][]byte
		for _, e := range list {
			if _, err := t.Apply(e); err != nil {
				tb.Fatal(err)
			}
			written = append(written, e.Append(nil))
		}
		s.appends, s.at = append(s.appends, written), append(s.at, now)
	}
	person := func(seat int) (p table.Person) {
		sum := noise(fmt.Sprint("person", seat))
		copy(p[:], sum[:])
		return p
	}
	for seat := range seats {
		sum := noise(fmt.Sprint("nonce", seat))
		do(table.Sit{Person: person(seat), Seat: game.Seat(seat), Nonce: table.Nonce(sum[:16])})
	}
	do(table.Start{Person: person(0)})
	for !t.Over() {
		seat := t.See(game.Watcher).ToAct()
		p := t.See(seat)
		line := []json.RawMessage{}
		if player == "random" {
			moves := p.Moves()
			line = append(line, moves[rng.IntN(len(moves))])
		} else {
			thought, err := g.(bot.Thinker).Think(context.Background(), p, bot.Ask{Player: player, Seed: fmt.Sprint(number)})
			if err != nil {
				tb.Fatal(err)
			}
			line = thought.Line
		}
		do(table.Play{Person: person(int(seat)), After: t.Last(), Moves: line})
	}
	about, err := json.Marshal(map[string]any{"settings": t.Settings(), "phase": "over", "seats": t.People().Seats, "toAct": []int{}, "turn": 18})
	if err != nil {
		tb.Fatal(err)
	}
	s.about = about
	return s
}

// keep appends a game as a server does, with keys, rows and people: its first
// append, which makes the table, or those after it.
func (s *sitting) keep(to *Store, id string, people []string, first bool) error {
	next := 0
	for i, a := range s.appends {
		if first != (i == 0) {
			next += len(a)
			continue
		}
		receipt, err := to.Append(context.Background(), store.Append{Table: id, Next: next, At: store.Time(int64(s.at[i])), Entries: a,
			Row: &store.Row{Game: s.game, Over: i == len(s.appends)-1, Sitting: people[:s.seats], Turn: 1 << (i % s.seats),
				About: s.about, Private: fmt.Appendf(nil, `{"secret":"%x"}`, sha256.Sum256([]byte(id)))},
			Once: store.Once{Who: people[0], Key: fmt.Sprint(id, i), After: next}})
		if err != nil {
			return err
		}
		next = receipt.Next
	}
	return nil
}

// TestAFinishedGameIsSmall keeps whole games of every kind, packs them as they end,
// and measures how much the file has grown for each: for everything that is kept of
// it, its keys too.
func TestAFinishedGameIsSmall(t *testing.T) {
	t.Parallel()
	if all := weighed(t).onDisk; all > 4096 {
		t.Errorf("a finished game takes %d bytes on average, and may take 4096", all)
	}
}

// BenchmarkFinishedGame reports the same as figures: bytes on average of the log,
// of the packed log, of the file with the index and the keys, and of the file when
// the keys are forgotten, a day after the end.
func BenchmarkFinishedGame(b *testing.B) {
	for b.Loop() {
		w := weighed(b)
		b.ReportMetric(float64(w.entries), "entries/game")
		b.ReportMetric(float64(w.raw), "log-bytes/game")
		b.ReportMetric(float64(w.packed), "packed-bytes/game")
		b.ReportMetric(float64(w.onDisk), "disk-bytes/game")
		b.ReportMetric(float64(w.later), "disk-bytes-later/game")
	}
}

// weight is how large finished games are on average.
type weight struct{ entries, raw, packed, onDisk, later int }

// copies is how often each game is kept: few games would largely fit into pages
// that an empty database has too.
const copies = 4

func weighed(t testing.TB) weight {
	t.Helper()
	var w weight
	var all []*sitting
	for _, g := range games.All() {
		for seats := 2; seats <= 4; seats++ {
			for _, player := range []string{"random", "greedy"} {
				size := 0
				for number := range uint64(2) {
					one := real(t, g, seats, player, number)
					log := one.log()
					small, err := store.Pack(log)
					if err != nil {
						t.Fatal(err)
					}
					for _, e := range log {
						w.raw += len(e.Body)
					}
					w.entries += len(log)
					w.packed += len(small)
					size += len(small)
					all = append(all, one)
				}
				t.Logf("%s, %d seats, %s: %d bytes packed", g.About().Name, seats, player, size/2)
			}
		}
	}
	w.entries, w.raw, w.packed = w.entries/len(all), w.raw/len(all), w.packed/len(all)
	w.onDisk, w.later = onDisk(t, all, 0), onDisk(t, all, store.KeepKeys+time.Hour)
	t.Logf("%d games of %d entries and %d bytes on average: packed %d bytes, with the index and the keys %d bytes of the file, a day later %d",
		len(all), w.entries, w.raw, w.packed, w.onDisk, w.later)
	return w
}

// log is the game as a store reads it.
func (s *sitting) log() (log []store.Entry) {
	for i, a := range s.appends {
		for _, body := range a {
			log = append(log, store.Entry{Number: len(log), At: store.Time(int64(s.at[i])), Body: body})
		}
	}
	return log
}

// onDisk is how many bytes of the file a game takes on average that was packed so
// long after its end. Tables are made and packed in order, so that the file is the
// same every time; in between they are played all at once, as at a server.
func onDisk(t testing.TB, all []*sitting, later time.Duration) int {
	t.Helper()
	s := newScale(t)
	each := func(do func(one *sitting, id string) error) {
		t.Helper()
		for i := range copies * len(all) {
			if err := do(all[i%len(all)], fmt.Sprintf("%018d", i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	each(func(one *sitting, id string) error { return one.keep(s.Store, id, s.people, true) })
	var playing sync.WaitGroup
	errs := make(chan error, copies*len(all))
	each(func(one *sitting, id string) error {
		playing.Go(func() { errs <- one.keep(s.Store, id, s.people, false) })
		return nil
	})
	playing.Wait()
	each(func(*sitting, string) error { return <-errs })
	each(func(one *sitting, id string) error {
		if err := s.Pack(t.Context(), id, store.Time(int64(one.at[len(one.at)-1])).Add(later)); err != nil {
			return err
		}
		if log, err := s.Read(t.Context(), id, 0); err != nil || !reflect.DeepEqual(log, one.log()) {
			return fmt.Errorf("a packed game of %s reads differently: %w", one.game, err)
		}
		return nil
	})
	return s.grown(t) / (copies * len(all))
}

// scale is a store that is weighed.
type scale struct {
	*Store
	people []string
	empty  int
}

func newScale(t testing.TB) *scale {
	t.Helper()
	s := &scale{Store: reopen(t, filepath.Join(t.TempDir(), "copse.db"))}
	for i := range 5 {
		id := fmt.Sprintf("person%014d", i)
		s.people = append(s.people, id)
		if err := s.AddAccount(t.Context(), store.Account{ID: id, Name: "Somebody", Salt: make([]byte, 16)}); err != nil {
			t.Fatal(err)
		}
	}
	s.empty = s.weigh(t)
	return s
}

// weigh is how large the file is without gaps.
func (s *scale) weigh(t testing.TB) int {
	t.Helper()
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(backup)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Size())
}

// grown is by how much it has become larger.
func (s *scale) grown(t testing.TB) int { return s.weigh(t) - s.empty }
