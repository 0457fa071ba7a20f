package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"copse/store"
)

func numbered(t *testing.T, h *trial) {
	h.found("oak", 3, store.Row{Game: "bosk"})
	receipt, err := h.Append(h.ctx, store.Append{Table: "oak", Next: 3, At: after(1), Entries: [][]byte{body("oak", 3), body("oak", 4)}})
	h.good(err)
	if receipt.Next != 5 || receipt.Repeated {
		t.Errorf("the receipt is %+v, want the log to go on at 5", receipt)
	}
	h.log("oak", 5)
	for from, want := range []int{5, 4, 3, 2, 1, 0, 0, 0} {
		log, err := h.Read(h.ctx, "oak", from)
		h.good(err)
		if len(log) != want {
			t.Errorf("from %d on there are %d entries, want %d", from, len(log), want)
		}
		if want > 0 && log[0].Number != from {
			t.Errorf("from %d on the first is %d", from, log[0].Number)
		}
	}
	log, err := h.Read(h.ctx, "oak", 2)
	h.good(err)
	if !log[0].At.Equal(day) || !log[1].At.Equal(after(1)) {
		t.Errorf("the entries are of %v and %v", log[0].At, log[1].At)
	}
	if l, err := h.Table(h.ctx, "oak"); err != nil || l.Next != 5 || !l.Changed.Equal(after(1)) {
		t.Errorf("the index says %+v, %v", l, err)
	}
}

func secondWriter(t *testing.T, h *trial) {
	h.found("oak", 2, store.Row{Game: "bosk"})
	for _, next := range []int{-1, 0, 1, 3, 1000} {
		_, err := h.Append(h.ctx, store.Append{Table: "oak", Next: next, At: day, Entries: [][]byte{[]byte("late")}, Row: &store.Row{Game: "bosk", Over: true},
			Jobs: []store.Job{{Kind: "late", Due: day}}})
		var conflict *store.Conflict
		if !errors.As(err, &conflict) {
			t.Fatalf("at %d: %v, want a conflict", next, err)
		}
		if next >= 0 && *conflict != (store.Conflict{Table: "oak", Asked: next, Next: 2}) {
			t.Errorf("at %d it is told %+v", next, *conflict)
		}
	}
	h.log("oak", 2)
	if l, err := h.Table(h.ctx, "oak"); err != nil || l.Over {
		t.Errorf("the loser has changed the row: %+v, %v", l, err)
	}
	if jobs, err := h.Claim(h.ctx, "late", after(1), after(2), 10); err != nil || len(jobs) != 0 {
		t.Errorf("the loser has planned %v, %v", jobs, err)
	}
}

func manyWriters(t *testing.T, h *trial) {
	h.found("oak", 1, store.Row{Game: "bosk"})
	for next := 1; next <= 20; next++ {
		var won atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				_, err := h.Append(h.ctx, store.Append{Table: "oak", Next: next, At: day, Entries: [][]byte{body("oak", next)}})
				var conflict *store.Conflict
				switch {
				case err == nil:
					won.Add(1)
				case !errors.As(err, &conflict) || conflict.Next != next+1:
					t.Errorf("a loser at %d is told %v", next, err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d writers have won number %d", won.Load(), next)
		}
	}
	h.log("oak", 21)
}

// manyTables has many writers at many tables, who meet, lose, read and go on.
func manyTables(t *testing.T, h *trial) {
	const tables, writers, each = 24, 3, 15
	var wg sync.WaitGroup
	for i := range tables {
		table := fmt.Sprintf("table-%d", i)
		h.found(table, 1, store.Row{Game: "bosk"})
		for range writers {
			wg.Go(func() {
				next := 1
				for done := 0; done < each; {
					receipt, err := h.Append(h.ctx, store.Append{Table: table, Next: next, At: day, Entries: [][]byte{body(table, next)}, Row: &store.Row{Game: "bosk", Turn: uint16(next)}})
					var conflict *store.Conflict
					switch {
					case err == nil:
						next = receipt.Next
						done++
						if log, err := h.Read(h.ctx, table, next-1); err != nil || len(log) == 0 || log[0].Number != next-1 {
							t.Errorf("what was acknowledged cannot be read: %v, %v", log, err)
							return
						}
					case errors.As(err, &conflict) && conflict.Next > next:
						next = conflict.Next
					default:
						t.Errorf("%s at %d: %v", table, next, err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	for i := range tables {
		h.log(fmt.Sprintf("table-%d", i), 1+writers*each)
	}
}

// strangers has every second of many appends at the same time go wrong, each in
// another way.
func strangers(t *testing.T, h *trial) {
	wrong := []func(store.Append) store.Append{
		func(a store.Append) store.Append { a.Next = 7; return a },
		func(a store.Append) store.Append { a.Table = "nowhere"; a.Row = nil; return a },
		func(a store.Append) store.Append { a.Table = "no name"; return a },
		func(a store.Append) store.Append { a.Entries = [][]byte{make([]byte, store.LargestEntry+1)}; return a },
	}
	var wg sync.WaitGroup
	for i := range 40 {
		table := fmt.Sprintf("table-%d", i)
		h.found(table, 1, store.Row{Game: "bosk"})
		wg.Go(func() {
			for next := 1; next <= 5; next++ {
				a := store.Append{Table: table, Next: next, At: day, Entries: [][]byte{body(table, next)}, Row: &store.Row{Game: "bosk"}}
				if i%2 == 1 {
					a = wrong[i/2%len(wrong)](a)
				}
				if _, err := h.Append(h.ctx, a); (err == nil) != (i%2 == 0) {
					t.Errorf("append %d of writer %d: %v", next, i, err)
				}
			}
		})
	}
	wg.Wait()
	for i := range 40 {
		h.log(fmt.Sprintf("table-%d", i), 1+5*((i+1)%2))
	}
}

func whole(t *testing.T, h *trial) {
	h.account("anna")
	row := store.Row{Game: "bosk", Listed: true, Sitting: []string{"anna", ""}, Turn: 1, Wake: after(9), About: []byte("about"), Private: []byte("clocks")}
	receipt, err := h.Append(h.ctx, store.Append{Table: "oak", At: day, Entries: [][]byte{body("oak", 0)}, Row: &row,
		Once: store.Once{Who: "anna", Key: "k", Answer: []byte("seat 0")}, Jobs: []store.Job{{Kind: "bot", Name: "oak", Due: after(1), Body: []byte("seat 1")}}})
	h.good(err)
	if string(receipt.Answer) != "seat 0" || receipt.Next != 1 {
		t.Errorf("the receipt is %+v", receipt)
	}
	l, err := h.Table(h.ctx, "oak")
	h.good(err)
	want := store.Listing{ID: "oak", Serial: l.Serial, Next: 1, Changed: day, Row: row}
	if fmt.Sprintf("%+v", l) != fmt.Sprintf("%+v", want) {
		t.Errorf("the index says\n%+v, want\n%+v", l, want)
	}
	if jobs, err := h.Claim(h.ctx, "bot", after(1), after(2), 10); err != nil || len(jobs) != 1 || string(jobs[0].Body) != "seat 1" {
		t.Errorf("there are jobs %v, %v", jobs, err)
	}

	// Without a row everything but the number stays; without entries everything
	// but the row does.
	_, err = h.Append(h.ctx, store.Append{Table: "oak", Next: 1, At: after(3), Entries: [][]byte{body("oak", 1)}})
	h.good(err)
	_, err = h.Append(h.ctx, store.Append{Table: "oak", Next: 2, At: after(4), Row: &store.Row{Game: "bosk", Sitting: []string{"", "anna"}, Turn: 2, Private: []byte("later clocks")}})
	h.good(err)
	h.log("oak", 2)
	l, err = h.Table(h.ctx, "oak")
	h.good(err)
	if l.Next != 2 || !l.Changed.Equal(after(4)) || l.Listed || l.Turn != 2 || !l.Wake.IsZero() || string(l.Private) != "later clocks" || len(l.About) != 0 || !slices.Equal(l.Sitting, []string{"", "anna"}) {
		t.Errorf("the index says %+v", l)
	}
	if _, err = h.Append(h.ctx, store.Append{Table: "oak", Next: 1, Row: &store.Row{Game: "bosk"}}); err == nil {
		t.Error("a row was written under a number that is past")
	}

	// A table comes with a row and an entry.
	for _, a := range []store.Append{
		{Table: "elm", Entries: [][]byte{body("elm", 0)}},
		{Table: "elm", Row: &store.Row{Game: "bosk"}},
		{Table: "elm", Next: 1, Entries: [][]byte{body("elm", 1)}, Row: &store.Row{Game: "bosk"}},
	} {
		if _, err := h.Append(h.ctx, a); !errors.Is(err, store.ErrNone) {
			t.Errorf("%+v is answered %v", a, err)
		}
	}
	if _, err := h.Read(h.ctx, "elm", 0); !errors.Is(err, store.ErrNone) {
		t.Errorf("there is a table that nobody made: %v", err)
	}
}

func copied(t *testing.T, h *trial) {
	strange := []byte{0, 1, 0xff, '\'', '"', 0, '\n'}
	mine := slices.Clone(strange)
	_, err := h.Append(h.ctx, store.Append{Table: "oak", Entries: [][]byte{mine, {}, nil}, Row: &store.Row{Game: "bosk"}})
	h.good(err)
	clear(mine)
	for range 2 {
		log, err := h.Read(h.ctx, "oak", 0)
		h.good(err)
		if len(log) != 3 || !bytes.Equal(log[0].Body, strange) || len(log[1].Body)+len(log[2].Body) != 0 || !log[0].At.IsZero() {
			t.Fatalf("what is read is not what was written: %v", log)
		}
		clear(log[0].Body)
	}
}

func repeated(t *testing.T, h *trial) {
	h.found("oak", 1, store.Row{Game: "bosk"})
	once := store.Once{Who: "anna", Key: "first", Asked: []byte("a leaf"), After: 1, Answer: []byte("yes")}
	a := store.Append{Table: "oak", Next: 1, At: day, Entries: [][]byte{body("oak", 1), body("oak", 2)}, Once: once}
	if _, ok, err := h.Answered(h.ctx, "oak", once); ok || err != nil {
		t.Errorf("an answer before the question: %v, %v", ok, err)
	}
	first, err := h.Append(h.ctx, a)
	h.good(err)
	_, err = h.Append(h.ctx, store.Append{Table: "oak", Next: 3, At: day, Entries: [][]byte{body("oak", 3)}, Once: store.Once{Who: "ben", Key: "first", Answer: []byte("ben's")}})
	h.good(err) // another's key of the same name
	again := func(from int, next int) {
		t.Helper()
		a := a
		a.Next, a.Once.After, a.Once.Answer = next, from, []byte("another answer")
		receipt, err := h.Append(h.ctx, a)
		h.good(err)
		if want := (store.Receipt{Next: first.Next, Repeated: true, Answer: []byte("yes")}); fmt.Sprint(receipt) != fmt.Sprint(want) {
			t.Errorf("repeated, it is answered %+v, want %+v", receipt, want)
		}
		receipt, ok, err := h.Answered(h.ctx, "oak", a.Once)
		if err != nil || !ok || receipt.Next != first.Next || string(receipt.Answer) != "yes" {
			t.Errorf("asked for, it is answered %+v, %v, %v", receipt, ok, err)
		}
	}
	again(1, 1) // just as before
	again(0, 4) // as if it were new
	h.log("oak", 4)
	if _, ok, err := h.Answered(h.ctx, "oak", store.Once{Who: "anna", Key: "second"}); ok || err != nil {
		t.Errorf("a key that was never used is answered: %v, %v", ok, err)
	}
	if _, ok, err := h.Answered(h.ctx, "elm", once); ok || err != nil {
		t.Errorf("a table that is not there has answered: %v, %v", ok, err)
	}
	// The table itself may be made again, too.
	for i := range 2 {
		receipt, err := h.Append(h.ctx, store.Append{Table: "elm", Entries: [][]byte{body("elm", 0)}, Row: &store.Row{Game: "bosk"}, Once: store.Once{Who: "anna", Key: "made"}})
		if err != nil || receipt.Next != 1 || receipt.Repeated != (i == 1) {
			t.Errorf("made again: %+v, %v", receipt, err)
		}
	}
}

func manyRepetitions(t *testing.T, h *trial) {
	h.found("oak", 1, store.Row{Game: "bosk"})
	for round := range 10 {
		var wrote atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				receipt, err := h.Append(h.ctx, store.Append{Table: "oak", Next: 1 + round, At: day, Entries: [][]byte{body("oak", 1+round)},
					Once: store.Once{Who: "anna", Key: fmt.Sprint(round), After: 1 + round, Answer: fmt.Append(nil, round)}})
				if err != nil || receipt.Next != 2+round || string(receipt.Answer) != fmt.Sprint(round) {
					t.Errorf("round %d: %+v, %v", round, receipt, err)
				}
				if !receipt.Repeated {
					wrote.Add(1)
				}
			})
		}
		wg.Wait()
		if wrote.Load() != 1 {
			t.Errorf("round %d was written %d times", round, wrote.Load())
		}
	}
	h.log("oak", 11)
}

func reused(t *testing.T, h *trial) {
	h.found("oak", 1, store.Row{Game: "bosk"})
	a := store.Append{Table: "oak", Next: 1, At: day, Entries: [][]byte{body("oak", 1)}, Once: store.Once{Who: "anna", Key: "k", Asked: []byte("a leaf")}}
	_, err := h.Append(h.ctx, a)
	h.good(err)
	a.Next, a.Once.Asked = 2, []byte("a squirrel")
	if _, err := h.Append(h.ctx, a); !errors.Is(err, store.ErrReused) {
		t.Errorf("another request under the same key: %v", err)
	}
	if _, _, err := h.Answered(h.ctx, "oak", a.Once); !errors.Is(err, store.ErrReused) {
		t.Errorf("another question under the same key: %v", err)
	}
	h.log("oak", 2)

	// However far back it lies, whatever came since, and whoever asks first: it is
	// not only looked for where it would be if it were the same.
	again := func(next int) {
		t.Helper()
		for _, first := range []string{"append", "look"} {
			a.Next, a.Once.After, a.Entries = next, next, [][]byte{body("oak", next)}
			if first == "append" {
				if receipt, err := h.Append(h.ctx, a); !errors.Is(err, store.ErrReused) {
					t.Errorf("at %d another request under the same key is answered %+v, %v", next, receipt, err)
				}
			} else if _, _, err := h.Answered(h.ctx, "oak", a.Once); !errors.Is(err, store.ErrReused) {
				t.Errorf("at %d another question under the same key: %v", next, err)
			}
		}
		h.log("oak", next)
	}
	again(2)
	for next := 2; next < 40; next++ {
		b := store.Append{Table: "oak", Next: next, At: day, Entries: [][]byte{body("oak", next)}}
		if next%3 > 0 {
			b.Once = store.Once{Who: "anna", Key: fmt.Sprint(next), Asked: []byte("a nut"), After: next}
		}
		_, err := h.Append(h.ctx, b)
		h.good(err)
	}
	again(40)
	h.leave()
	h.enter()
	again(40)
	_, err = h.Append(h.ctx, store.Append{Table: "oak", Next: 40, At: day, Entries: [][]byte{body("oak", 40)}})
	h.good(err) // without a key
	a.Once.Key = "38"
	again(41)
	a.Once.Key = "unlike any other"
	a.Next, a.Once.After, a.Entries = 41, 41, [][]byte{body("oak", 41)}
	if receipt, err := h.Append(h.ctx, a); err != nil || receipt.Repeated || receipt.Next != 42 {
		t.Errorf("a new key is answered %+v, %v", receipt, err)
	}
	h.log("oak", 42)
}

func packed(t *testing.T, h *trial) {
	rng := rand.New(rand.NewPCG(1, 2))
	var want [][]byte
	for number := range 300 {
		b := fmt.Appendf(nil, `{"do":"leaf","to":[%d,%d],"n":%d}`, rng.IntN(12), rng.IntN(12), number)
		if number%50 == 3 {
			b = nil
		}
		want = append(want, b)
		_, err := h.Append(h.ctx, store.Append{Table: "oak", Next: number, At: after(number), Entries: [][]byte{b}, Row: &store.Row{Game: "bosk", Over: number == 299}})
		h.good(err)
	}
	h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{Next: 300, Body: []byte("the end")}))
	before, err := h.Read(h.ctx, "oak", 0)
	h.good(err)
	for range 2 {
		h.good(h.Pack(h.ctx, "oak", after(300)))
		for _, from := range []int{0, 1, 150, 299, 300, 301} {
			log, err := h.Read(h.ctx, "oak", from)
			h.good(err)
			if fmt.Sprint(log) != fmt.Sprint(before[min(from, 300):]) {
				t.Errorf("from %d on the packed log reads differently", from)
			}
			for i, e := range log {
				if !bytes.Equal(e.Body, want[from+i]) {
					t.Fatalf("entry %d was %s and is %s", from+i, want[from+i], e.Body)
				}
			}
		}
	}
	if l, err := h.Table(h.ctx, "oak"); err != nil || !l.Packed || l.Next != 300 || !l.Over {
		t.Errorf("the index says %+v, %v", l, err)
	}
	for _, next := range []int{0, 299, 300} {
		if _, err := h.Append(h.ctx, store.Append{Table: "oak", Next: next, Entries: [][]byte{[]byte("more")}, Row: &store.Row{Game: "bosk"}}); !errors.Is(err, store.ErrOver) {
			t.Errorf("an append at %d of a packed log: %v", next, err)
		}
	}
	if _, ok, err := h.Snapshot(h.ctx, "oak"); ok || err != nil {
		t.Errorf("a log that was just packed has a snapshot: %v, %v", ok, err)
	}
	h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{Next: 300, Body: []byte("the end")}))
	if s, ok, err := h.Snapshot(h.ctx, "oak"); err != nil || ok && string(s.Body) != "the end" {
		t.Errorf("the snapshot of a packed log is %+v, %v", s, err)
	}
	if err := h.Pack(h.ctx, "elm", day); !errors.Is(err, store.ErrNone) {
		t.Errorf("packing nothing: %v", err)
	}
}

func keysOfThePacked(t *testing.T, h *trial) {
	once := func(key string) store.Once {
		return store.Once{Who: "anna", Key: key, Asked: []byte(key), Answer: []byte("answer to " + key)}
	}
	h.found("oak", 1, store.Row{Game: "bosk"})
	for i, at := range []time.Time{day.Add(-store.KeepKeys - time.Minute), day.Add(-store.KeepKeys + time.Minute), day} {
		_, err := h.Append(h.ctx, store.Append{Table: "oak", Next: i + 1, At: at, Entries: [][]byte{body("oak", i+1)}, Once: once(fmt.Sprint(i))})
		h.good(err)
	}
	h.good(h.Pack(h.ctx, "oak", day))
	for i, want := range []bool{false, true, true} {
		receipt, ok, err := h.Answered(h.ctx, "oak", once(fmt.Sprint(i)))
		h.good(err)
		if want && !ok || ok && (receipt.Next != i+2 || string(receipt.Answer) != fmt.Sprintf("answer to %d", i)) {
			t.Errorf("key %d is answered %v, %+v", i, ok, receipt)
		}
	}
	receipt, err := h.Append(h.ctx, store.Append{Table: "oak", Next: 3, Entries: [][]byte{body("oak", 3)}, Once: once("2")})
	if err != nil || !receipt.Repeated || receipt.Next != 4 {
		t.Errorf("the last move sent again after the game was packed: %+v, %v", receipt, err)
	}
	other := store.Append{Table: "oak", Next: 4, Entries: [][]byte{body("oak", 4)}, Once: store.Once{Who: "anna", Key: "2", Asked: []byte("else"), After: 3}}
	if receipt, err := h.Append(h.ctx, other); !errors.Is(err, store.ErrOver) && !errors.Is(err, store.ErrReused) {
		t.Errorf("something else under the key of a packed log: %+v, %v", receipt, err)
	}
	if receipt, ok, _ := h.Answered(h.ctx, "oak", other.Once); ok {
		t.Errorf("another question under the key of a packed log is answered %+v", receipt)
	}
	// Keys never become many: other games are packed, and old ones go.
	for i := range 3 {
		table := fmt.Sprintf("elm-%d", i)
		h.found(table, 1, store.Row{Game: "bosk"})
		h.good(h.Pack(h.ctx, table, day.Add(store.KeepKeys+time.Minute)))
	}
	if _, ok, err := h.Answered(h.ctx, "oak", once("2")); ok || err != nil {
		t.Errorf("a key of the day before yesterday is still there: %v, %v", ok, err)
	}
	h.log("oak", 4)
}

func tooLarge(t *testing.T, h *trial) {
	h.account("anna")
	h.found("oak", 1, store.Row{Game: "bosk"})
	ctx, big := h.ctx, make([]byte, 2<<20)
	add := func(change func(*store.Append)) error {
		a := store.Append{Table: "oak", Next: 1, Entries: [][]byte{body("oak", 1)}, Row: &store.Row{Game: "bosk"}}
		change(&a)
		_, err := h.Append(ctx, a)
		return err
	}
	_, sayErr := h.Say(ctx, "oak", store.ChatLine{Account: "anna", Body: big}, store.Once{})
	for what, err := range map[string]error{
		"entry":    add(func(a *store.Append) { a.Entries[0] = big }),
		"entries":  add(func(a *store.Append) { a.Entries = make([][]byte, store.MostEntries+1) }),
		"log":      add(func(a *store.Append) { a.Next = store.LongestLog }),
		"answer":   add(func(a *store.Append) { a.Once = store.Once{Key: "k", Answer: big} }),
		"seats":    add(func(a *store.Append) { a.Row.Sitting = make([]string, store.MostSeats+1) }),
		"game":     add(func(a *store.Append) { a.Row.Game = string(big) }),
		"about":    add(func(a *store.Append) { a.Row.About = big }),
		"beside":   add(func(a *store.Append) { a.Row.Private = big }),
		"job":      add(func(a *store.Append) { a.Jobs = []store.Job{{Kind: "k", Body: big}} }),
		"snapshot": h.SaveSnapshot(ctx, "oak", store.Snapshot{Body: big}),
		"line":     sayErr,
		"plan":     h.Plan(ctx, store.Job{Kind: string(big)}),
		"name":     h.AddAccount(ctx, store.Account{ID: "ben", Name: string(big)}),
		"note":     h.Admit(ctx, store.Pass{Account: "anna", Kind: store.Session, Label: string(big)}),
		"box":      add(func(a *store.Append) { a.Box = make([]byte, store.LargestBox+1) }),
	} {
		var large *store.TooLarge
		if !errors.As(err, &large) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, id := range []string{"", "a b", "a/b", "ä", "a.b", strings.Repeat("a", store.LongestID+1)} {
		_, appendErr := h.Append(ctx, store.Append{Table: id, Entries: [][]byte{nil}, Row: &store.Row{Game: "bosk"}})
		_, readErr := h.Read(ctx, id, 0)
		for _, err := range []error{appendErr, readErr, h.AddAccount(ctx, store.Account{ID: id}), add(func(a *store.Append) { a.Row.Sitting = []string{id + " "} })} {
			if !errors.Is(err, store.ErrID) {
				t.Errorf("%q as a name: %v", id, err)
			}
		}
	}
	h.log("oak", 1)
}

func nothing(t *testing.T, h *trial) {
	ctx := h.ctx
	_, read := h.Read(ctx, "oak", 0)
	_, table := h.Table(ctx, "oak")
	_, account := h.Account(ctx, "anna")
	_, pass := h.Pass(ctx, store.Session, store.DigestOf("x"), day)
	_, redeem := h.Redeem(ctx, store.DigestOf("x"), day, store.Pass{Digest: store.DigestOf("y")})
	_, say := h.Say(ctx, "oak", store.ChatLine{Account: "anna"}, store.Once{})
	_, box := h.Box(ctx, store.BoxHash(nil))
	_, paper := h.Paper(ctx, "note", "x")
	for what, err := range map[string]error{
		"read": read, "table": table, "account": account, "pass": pass, "redeem": redeem, "say": say, "box": box, "paper": paper, "write": h.Write(ctx, store.Paper{Kind: "note", Key: "x", Owner: "anna", Body: []byte("x")}),
		"drop": h.Drop(ctx, "oak", 0), "set account": h.SetAccount(ctx, store.Account{ID: "anna"}), "delete account": h.DeleteAccount(ctx, "anna"),
		"admit": h.Admit(ctx, store.Pass{Account: "anna"}), "extend": h.Extend(ctx, store.Session, store.DigestOf("x"), day, day),
		"finish": h.Finish(ctx, store.Job{ID: 1}), "delay": h.Delay(ctx, store.Job{ID: 1}, day), "snapshot": h.SaveSnapshot(ctx, "oak", store.Snapshot{}),
	} {
		if !errors.Is(err, store.ErrNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if lines, err := h.Lines(ctx, "oak", 0, 10); err != nil || len(lines) != 0 {
		t.Errorf("lines: %v, %v", lines, err)
	}
}

func cancelled(t *testing.T, h *trial) {
	h.found("oak", 1, store.Row{Game: "bosk"})
	ctx, cancel := context.WithCancel(h.ctx)
	cancel()
	if _, err := h.Append(ctx, store.Append{Table: "oak", Next: 1, Entries: [][]byte{body("oak", 1)}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled append is answered %v", err)
	}
	if _, err := h.Read(ctx, "oak", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled read is answered %v", err)
	}
	// Cancelled in the midst, it is there whole or not at all, and nobody else
	// is held up.
	for i := range 50 {
		ctx, cancel := context.WithCancel(h.ctx)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, _ = h.Append(ctx, store.Append{Table: fmt.Sprintf("elm-%d", i), Entries: [][]byte{body(fmt.Sprintf("elm-%d", i), 0), body(fmt.Sprintf("elm-%d", i), 1)}, Row: &store.Row{Game: "bosk"}})
		})
		wg.Go(cancel)
		wg.Go(func() {
			table := fmt.Sprintf("ash-%d", i)
			_, err := h.Append(h.ctx, store.Append{Table: table, Entries: [][]byte{body(table, 0)}, Row: &store.Row{Game: "bosk"}})
			if err != nil {
				t.Errorf("beside a cancelled caller: %v", err)
			}
		})
		wg.Wait()
	}
	h.found("last", 1, store.Row{Game: "bosk"}) // what was begun is over
	for i := range 50 {
		h.log(fmt.Sprintf("ash-%d", i), 1)
		if log, err := h.Read(h.ctx, fmt.Sprintf("elm-%d", i), 0); err == nil && len(log) != 2 || err != nil && !errors.Is(err, store.ErrNone) {
			t.Errorf("of a cancelled append there are %v, %v", log, err)
		}
	}
}

func snapshots(t *testing.T, h *trial) {
	h.found("oak", 3, store.Row{Game: "bosk"})
	if _, ok, err := h.Snapshot(h.ctx, "oak"); ok || err != nil {
		t.Errorf("a snapshot that nobody saved: %v, %v", ok, err)
	}
	for next := range 3 {
		h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{Next: next, Body: fmt.Append(nil, "at ", next)}))
	}
	// It may be lost; what is there is the one that has most of the log.
	same := func(want string) {
		t.Helper()
		if s, ok, err := h.Snapshot(h.ctx, "oak"); err != nil || ok && string(s.Body) != want || ok && want == "" {
			t.Errorf("the snapshot is %+v, %v, want %q", s, err, want)
		}
	}
	same("at 2")
	h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{Next: 1, Body: []byte("of a node that is behind")}))
	same("at 2")
	h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{Next: 2, Body: []byte("in another form")}))
	same("in another form")
	h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{}))
	same("")
	h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{Next: 4, Body: []byte("longer than the log")}))
	h.good(h.SaveSnapshot(h.ctx, "oak", store.Snapshot{Next: 3, Body: []byte("at 3")}))
	same("at 3")
}
