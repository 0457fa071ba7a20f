package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"copse/store"
)

// set writes a row without an entry.
func (h *trial) set(table string, at time.Time, row store.Row) {
	h.Helper()
	l, err := h.Table(h.ctx, table)
	h.good(err)
	_, err = h.Append(h.ctx, store.Append{Table: table, Next: l.Next, At: at, Row: &row})
	h.good(err)
}

func listed(t *testing.T, h *trial) {
	for i := range 10 {
		h.found(fmt.Sprint(i), 1, store.Row{Game: []string{"bosk", "grandbois"}[i%2], Listed: i != 4})
	}
	h.ids("9 8 7 6 5 3 2 1 0 ")(h.Listed(h.ctx, "", 0, 100))
	h.ids("9 8 7 ")(h.Listed(h.ctx, "", 0, 3))
	h.ids("9 7 5 3 1 ")(h.Listed(h.ctx, "grandbois", 0, 100))
	h.ids("")(h.Listed(h.ctx, "chess", 0, 100))
	h.ids("")(h.Listed(h.ctx, "", 0, 0))
	page, err := h.Listed(h.ctx, "bosk", 0, 2)
	h.ids("8 6 ")(page, err)
	h.ids("2 0 ")(h.Listed(h.ctx, "bosk", page[1].Serial, 2))
	h.set("2", day, store.Row{Game: "bosk"})
	h.ids("8 6 0 ")(h.Listed(h.ctx, "bosk", 0, 100))
	h.set("2", day, store.Row{Game: "another", Listed: true}) // the game of a table never changes
	h.ids("8 6 2 0 ")(h.Listed(h.ctx, "bosk", 0, 100))
	if l, err := h.Table(h.ctx, "2"); err != nil || l.Game != "bosk" {
		t.Errorf("the game of a table has become %q, %v", l.Game, err)
	}
}

func sitting(t *testing.T, h *trial) {
	h.account("anna")
	h.account("ben")
	row := func(turn uint16, over bool, who ...string) store.Row {
		return store.Row{Game: "bosk", Sitting: who, Turn: turn, Over: over}
	}
	h.found("a", 1, row(0b01, false, "anna", "ben"))
	h.found("b", 1, row(0b10, false, "anna", "ben"))
	h.found("c", 1, row(0b10, false, "ben", "anna"))
	h.found("d", 1, row(0b01, false, "ben", ""))
	h.found("e", 1, row(0b11, false, "anna", "anna")) // both seats of one table
	h.set("a", after(1), row(0b01, false, "anna", "ben"))
	h.set("b", after(2), row(0b10, false, "anna", "ben"))
	h.ids("a e c b ")(h.Sitting(h.ctx, "anna", 100))
	h.ids("a e ")(h.Sitting(h.ctx, "anna", 2))
	h.ids("b d a c ")(h.Sitting(h.ctx, "ben", 100))
	h.ids("")(h.Sitting(h.ctx, "nobody", 100))
	if list, err := h.Sitting(h.ctx, "ben", 1); err != nil || fmt.Sprint(list[0].Sitting) != "[anna ben]" || list[0].Turn != 0b10 {
		t.Errorf("the first is %+v, %v", list, err)
	}

	h.set("b", after(3), row(0, true, "anna", "ben")) // the game is over
	h.set("e", after(3), row(0, true, "anna", "anna"))
	h.set("c", after(3), row(0b10, false, "ben", "")) // anna stands up
	h.ids("a ")(h.Sitting(h.ctx, "anna", 100))
	h.ids("e b ")(h.Played(h.ctx, "anna", 0, 100))
	h.ids("e ")(h.Played(h.ctx, "anna", 0, 1))
	list, err := h.Played(h.ctx, "anna", 0, 1)
	h.good(err)
	h.ids("b ")(h.Played(h.ctx, "anna", list[0].Serial, 5))
	h.good(h.Pack(h.ctx, "b", after(4)))
	h.ids("e b ")(h.Played(h.ctx, "anna", 0, 100))

	// An account that is deleted, or never was, is nobody, and does no harm.
	h.found("f", 1, row(1, false, "ghost", "ben"))
	if l, err := h.Table(h.ctx, "f"); err != nil || !slices.Equal(l.Sitting, []string{"", "ben"}) {
		t.Errorf("at a table with a ghost sit %v, %v", l.Sitting, err)
	}
}

func due(t *testing.T, h *trial) {
	for i, minutes := range []int{5, 3, 0, 9, 3} {
		row := store.Row{Game: "bosk"}
		if minutes > 0 {
			row.Wake = after(minutes)
		}
		h.found(fmt.Sprint(i), 1, row)
	}
	h.ids("")(h.Due(h.ctx, after(2), 100))
	h.ids("1 4 0 ")(h.Due(h.ctx, after(5), 100))
	h.ids("1 ")(h.Due(h.ctx, after(5), 1))
	h.set("1", day, store.Row{Game: "bosk", Wake: after(20)})
	h.set("0", day, store.Row{Game: "bosk"})
	h.ids("4 3 ")(h.Due(h.ctx, after(19), 100))
	if list, err := h.Due(h.ctx, after(19), 1); err != nil || !list[0].Wake.Equal(after(3)) {
		t.Errorf("the first is due at %v, %v", list, err)
	}
}

func dropped(t *testing.T, h *trial) {
	h.account("anna")
	h.found("oak", 3, store.Row{Game: "bosk", Listed: true, Sitting: []string{"anna"}, Wake: after(1)})
	h.found("elm", 3, store.Row{Game: "bosk", Over: true, Sitting: []string{"anna"}})
	h.good(h.Pack(h.ctx, "elm", day))
	_, err := h.Say(h.ctx, "oak", store.ChatLine{Account: "anna", Body: []byte("hello")}, store.Once{})
	h.good(err)
	h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{Next: 3}))
	h.good(h.Drop(h.ctx, "oak", 3))
	h.good(h.Drop(h.ctx, "elm", 3))
	for _, table := range []string{"oak", "elm"} {
		if _, err := h.Read(h.ctx, table, 0); !errors.Is(err, store.ErrNone) {
			t.Errorf("a dropped log reads: %v", err)
		}
	}
	h.ids("")(h.Listed(h.ctx, "", 0, 10))
	h.ids("")(h.Sitting(h.ctx, "anna", 10))
	h.ids("")(h.Played(h.ctx, "anna", 0, 10))
	h.ids("")(h.Due(h.ctx, after(9), 10))
	h.found("oak", 2, store.Row{Game: "bosk"})
	h.log("oak", 2)
	if lines, err := h.Lines(h.ctx, "oak", 0, 10); err != nil || len(lines) != 0 {
		t.Errorf("a new table of an old name has lines %v, %v", lines, err)
	}
}

// shadow is a table as the model knows it.
type shadow struct {
	store.Listing
	log []string
}

// model does many random things and compares every answer with that of a few
// lines over a map.
func model(t *testing.T, h *trial) {
	rng := rand.New(rand.NewPCG(3, 4))
	people := map[string]bool{}
	tables, born := map[string]*shadow{}, int64(0)
	names := []string{"a", "b", "c", "d", "e", "f"}
	accounts := []string{"p", "q", "r"}
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	for step := range 1500 {
		now, table := after(step), pick(names)
		s := tables[table]
		switch rng.IntN(12) {
		case 0:
			p := pick(accounts)
			if err := h.AddAccount(h.ctx, store.Account{ID: p, Born: now}); (err == nil) == people[p] {
				t.Fatalf("step %d: adding %s: %v", step, p, err)
			}
			people[p] = true
		case 1:
			if rng.IntN(4) > 0 {
				break
			}
			p := pick(accounts)
			if err := h.DeleteAccount(h.ctx, p); (err == nil) != people[p] {
				t.Fatalf("step %d: deleting %s: %v", step, p, err)
			}
			delete(people, p)
			for _, s := range tables {
				for i, who := range s.Sitting {
					if who == p {
						s.Sitting[i] = ""
					}
				}
			}
		case 2:
			if s != nil && s.Over {
				h.good(h.Pack(h.ctx, table, now))
				s.Packed = true
			}
		case 3:
			if rng.IntN(4) == 0 && s != nil && s.Over {
				h.good(h.Drop(h.ctx, table, s.Next))
				delete(tables, table)
			}
		default:
			next := 0
			if s != nil {
				next = s.Next
			}
			wrong := rng.IntN(6) == 0
			if wrong {
				next++
			}
			a := store.Append{Table: table, Next: next, At: now}
			for i := range 1 + rng.IntN(3) {
				a.Entries = append(a.Entries, fmt.Appendf(nil, "%d.%d", step, i))
			}
			if s == nil || rng.IntN(2) == 0 {
				a.Row = &store.Row{Game: pick([]string{"bosk", "grandbois"}), Listed: rng.IntN(2) == 0, Over: rng.IntN(8) == 0, Turn: uint16(rng.IntN(8)), Private: []byte(fmt.Sprint(step))}
				if rng.IntN(2) == 0 {
					a.Row.Wake = after(rng.IntN(2000))
				}
				for range rng.IntN(4) {
					a.Row.Sitting = append(a.Row.Sitting, pick(append([]string{""}, accounts...)))
				}
			}
			receipt, err := h.Append(h.ctx, a)
			var conflict *store.Conflict
			switch {
			case s != nil && s.Packed:
				if !errors.Is(err, store.ErrOver) {
					t.Fatalf("step %d: %v", step, err)
				}
			case s == nil && wrong:
				if !errors.Is(err, store.ErrNone) {
					t.Fatalf("step %d: %v", step, err)
				}
			case wrong:
				if !errors.As(err, &conflict) || conflict.Next != s.Next {
					t.Fatalf("step %d: %v", step, err)
				}
			default:
				if err != nil || receipt.Next != next+len(a.Entries) {
					t.Fatalf("step %d: %+v, %v", step, receipt, err)
				}
				if s == nil {
					born++
					s = &shadow{Listing: store.Listing{ID: table, Serial: born, Row: store.Row{Game: a.Row.Game}}}
					tables[table] = s
				}
				s.Next, s.Changed = receipt.Next, now
				for _, e := range a.Entries {
					s.log = append(s.log, string(e))
				}
				if a.Row != nil {
					game := s.Game
					s.Row = *a.Row
					s.Game, s.Sitting = game, slices.Clone(s.Sitting)
					for i, who := range s.Sitting {
						if !people[who] {
							s.Sitting[i] = ""
						}
					}
				}
			}
		}
		h.compare(tables, pick(names), pick(accounts), after(rng.IntN(2000)))
		if t.Failed() {
			t.Fatalf("at step %d", step)
		}
	}
}

// compare asks about one table and for every list.
func (h *trial) compare(tables map[string]*shadow, table, account string, at time.Time) {
	h.Helper()
	log, err := h.Read(h.ctx, table, 0)
	l, errTable := h.Table(h.ctx, table)
	if s := tables[table]; s == nil {
		if !errors.Is(err, store.ErrNone) || !errors.Is(errTable, store.ErrNone) {
			h.Errorf("%s is there: %v, %v", table, err, errTable)
		}
	} else {
		var bodies []string
		for _, e := range log {
			bodies = append(bodies, string(e.Body))
		}
		if err != nil || !slices.Equal(bodies, s.log) {
			h.Errorf("the log of %s is %v, %v, want %v", table, bodies, err, s.log)
		}
		want := s.Listing
		want.Serial = l.Serial
		if fmt.Sprintf("%+v", l) != fmt.Sprintf("%+v", want) {
			h.Errorf("the index says, %v,\n%+v, want\n%+v", errTable, l, want)
		}
	}
	mine := func(s *shadow) bool { return slices.Contains(s.Sitting, account) }
	turn := func(s *shadow) int {
		for i, who := range s.Sitting {
			if who == account && s.Turn>>i&1 == 1 {
				return 0
			}
		}
		return 1
	}
	h.ids(sift(tables, func(s *shadow) bool { return s.Listed }, newest))(h.Listed(h.ctx, "", 0, 100))
	h.ids(sift(tables, func(s *shadow) bool { return s.Listed && s.Game == "bosk" }, newest))(h.Listed(h.ctx, "bosk", 0, 100))
	h.ids(sift(tables, func(s *shadow) bool { return mine(s) && s.Over }, newest))(h.Played(h.ctx, account, 0, 100))
	h.ids(sift(tables, func(s *shadow) bool { return mine(s) && !s.Over }, func(a, b *shadow) int {
		return cmp.Or(cmp.Compare(turn(a), turn(b)), b.Changed.Compare(a.Changed), newest(a, b))
	}))(h.Sitting(h.ctx, account, 100))
	h.ids(sift(tables, func(s *shadow) bool { return !s.Wake.IsZero() && !s.Wake.After(at) }, func(a, b *shadow) int {
		return cmp.Or(a.Wake.Compare(b.Wake), newest(b, a))
	}))(h.Due(h.ctx, at, 100))
}

func newest(a, b *shadow) int { return cmp.Compare(b.Serial, a.Serial) }

func sift(tables map[string]*shadow, keep func(*shadow) bool, order func(a, b *shadow) int) string {
	var list []*shadow
	for _, s := range tables {
		if keep(s) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, order)
	names := ""
	for _, s := range list {
		names += s.ID + " "
	}
	return names
}
