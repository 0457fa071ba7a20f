package hall

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"copse/game"
	"copse/news"
	"copse/store"
	"copse/table"
)

// deaf is a store that writes, but its answer is lost; with blind set it does not
// answer reads either.
type deaf struct {
	store.Store
	err   error
	blind bool
}

func (d *deaf) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	receipt, err := d.Store.Append(ctx, a)
	if err == nil && d.err != nil {
		return store.Receipt{}, d.err
	}
	return receipt, err
}

func (d *deaf) Table(ctx context.Context, id string) (store.Listing, error) {
	if d.blind {
		return store.Listing{}, d.err
	}
	return d.Store.Table(ctx, id)
}

// TestToldThoughTheAnswerWasLost: what was written is told to everyone who looks on
// and to their lists, each entry once, though the person who did it was told of
// trouble; also where the table could not even be read again.
func TestToldThoughTheAnswerWasLost(t *testing.T) {
	for _, name := range []string{"bosk", "grandbois"} { // the one has no secrets, the other has
		for _, blind := range []bool{false, true} {
			h := newTestHall(t)
			people := []Account{h.account("anna"), h.account("ben")}
			id := h.begun(settings(name, 2), people...)
			seated, watching, lists := h.Listen(100), h.Listen(100), h.Listen(100)
			first, err := h.Follow(t.Context(), id, people[1], seated)
			h.good(err)
			_, err = h.Follow(t.Context(), id, Account{}, watching)
			h.good(err)
			_, err = lists.Watch(news.Account(people[1].ID), nil)
			h.good(err)
			p, last, err := h.Position(t.Context(), id, people[0])
			h.good(err)
			before, err := h.db.Table(t.Context(), id)
			h.good(err)
			trouble := &deaf{Store: h.db, err: context.DeadlineExceeded, blind: blind}
			h.store = trouble
			once := store.Once{Key: "k", Asked: []byte("a move")}
			asked := Request{By: people[0], Want: play(last, p.Moves()[0]), Once: once}
			if _, err := h.Do(t.Context(), id, asked); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("it is answered by %v", err)
			}
			h.store = h.db
			if blind { // until somebody comes nobody knows
				_, err := h.Look(t.Context(), id, Account{})
				h.good(err)
			}
			heard := func(reader news.Reader, viewer game.Seat) (numbers []int) {
				t.Helper()
				for item, ok := reader.Take(); ok; item, ok = reader.Take() {
					if item.Number == news.Unnumbered {
						continue
					}
					numbers = append(numbers, item.Number)
					form, _, ok := Form(item.Body, viewer)
					told, err := h.Since(t.Context(), id, map[game.Seat]Account{1: people[1]}[viewer], item.Number, 1)
					if h.good(err); !ok || string(form) != string(told[0]) {
						t.Errorf("entry %d is told to %v as %s, not %s", item.Number, viewer, form, told)
					}
				}
				return numbers
			}
			now, err := h.Look(t.Context(), id, people[1])
			h.good(err)
			var want []int
			for n := first.Look.Number + 1; n <= now.Look.Number; n++ {
				want = append(want, n)
			}
			if len(want) == 0 {
				t.Fatal("nothing has happened")
			}
			if got := heard(seated, 1); !slices.Equal(got, want) {
				t.Errorf("%s: at the table %v is heard, not %v", name, got, want)
			}
			if got := heard(watching, game.Watcher); !slices.Equal(got, want) {
				t.Errorf("%s: who looks on hears %v, not %v", name, got, want)
			}
			after, err := h.db.Table(t.Context(), id)
			h.good(err)
			if item, ok := lists.Take(); !bytes.Equal(before.About, after.About) && (!ok || !strings.HasPrefix(string(item.Body), "mine\n")) {
				t.Errorf("%s: lists are told %q", name, item.Body)
			}
			// The same request sent again is answered, and not told again.
			if n, err := h.Do(t.Context(), id, asked); err != nil || n < want[0] {
				t.Errorf("sent again it is answered by %d, %v", n, err)
			}
			if got := append(heard(seated, 1), heard(watching, game.Watcher)...); len(got) > 0 {
				t.Errorf("%s: told again are %v", name, got)
			}
			h.do(id, people[1], func(p table.Person) table.Command { return table.Suggest{Person: p, For: table.Pause} })
			if all := want[len(want)-1] + 2; h.crowd.tell(id, all) != all {
				t.Errorf("%s: what was told is told again when the table is read", name)
			}
			if got := heard(seated, 1); len(got) != 1 || got[0] != want[len(want)-1]+1 {
				t.Errorf("%s: after that %v is heard", name, got)
			}
		}
	}
}

// TestABotGoesOnThoughTheAnswerWasLost: it does not wait until somebody looks.
func TestABotGoesOnThoughTheAnswerWasLost(t *testing.T) {
	h, bots := slowHall(t)
	anna := h.from("10.0.0.0/24", "anna")
	id := h.against(anna, "level:1")
	<-bots.began
	bots.go_ <- struct{}{}
	reader := h.Listen(100)
	_, err := h.Follow(t.Context(), id, anna, reader)
	h.good(err)
	for h.turnOf(id, anna) != 1 {
		<-reader.Ready()
	}
	var p game.Position
	var last int
	for {
		p, last, err = h.Position(t.Context(), id, anna)
		h.good(err)
		r, err := h.enter(t.Context(), id)
		h.good(err)
		h.store = &deaf{Store: h.db, err: context.DeadlineExceeded}
		r.leave()
		_, err = h.Do(t.Context(), id, Request{By: anna, Want: play(last, p.Moves()[0])})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("it is answered by %v", err)
		}
		if h.turnOf(id, anna) == 0 {
			break
		}
	}
	<-bots.began
	h.Stop()
}

// turnOf is whose turn it is.
func (h *testHall) turnOf(id string, by Account) game.Seat {
	h.Helper()
	s, err := h.Look(h.Context(), id, by)
	h.good(err)
	return s.Look.ToAct[0]
}

// TestManyEntriesThatWereNotTold: a client that misses more than is told at once is
// sent to the log.
func TestManyEntriesThatWereNotTold(t *testing.T) {
	t.Parallel()
	h := newTestHall(t)
	people := []Account{h.account("anna"), h.account("ben")}
	id := h.begun(settings("bosk", 2), people...)
	reader := h.Listen(1000)
	_, err := h.Follow(t.Context(), id, people[1], reader)
	h.good(err)
	other := h.another() // another node of the same house
	defer other.Stop()
	for range mostTold/2 + 1 {
		for _, want := range []func(p table.Person) table.Command{
			func(p table.Person) table.Command { return table.Leave{Person: p} },
			func(p table.Person) table.Command { return table.Return{Person: p} },
		} {
			_, err := other.Do(t.Context(), id, Request{By: people[1], Want: want})
			h.good(err)
		}
	}
	h.do(id, people[1], func(p table.Person) table.Command { return table.Leave{Person: p} })
	for _, ok := reader.Take(); ok; _, ok = reader.Take() {
	}
	if !errors.Is(reader.Err(), news.ErrGap) {
		t.Errorf("it ends by %v", reader.Err())
	}
}
