package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"copse/store"
)

// Moves holds two adapters to what is promised of a store that is read out and put into
// another: they may be of two kinds, or of one. Both are empty.
func Moves(t *testing.T, from, to Fresh) {
	a, b := &trial{T: t, ctx: t.Context(), open: from(t)}, &trial{T: t, ctx: t.Context(), open: to(t)}
	a.enter()
	b.enter()
	a.live()
	t.Run("EverythingIsTheSame", func(t *testing.T) { everythingMoves(t, a, b) })
	t.Run("AllOfACallOrNothing", func(t *testing.T) { allOrNothing(t, b) })
	t.Run("HalfACopyIsNobodys", func(t *testing.T) { halfACopy(t, b) })
	t.Run("OneMoment", func(t *testing.T) { oneMoment(t, a) })
	t.Run("AnswersStay", func(t *testing.T) { answersStay(t, a, b) })
	t.Run("LifeGoesOn", func(t *testing.T) { lifeGoesOn(t, a, b) })
	a.leave()
	b.leave()
}

// mover is the store as one that is moved.
func (h *trial) mover() store.Mover {
	h.Helper()
	m, ok := h.Store.(store.Mover)
	if !ok {
		h.Fatalf("%T cannot be moved", h.Store)
	}
	return m
}

// pieces is everything that the store keeps.
func (h *trial) pieces(after int64) (list []store.Piece) {
	h.Helper()
	h.good(h.mover().Dump(h.ctx, after, func(p store.Piece) error {
		list = append(list, p)
		return nil
	}))
	return list
}

// live has a house live for a while, so that there is something of everything.
func (h *trial) live() {
	h.Helper()
	for i, id := range []string{"zoe", "anna", "ben"} {
		h.good(h.AddAccount(h.ctx, store.Account{ID: id, Name: "The \x00 \xff " + id, Salt: []byte("salt of " + id), Born: after(i), More: []byte("more")}))
	}
	anna, err := h.Account(h.ctx, "anna")
	h.good(err)
	anna.Name = "Anna"
	h.good(h.SetAccount(h.ctx, anna))
	h.good(h.Saw(h.ctx, "anna", after(7)))
	for i := range 5 {
		h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf(fmt.Sprint("session ", 5-i)), Kind: store.Session, Account: "anna", Born: day, Until: after(500), Label: fmt.Sprint("browser ", i)}))
	}
	h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf("token"), Kind: store.Token, Account: "ben", Born: day, Label: "a program"}))
	h.good(h.Use(h.ctx, store.Token, store.DigestOf("token"), after(1), after(2)))
	h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf("link"), Kind: store.Link, Account: "ben", Born: day, Until: after(30)}))
	box := []byte(`{"tiles":[1,2,3]}`)
	for i := range 12 {
		table := fmt.Sprint("table-", i)
		row := store.Row{Game: []string{"bosk", "grandbois"}[i%2], Listed: i%3 > 0, Sitting: []string{"anna", "", "ben"}, Turn: 1 << (i % 3), Wake: after(i), About: fmt.Append(nil, "about ", i), Private: []byte("private")}
		a := store.Append{Table: table, At: after(i), Row: &row, Entries: [][]byte{body(table, 0), body(table, 1)}, Once: store.Once{Who: "anna", Key: "first", Asked: []byte("a"), Answer: []byte("made")}}
		if i%4 == 1 {
			a.Box = box
		}
		_, err := h.Append(h.ctx, a)
		h.good(err)
		row.Over = i%3 == 2
		_, err = h.Append(h.ctx, store.Append{Table: table, Next: 2, At: after(i + 1), Row: &row, Entries: [][]byte{body(table, 2), nil}, Once: store.Once{Who: "ben", Key: "second", Asked: []byte("b")}})
		h.good(err)
		for n := range i % 4 {
			_, err := h.Say(h.ctx, table, store.ChatLine{At: after(i), Account: []string{"zoe", "anna"}[n%2], Body: fmt.Append(nil, "line ", n)}, store.Once{Who: "x", Key: fmt.Sprint(n)})
			h.good(err)
		}
		if row.Over && i > 2 {
			h.good(h.Pack(h.ctx, table, after(i+2)))
		}
	}
	_, err = h.Append(h.ctx, store.Append{Table: "dropped", At: day, Row: &store.Row{Game: "bosk"}, Entries: [][]byte{nil}})
	h.good(err)
	h.good(h.Drop(h.ctx, "dropped", 1))
	h.good(h.Write(h.ctx, store.Paper{Kind: "note", Key: "hers", Owner: "zoe", Body: []byte("x")}))
	for n := range 120 { // more than are read out at once
		h.good(h.Write(h.ctx, store.Paper{Kind: fmt.Sprint("kind-", n%3), Key: fmt.Sprintf("\xff%03d", n/2), Body: fmt.Append(nil, "paper ", n)}))
	}
	h.good(h.Write(h.ctx, store.Paper{Kind: "note", Key: "a", Owner: "anna", Body: []byte("1"), Until: after(9)}, store.Paper{Kind: "note", Key: "b", Owner: "ben", Body: []byte("1")}, store.Paper{Kind: "\x00", Key: "\x00", Body: []byte{0}}))
	h.good(h.Write(h.ctx, store.Paper{Kind: "note", Key: "b", Owner: "ben", Body: []byte("2"), Version: 1}))
	h.good(h.DeleteAccount(h.ctx, "zoe")) // with her lines of chat
	h.good(h.Plan(h.ctx, store.Job{Kind: "pack", Name: "table-2", Due: after(3), Body: []byte("now")}, store.Job{Kind: "pack", Due: after(1)}, store.Job{Kind: "other", Due: after(2), Body: []byte("later")}))
	if list, err := h.Claim(h.ctx, "pack", after(2), after(20), 1); err != nil || len(list) != 1 {
		h.Fatal(list, err)
	}
	for _, at := range []int{0, 1, 30, 31} {
		_, err := h.Beat(h.ctx, after(at), 5*time.Minute)
		h.good(err)
	}
}

// everythingMoves: also where it is moved in two goes, and every piece twice.
func everythingMoves(t *testing.T, a, b *trial) {
	all := a.pieces(0)
	if n, err := a.mover().Pieces(a.ctx); err != nil || n != len(all) {
		t.Errorf("%d pieces are counted, %v, and %d read out", n, err, len(all))
	}
	kinds := map[string]int{}
	for _, p := range all {
		switch {
		case p.Account != nil:
			kinds["account"]++
		case p.Pass != nil:
			kinds["pass"]++
		case p.Paper != nil:
			kinds["paper"]++
		case p.Table != nil:
			kinds["table"]++
		case p.Job != nil:
			kinds["job"]++
		case p.Pulse != nil:
			kinds["pulse"]++
		}
	}
	if want := map[string]int{"account": 2, "pass": 7, "paper": 123, "table": 12, "job": 3, "pulse": 1}; fmt.Sprint(kinds) != fmt.Sprint(want) {
		t.Errorf("there are %v, want %v", kinds, want)
	}
	half := len(all) / 2
	b.good(b.mover().Fill(b.ctx, all[:half]...))
	for _, p := range all {
		b.good(b.mover().Fill(b.ctx, p))
	}
	b.good(b.mover().Fill(b.ctx, all...))
	same(t, all, b.pieces(0))

	reached, err := a.mover().Reached(a.ctx)
	a.good(err)
	if there, err := b.mover().Reached(b.ctx); err != nil || there != reached || reached == 0 {
		t.Errorf("the last table is %d, and there %d, %v", reached, there, err)
	}
	tables := 0
	for _, p := range a.pieces(reached - 3) {
		if p.Table != nil {
			tables++
		}
	}
	if tables != 3 {
		t.Errorf("after the last but three there are %d tables", tables)
	}
	want, err := a.Check(a.ctx)
	a.good(err)
	if got, err := b.Check(b.ctx); err != nil || got != want {
		t.Errorf("it is checked: %+v, %v, want %+v", got, err, want)
	}
	one, err := a.mover().House(a.ctx)
	a.good(err)
	if other, err := b.mover().House(b.ctx); err != nil || one == other || len(one) < 16 {
		t.Errorf("the databases are called %s and %s, %v", one, other, err)
	}
}

// same compares pieces.
func same(t *testing.T, want, got []store.Piece) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("there are %d pieces, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i].Digest() != want[i].Digest() {
			t.Errorf("%s is %s\n%+v\nwant\n%+v", want[i].Name(), got[i].Name(), got[i].Table, want[i].Table)
		}
	}
}

// allOrNothing: what cannot be kept takes everything of its call along.
func allOrNothing(t *testing.T, b *trial) {
	before := b.pieces(0)
	ghost := store.Piece{Pass: &store.Pass{Digest: store.DigestOf("ghost"), Kind: store.Session, Account: "ghost", Born: day}}
	if err := b.mover().Fill(b.ctx, store.Piece{Account: &store.Account{ID: "carl", Born: day}}, ghost); err == nil {
		t.Error("a pass of nobody is kept")
	}
	ghost = store.Piece{Paper: &store.Paper{Kind: "note", Key: "ghost", Owner: "ghost", Body: []byte("x"), Version: 1}}
	if err := b.mover().Fill(b.ctx, store.Piece{Account: &store.Account{ID: "carl", Born: day}}, ghost); err == nil {
		t.Error("a paper of nobody is kept")
	}
	same(t, before, b.pieces(0))
}

// halfACopy: a store that others may serve takes nothing else before it is settled, and
// nothing of the copy after that.
func halfACopy(t *testing.T, b *trial) {
	s, shared := b.mover().(interface{ Settle(context.Context) error })
	if !shared {
		return
	}
	before := b.pieces(0)
	if err := b.AddAccount(b.ctx, store.Account{ID: "early", Born: day}); !errors.Is(err, store.ErrFilling) || !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("half a copy takes somebody: %v", err)
	}
	if _, err := b.Append(b.ctx, store.Append{Table: "table-0", Next: 4, At: day, Entries: [][]byte{nil}}); !errors.Is(err, store.ErrFilling) || !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("half a copy takes an entry: %v", err)
	}
	if err := b.Write(b.ctx, store.Paper{Kind: "early", Key: "early", Body: []byte("x")}); !errors.Is(err, store.ErrFilling) || !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("half a copy takes a paper: %v", err)
	}
	b.good(s.Settle(b.ctx))
	if err := b.mover().Fill(b.ctx, store.Piece{Account: &store.Account{ID: "late", Born: day}}); !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("a copy that is settled is filled: %v", err)
	}
	if err := s.Settle(b.ctx); !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("it is settled twice: %v", err)
	}
	same(t, before, b.pieces(0))
}

// oneMoment: what happens while a store is read out is not in it.
func oneMoment(t *testing.T, a *trial) {
	before := a.pieces(0)
	var read []store.Piece
	a.good(a.mover().Dump(a.ctx, 0, func(p store.Piece) error {
		if len(read) == 0 {
			a.account("late")
			a.found("late", 1, store.Row{Game: "bosk", Sitting: []string{"late"}})
			a.good(a.Plan(a.ctx, store.Job{Kind: "late", Due: day}))
			a.good(a.Write(a.ctx, store.Paper{Kind: "late", Key: "late", Body: []byte("x")}))
			if _, err := a.Append(a.ctx, store.Append{Table: "table-0", Next: 4, At: day, Entries: [][]byte{[]byte("late")}}); err != nil {
				return err
			}
		}
		read = append(read, p)
		return nil
	}))
	same(t, before, read)
	enough := errors.New("enough")
	if err := a.mover().Dump(a.ctx, 0, func(store.Piece) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("who has enough is told %v", err)
	}
}

// answersStay: everything that can be asked is answered as before.
func answersStay(t *testing.T, a, b *trial) {
	for _, table := range []string{"table-1", "table-2", "table-5", "table-11"} {
		for _, once := range []store.Once{{Who: "anna", Key: "first", Asked: []byte("a")}, {Who: "ben", Key: "second", Asked: []byte("b")}, {Who: "ben", Key: "third"}, {Who: "ben", Key: "second", Asked: []byte("c")}} {
			want, wantOK, wantErr := a.Answered(a.ctx, table, once)
			got, ok, err := b.Answered(b.ctx, table, once)
			if fmt.Sprint(got, ok, err) != fmt.Sprint(want, wantOK, wantErr) {
				t.Errorf("%s: %s is answered %+v, %v, %v, want %+v, %v, %v", table, once.Key, got, ok, err, want, wantOK, wantErr)
			}
		}
	}
	for _, who := range []string{"anna", "ben"} {
		ask := func(h *trial) string {
			sitting, err := h.Sitting(h.ctx, who, 100)
			h.good(err)
			played, err := h.Played(h.ctx, who, 0, 100)
			h.good(err)
			passes, err := h.Passes(h.ctx, who, store.Session, day)
			h.good(err)
			names := ""
			for _, l := range append(sitting, played...) {
				if l.ID != "table-0" { // which has gone on
					names += l.ID + " "
				}
			}
			return fmt.Sprintf("%s%+v", names, passes)
		}
		if want, got := ask(a), ask(b); got != want {
			t.Errorf("%s has\n%s\nwant\n%s", who, got, want)
		}
	}
	box, err := b.Box(b.ctx, store.BoxHash([]byte(`{"tiles":[1,2,3]}`)))
	if err != nil || !bytes.Contains(box, []byte("tiles")) {
		t.Errorf("the box is %s, %v", box, err)
	}
}

// lifeGoesOn at the other store where it was.
func lifeGoesOn(t *testing.T, a, b *trial) {
	again, err := b.Append(b.ctx, store.Append{Table: "table-0", Next: 2, At: day, Entries: [][]byte{[]byte("x")}, Once: store.Once{Who: "ben", Key: "second", Asked: []byte("b")}})
	if err != nil || !again.Repeated || again.Next != 4 {
		t.Errorf("an append that is sent again is answered %+v, %v", again, err)
	}
	if next, err := b.Append(b.ctx, store.Append{Table: "table-0", Next: 4, At: after(40), Entries: [][]byte{[]byte("x")}}); err != nil || next.Next != 5 {
		t.Errorf("the log goes on: %+v, %v", next, err)
	}
	if _, err := b.Append(b.ctx, store.Append{Table: "table-5", Next: 4, At: after(40), Entries: [][]byte{[]byte("x")}}); !errors.Is(err, store.ErrOver) {
		t.Errorf("a packed log goes on: %v", err)
	}
	line, err := b.Say(b.ctx, "table-3", store.ChatLine{At: after(41), Account: "anna", Body: []byte("more")}, store.Once{})
	if err != nil || line.Number != 3 {
		t.Errorf("the next line is %+v, %v", line, err)
	}
	line, err = b.Say(b.ctx, "table-3", store.ChatLine{At: after(41), Account: "anna", Body: []byte("line 1")}, store.Once{Who: "x", Key: "1"})
	if err != nil || line.Number != 1 {
		t.Errorf("a line that is said again is %+v, %v", line, err)
	}
	last, err := b.mover().Reached(b.ctx)
	b.good(err)
	b.found("new", 1, store.Row{Game: "bosk", Listed: true})
	if l, err := b.Table(b.ctx, "new"); err != nil || l.Serial <= last {
		t.Errorf("a new table has the number %d, and the last was %d, %v", l.Serial, last, err)
	}
	if jobs, err := b.Claim(b.ctx, "pack", after(10), after(50), 10); err != nil || len(jobs) != 1 || jobs[0].Name != "table-2" {
		t.Errorf("the job that nobody has claimed is %+v, %v", jobs, err)
	}
	jobs, err := b.Claim(b.ctx, "pack", after(30), after(50), 10)
	if err != nil || len(jobs) != 1 || jobs[0].Tries != 2 {
		t.Errorf("the job that somebody had claimed is %+v, %v", jobs, err)
	}
	b.good(b.Plan(b.ctx, store.Job{Kind: "new", Due: day}))
	if jobs, err := b.Claim(b.ctx, "new", after(1), after(2), 1); err != nil || len(jobs) != 1 {
		t.Errorf("a new job is %+v, %v", jobs, err)
	}
	b.good(b.Admit(b.ctx, store.Pass{Digest: store.DigestOf("new"), Kind: store.Session, Account: "anna", Born: day}))
	if list, err := b.Passes(b.ctx, "anna", store.Session, day); err != nil || len(list) != 6 || list[5].Digest != store.DigestOf("new") {
		t.Errorf("passes are %+v, %v", list, err)
	}
	if _, err := b.Beat(b.ctx, after(60), 5*time.Minute); err != nil {
		t.Error(err)
	}
	if list, err := b.Outages(b.ctx, time.Time{}); err != nil || len(list) != 2 || !list[1].From.Equal(after(31)) {
		t.Errorf("outages are %+v, %v", list, err)
	}
	if away, err := b.Away(b.ctx); err != nil || away != 58*time.Minute {
		t.Errorf("it was away for %v, %v", away, err)
	}
	if err := b.Write(b.ctx, store.Paper{Kind: "note", Key: "b", Owner: "ben", Body: []byte("x"), Version: 1}); !errors.Is(err, store.ErrChanged) {
		t.Errorf("a paper has lost its version: %v", err)
	}
	b.good(b.Write(b.ctx, store.Paper{Kind: "note", Key: "b", Owner: "ben", Body: []byte("3"), Version: 2}))
	if list, err := b.Overdue(b.ctx, after(9), 10); err != nil || len(list) != 1 || list[0].Key != "a" {
		t.Errorf("overdue are %+v, %v", list, err)
	}
	b.good(b.DeleteAccount(b.ctx, "anna"))
	b.paper("note", "a", "", 0)
	if _, err := b.Check(b.ctx); err != nil {
		t.Error(err)
	}
}
