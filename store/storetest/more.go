package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"copse/store"
)

func chat(t *testing.T, h *trial) {
	h.account("anna")
	h.account("ben")
	h.found("oak", 1, store.Row{Game: "bosk"})
	h.found("elm", 1, store.Row{Game: "bosk"})
	for i := range 5 {
		said, err := h.Say(h.ctx, "oak", store.ChatLine{At: after(i), Account: []string{"anna", "ben"}[i%2], Body: fmt.Append(nil, "line ", i)}, store.Once{Who: "x", Key: fmt.Sprint(i)})
		if err != nil || said.Number != i || !said.At.Equal(after(i)) {
			t.Errorf("line %d has got number %d at %v, %v", i, said.Number, said.At, err)
		}
	}
	again := store.ChatLine{At: after(100), Account: "ben", Body: []byte("line 3")}
	if said, err := h.Say(h.ctx, "oak", again, store.Once{Who: "x", Key: "3"}); err != nil || said.Number != 3 || !said.At.Equal(after(3)) || string(said.Body) != "line 3" {
		t.Errorf("a line said again is %+v, %v", said, err)
	}
	for _, other := range []store.ChatLine{{Account: "ben", Body: []byte("line 4")}, {Account: "anna", Body: []byte("line 3")}} {
		if said, err := h.Say(h.ctx, "oak", other, store.Once{Who: "x", Key: "3"}); !errors.Is(err, store.ErrReused) {
			t.Errorf("%q of %s under the same key is %+v, %v", other.Body, other.Account, said, err)
		}
	}
	lines, err := h.Lines(h.ctx, "oak", 1, 3)
	h.good(err)
	want := []store.ChatLine{
		{Number: 1, At: after(1), Account: "ben", Body: []byte("line 1")},
		{Number: 2, At: after(2), Account: "anna", Body: []byte("line 2")},
		{Number: 3, At: after(3), Account: "ben", Body: []byte("line 3")},
	}
	if fmt.Sprintf("%+v", lines) != fmt.Sprintf("%+v", want) {
		t.Errorf("lines are %+v", lines)
	}
	if lines, err := h.Lines(h.ctx, "elm", 0, 10); err != nil || len(lines) != 0 {
		t.Errorf("at another table: %+v, %v", lines, err)
	}
	if _, err := h.Say(h.ctx, "oak", store.ChatLine{Account: "ghost"}, store.Once{}); !errors.Is(err, store.ErrNone) {
		t.Errorf("nobody speaks: %v", err)
	}
	var wg sync.WaitGroup
	for i := range store.MostLines + 20 {
		wg.Go(func() {
			if _, err := h.Say(h.ctx, "elm", store.ChatLine{Account: "anna", Body: fmt.Append(nil, i)}, store.Once{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	lines, err = h.Lines(h.ctx, "elm", 0, 10*store.MostLines)
	h.good(err)
	if len(lines) != store.MostLines || lines[0].Number != 20 {
		t.Errorf("of many lines %d are kept, the first is number %d", len(lines), lines[0].Number)
	}
}

func jobs(t *testing.T, h *trial) {
	kinds := func(list []store.Job, err error) string {
		t.Helper()
		h.good(err)
		s := ""
		for _, j := range list {
			s += fmt.Sprintf("%s%d ", j.Body, j.Tries)
		}
		return s
	}
	claim := func(kind string, now, until, most int, want string) []store.Job {
		t.Helper()
		list, err := h.Claim(h.ctx, kind, after(now), after(until), most)
		if got := kinds(list, err); got != want {
			t.Errorf("claimed at %d: %q, want %q", now, got, want)
		}
		return list
	}
	h.good(h.Plan(h.ctx,
		store.Job{Kind: "bot", Due: after(3), Body: []byte("c")},
		store.Job{Kind: "bot", Due: after(1), Body: []byte("a")},
		store.Job{Kind: "mail", Due: after(1), Body: []byte("m")},
		store.Job{Kind: "bot", Due: after(2), Body: []byte("b")}))
	claim("bot", 0, 9, 10, "")
	claim("bot", 5, 9, 0, "")
	first := claim("bot", 2, 10, 10, "a1 b1 ")
	claim("bot", 5, 9, 10, "c1 ")
	h.good(h.Finish(h.ctx, first[0]))
	again := claim("bot", 10, 20, 10, "c2 b2 ") // the one who had claimed them is late
	for _, late := range []error{h.Finish(h.ctx, first[1]), h.Delay(h.ctx, first[1], after(99)), h.Finish(h.ctx, first[0])} {
		if !errors.Is(late, store.ErrNone) {
			t.Errorf("who is late has it still: %v", late)
		}
	}
	h.good(h.Delay(h.ctx, again[1], after(30)))
	h.good(h.Finish(h.ctx, again[0]))
	claim("bot", 29, 40, 10, "")
	last := claim("bot", 30, 40, 10, "b3 ")
	h.good(h.Finish(h.ctx, last[0]))
	claim("bot", 1000, 2000, 10, "")
	claim("mail", 1000, 2000, 10, "m1 ")

	// A name stands for one job, whoever has claimed it.
	h.good(h.Plan(h.ctx, store.Job{Kind: "bot", Name: "oak", Due: after(1), Body: []byte("old")}))
	old := claim("bot", 1, 10, 10, "old1 ")
	h.good(h.Plan(h.ctx, store.Job{Kind: "bot", Name: "oak", Due: after(2), Body: []byte("new")}, store.Job{Kind: "mail", Name: "oak", Due: after(2), Body: []byte("other")}))
	if err := h.Finish(h.ctx, old[0]); !errors.Is(err, store.ErrNone) {
		t.Errorf("a job planned anew is finished by who had the old one: %v", err)
	}
	renewed := claim("bot", 2, 10, 10, "new1 ")
	claim("mail", 2, 10, 10, "other1 ")
	late := func(claimed []store.Job) {
		t.Helper()
		for _, err := range []error{h.Finish(h.ctx, claimed[0]), h.Delay(h.ctx, claimed[0], after(99))} {
			if !errors.Is(err, store.ErrNone) {
				t.Errorf("who had claimed the job of that name before has it now: %v", err)
			}
		}
	}
	late(old) // though both were claimed once
	h.found("oak", 1, store.Row{Game: "bosk"})
	_, err := h.Append(h.ctx, store.Append{Table: "oak", Next: 1, At: day, Entries: [][]byte{body("oak", 1)}, Jobs: []store.Job{
		{Kind: "bot", Name: "oak", Due: after(1), Body: []byte("first")}, {Kind: "bot", Name: "oak", Due: after(3), Body: []byte("last")}}})
	h.good(err)
	claim("bot", 2, 10, 10, "")
	claim("bot", 3, 10, 10, "last1 ")
	late(renewed)
}

func manyClaims(t *testing.T, h *trial) {
	for i := range 50 {
		h.good(h.Plan(h.ctx, store.Job{Kind: "bot", Due: day, Body: fmt.Append(nil, i)}))
	}
	var mu sync.Mutex
	var got []int64
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for {
				list, err := h.Claim(h.ctx, "bot", after(1), after(10), 4)
				if err != nil {
					t.Error(err)
				}
				if len(list) == 0 {
					return
				}
				mu.Lock()
				for _, j := range list {
					got = append(got, j.ID)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.Sort(got)
	if len(got) != 50 || len(slices.Compact(got)) != 50 {
		t.Errorf("50 jobs were claimed %d times", len(got))
	}
}

// boxes come with a table and go with the last that has them.
func boxes(t *testing.T, h *trial) {
	const oaks, none = `{"tiles":[]}`, ""
	found := func(table, box string) error {
		_, err := h.Append(h.ctx, store.Append{Table: table, At: day, Entries: [][]byte{body(table, 0)}, Row: &store.Row{Game: "bosk"}, Box: []byte(box)})
		return err
	}
	there := func(box string, want bool) {
		t.Helper()
		got, err := h.Box(h.ctx, store.BoxHash([]byte(box)))
		if want && (err != nil || string(got) != box) || !want && !errors.Is(err, store.ErrNone) {
			t.Errorf("the box %q is %q, %v", box, got, err)
		}
	}
	there(oaks, false)
	h.good(found("oak", oaks))
	h.good(found("elm", oaks))
	h.good(found("ash", none))
	h.found("fir", 1, store.Row{Game: "bosk"})
	there(oaks, true)
	there(none, true)

	// A table that is not made keeps no box.
	var conflict *store.Conflict
	if err := found("fir", "another"); !errors.As(err, &conflict) {
		t.Errorf("a table is made twice: %v", err)
	}
	there("another", false)

	// Later appends do not change the box, and a packed log keeps it.
	_, err := h.Append(h.ctx, store.Append{Table: "elm", Next: 1, At: day, Entries: [][]byte{body("elm", 1)}, Row: &store.Row{Game: "bosk", Over: true}})
	h.good(err)
	h.good(h.Pack(h.ctx, "elm", day))
	h.good(h.Drop(h.ctx, "oak", 1))
	there(oaks, true)
	h.good(h.Drop(h.ctx, "fir", 1))
	there(none, true)
	h.good(h.Drop(h.ctx, "elm", 2))
	there(oaks, false)
	there(none, true)
	h.good(found("oak", oaks))
	there(oaks, true)
	checkedWhole(t, h)
}

func reopened(t *testing.T, h *trial) {
	h.account("anna")
	h.found("oak", 5, store.Row{Game: "bosk", Sitting: []string{"anna"}, Turn: 1, Wake: after(5), Private: []byte("clocks")})
	h.found("elm", 5, store.Row{Game: "bosk", Over: true, Sitting: []string{"anna"}})
	h.good(h.Pack(h.ctx, "elm", day))
	once := store.Once{Who: "anna", Key: "k", Answer: []byte("yes")}
	_, err := h.Append(h.ctx, store.Append{Table: "oak", Next: 5, At: day, Entries: [][]byte{body("oak", 5)}, Once: once})
	h.good(err)
	h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf("s"), Kind: store.Session, Account: "anna", Born: day}))
	h.good(h.Plan(h.ctx, store.Job{Kind: "bot", Due: day, Body: []byte("b")}))
	_, err = h.Append(h.ctx, store.Append{Table: "ash", At: day, Entries: [][]byte{body("ash", 0)}, Row: &store.Row{Game: "bosk"}, Box: []byte("box")})
	h.good(err)
	_, err = h.Say(h.ctx, "oak", store.ChatLine{Account: "anna", Body: []byte("hello")}, store.Once{})
	h.good(err)
	for range 2 {
		h.leave()
		h.enter()
		h.log("oak", 6)
		h.log("elm", 5)
		h.ids("oak ")(h.Sitting(h.ctx, "anna", 10))
		h.ids("elm ")(h.Played(h.ctx, "anna", 0, 10))
		h.ids("oak ")(h.Due(h.ctx, after(5), 10))
		if receipt, ok, err := h.Answered(h.ctx, "oak", once); err != nil || !ok || receipt.Next != 6 || string(receipt.Answer) != "yes" {
			t.Errorf("the key: %+v, %v, %v", receipt, ok, err)
		}
		_, pass := h.Pass(h.ctx, store.Session, store.DigestOf("s"), day)
		h.good(pass)
		_, box := h.Box(h.ctx, store.BoxHash([]byte("box")))
		h.good(box)
		if lines, err := h.Lines(h.ctx, "oak", 0, 5); err != nil || len(lines) != 1 {
			t.Errorf("the chat: %v, %v", lines, err)
		}
		if l, err := h.Table(h.ctx, "oak"); err != nil || string(l.Private) != "clocks" {
			t.Errorf("the row: %+v, %v", l, err)
		}
	}
	if list, err := h.Claim(h.ctx, "bot", day, after(1), 5); err != nil || len(list) != 1 {
		t.Errorf("the jobs: %v, %v", list, err)
	}
}

func checked(t *testing.T, h *trial) {
	h.account("anna")
	h.found("oak", 5, store.Row{Game: "bosk", Sitting: []string{"anna"}})
	h.found("elm", 7, store.Row{Game: "bosk", Over: true})
	h.good(h.Pack(h.ctx, "elm", day))
	if c := checkedWhole(t, h); c != (store.Checked{Tables: 2, Entries: 12, Packed: 1, People: 1}) {
		t.Errorf("it has checked %+v", c)
	}
}

// checkedWhole runs Check, which must find nothing wrong.
func checkedWhole(t *testing.T, h *trial) store.Checked {
	t.Helper()
	c, err := h.Check(h.ctx)
	if err != nil {
		t.Errorf("it is damaged: %v", err)
	}
	return c
}

func closed(t *testing.T, h *trial) {
	h.found("oak", 1, store.Row{Game: "bosk"})
	// What was acknowledged before is there afterwards; the rest is refused.
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	var wg sync.WaitGroup
	begun := make(chan struct{}, 8)
	for i := range 8 {
		wg.Go(func() {
			for n := 0; ; n++ {
				table := fmt.Sprintf("table-%d-%d", i, n)
				_, err := h.Append(h.ctx, store.Append{Table: table, Entries: [][]byte{body(table, 0)}, Row: &store.Row{Game: "bosk"}})
				if errors.Is(err, store.ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				acknowledged[table] = true
				mu.Unlock()
				if n == 3 {
					begun <- struct{}{}
				}
			}
		})
	}
	for range 8 {
		<-begun
	}
	h.leave()
	wg.Wait()
	if _, err := h.Read(h.ctx, "oak", 0); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a closed store reads: %v", err)
	}
	if err := h.AddAccount(h.ctx, store.Account{ID: "anna"}); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a closed store writes: %v", err)
	}
	h.good(h.Close()) // closing twice is closing once
	h.enter()
	for table := range acknowledged {
		h.log(table, 1)
	}
}
