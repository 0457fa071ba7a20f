package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"copse/store"
)

// dueClaimed: whoever asks for tables to look at gets each once, for a while, and
// again when the row says another time.
func dueClaimed(t *testing.T, h *trial) {
	for i, minutes := range []int{5, 3, 0, 9, 3} {
		row := store.Row{Game: "bosk"}
		if minutes > 0 {
			row.Wake = after(minutes)
		}
		h.found(fmt.Sprint(i), 1, row)
	}
	claim := func(by, now, until, most int, want string) {
		t.Helper()
		h.ids(want)(h.ClaimDue(h.ctx, after(by), after(now), after(until), most))
	}
	claim(2, 2, 10, 100, "")
	claim(5, 5, 10, 0, "")
	claim(5, 5, 10, 1, "1 ")
	claim(5, 5, 10, 1, "4 ")
	claim(5, 6, 12, 100, "0 ")
	claim(8, 8, 12, 100, "")
	h.ids("1 4 0 ")(h.Due(h.ctx, after(5), 100)) // to ask is not to claim
	h.set("1", after(8), store.Row{Game: "bosk", Wake: after(8)})
	h.set("4", after(8), store.Row{Game: "bosk"})
	claim(8, 8, 12, 100, "1 ")
	claim(10, 10, 20, 100, "3 ")
	h.set("3", after(10), store.Row{Game: "bosk", Wake: after(9), Turn: 1}) // it still waits for whoever has claimed it
	claim(11, 11, 20, 100, "")
	claim(12, 12, 20, 100, "0 1 ") // nobody has looked
	h.leave()
	h.enter()
	claim(13, 13, 20, 100, "")
	claim(20, 20, 30, 100, "0 1 3 ")
	list, err := h.ClaimDue(h.ctx, after(40), after(40), after(50), 1)
	h.good(err)
	if len(list) != 1 || list[0].ID != "0" || list[0].Next != 1 || !list[0].Wake.Equal(after(5)) {
		t.Errorf("claimed is %+v", list)
	}
	h.good(h.Drop(h.ctx, "0", 1))
	h.found("0", 1, store.Row{Game: "bosk", Wake: after(5)}) // another of that name
	claim(41, 41, 50, 1, "0 ")
	claim(41, 41, 50, 9, "1 3 ")
	checkedWhole(t, h)
}

// manyLooks: of many who ask for tables to look at at the same time each table goes
// to one, while others play at them.
func manyLooks(t *testing.T, h *trial) {
	const tables = 40
	for i := range tables {
		h.found(fmt.Sprint(i), 1, store.Row{Game: "bosk", Wake: after(1)})
	}
	var mu sync.Mutex
	got := map[string]int{}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for range tables { // one who finds nothing may come again
				list, err := h.ClaimDue(h.ctx, after(2), after(2), after(9), 3)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				for _, l := range list {
					got[l.ID]++
				}
				mu.Unlock()
			}
		})
	}
	for i := range tables / 4 {
		wg.Go(func() {
			table := fmt.Sprint(4 * i)
			for next := 1; next < 6; next++ {
				if _, err := h.Append(h.ctx, store.Append{Table: table, Next: next, At: day, Entries: [][]byte{body(table, next)}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	list, err := h.ClaimDue(h.ctx, after(2), after(2), after(9), tables) // at which somebody just played whenever it was asked
	h.good(err)
	for _, l := range list {
		got[l.ID]++
	}
	for i := range tables {
		if got[fmt.Sprint(i)] != 1 {
			t.Errorf("table %d was claimed %d times", i, got[fmt.Sprint(i)])
		}
	}
}

func heads(t *testing.T, h *trial) {
	h.account("anna")
	for i := range 5 {
		h.found(fmt.Sprint(i), i+1, store.Row{Game: "bosk", Over: true})
	}
	h.good(h.Pack(h.ctx, "3", day))
	for range 2 {
		_, err := h.Say(h.ctx, "1", store.ChatLine{Account: "anna", Body: []byte("hello")}, store.Once{})
		h.good(err)
	}
	ask := []string{"1", "3", "nowhere", "4", "1", "no name", ""}
	for i := range 3000 {
		ask = append(ask, fmt.Sprint("none-", i))
	}
	got, err := h.Heads(h.ctx, ask)
	h.good(err)
	if want := "map[1:{2 2} 3:{4 0} 4:{5 0}]"; fmt.Sprint(got) != want {
		t.Errorf("heads are %v, want %s", got, want)
	}
	if got, err := h.Heads(h.ctx, nil); err != nil || len(got) != 0 {
		t.Errorf("heads of no tables are %v, %v", got, err)
	}
}

// pages: many make tables at the same time, and somebody walks through the list. In
// no walk a table is missing that is older than the first one seen.
func pages(t *testing.T, h *trial) {
	const makers, each = 6, 25
	var wg sync.WaitGroup
	var left atomic.Int32
	left.Store(makers)
	for m := range makers {
		wg.Go(func() {
			defer left.Add(-1)
			for n := range each {
				table := fmt.Sprintf("%d-%d", m, n)
				if _, err := h.Append(h.ctx, store.Append{Table: table, At: day, Entries: [][]byte{body(table, 0)}, Row: &store.Row{Game: "bosk", Listed: true}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var walks [][]int64
	for going := true; going; {
		going = left.Load() > 0
		var walk []int64
		for before := int64(0); ; before = walk[len(walk)-1] {
			page, err := h.Listed(h.ctx, "", before, 2)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 || len(walk) > 40 {
				break
			}
			for _, l := range page {
				walk = append(walk, l.Serial)
			}
		}
		walks = append(walks, walk)
	}
	wg.Wait()
	all, err := h.Listed(h.ctx, "", 0, store.MostListed)
	h.good(err)
	if len(all) != makers*each {
		t.Fatalf("there are %d tables", len(all))
	}
	for _, walk := range walks {
		if len(walk) == 0 {
			continue
		}
		for _, l := range all {
			if l.Serial <= walk[0] && l.Serial >= walk[len(walk)-1] && !slices.Contains(walk, l.Serial) {
				t.Fatalf("a walk from %d to %d has passed over %d, table %s", walk[0], walk[len(walk)-1], l.Serial, l.ID)
			}
		}
	}
}

// droppedInVain: of somebody who drops a table and somebody who comes to it at the
// same time one is too late, and is told.
func droppedInVain(t *testing.T, h *trial) {
	h.account("anna")
	h.found("oak", 2, store.Row{Game: "bosk", Sitting: []string{"anna"}})
	for _, next := range []int{-1, 0, 1, 3} {
		var conflict *store.Conflict
		if err := h.Drop(h.ctx, "oak", next); !errors.As(err, &conflict) || *conflict != (store.Conflict{Table: "oak", Asked: next, Next: 2}) {
			t.Errorf("dropped at %d, it is answered %v", next, err)
		}
	}
	h.log("oak", 2)
	h.ids("oak ")(h.Sitting(h.ctx, "anna", 10))
	for round := range 20 {
		table := fmt.Sprint("elm-", round)
		h.found(table, 1, store.Row{Game: "bosk"})
		var came, dropped error
		var wg sync.WaitGroup
		wg.Go(func() { dropped = h.Drop(h.ctx, table, 1) })
		wg.Go(func() {
			_, came = h.Append(h.ctx, store.Append{Table: table, Next: 1, At: day, Entries: [][]byte{body(table, 1)}})
		})
		wg.Wait()
		var conflict *store.Conflict
		switch {
		case came == nil && errors.As(dropped, &conflict) && conflict.Next == 2:
			h.log(table, 2)
		case dropped == nil && errors.Is(came, store.ErrNone):
			if _, err := h.Read(h.ctx, table, 0); !errors.Is(err, store.ErrNone) {
				t.Errorf("a dropped log reads: %v", err)
			}
		default:
			t.Fatalf("who drops is told %v, who comes is told %v", dropped, came)
		}
	}
	checkedWhole(t, h)
}

// changes: many change an account at the same time, while it is seen; each change
// is there in the end.
func changes(t *testing.T, h *trial) {
	h.account("anna")
	a, err := h.Account(h.ctx, "anna")
	h.good(err)
	a.Name = "Anne"
	h.good(h.SetAccount(h.ctx, a))
	if err := h.SetAccount(h.ctx, a); !errors.Is(err, store.ErrChanged) {
		t.Errorf("a second change of what was read once: %v", err)
	}
	a.Version += 7
	if err := h.SetAccount(h.ctx, a); !errors.Is(err, store.ErrChanged) {
		t.Errorf("a change of what nobody has written yet: %v", err)
	}
	const who, each = 6, 5
	var wg sync.WaitGroup
	for n := range who {
		wg.Go(func() {
			for i := 0; i < each; {
				a, err := h.Account(h.ctx, "anna")
				if err == nil {
					a.More = fmt.Appendf(a.More, "%d.%d ", n, i)
					err = h.SetAccount(h.ctx, a)
				}
				switch {
				case err == nil:
					i++
				case !errors.Is(err, store.ErrChanged):
					t.Error(err)
					return
				}
			}
		})
		wg.Go(func() {
			for i := range each {
				if err := h.Saw(h.ctx, "anna", after(i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	a, err = h.Account(h.ctx, "anna")
	h.good(err)
	for n := range who {
		for i := range each {
			if word := fmt.Sprintf("%d.%d ", n, i); !slices.Contains(splitAfter(string(a.More)), word) {
				t.Errorf("change %s is lost", word)
			}
		}
	}
	if a.Version != 1+who*each || a.Name != "Anne" || !a.Seen.Equal(after(each-1)) {
		t.Errorf("anna is %+v", a)
	}
	checkedWhole(t, h)
}

// splitAfter cuts a text behind each space.
func splitAfter(text string) (words []string) {
	from := 0
	for i := range text {
		if text[i] == ' ' {
			words, from = append(words, text[from:i+1]), i+1
		}
	}
	return words
}

// texts are bytes, whatever they say.
func texts(t *testing.T, h *trial) {
	const strange = "a\x00b\xff'\"\\ \n"
	h.good(h.AddAccount(h.ctx, store.Account{ID: "anna", Name: strange, Salt: []byte(strange), More: []byte(strange)}))
	if a, err := h.Account(h.ctx, "anna"); err != nil || a.Name != strange || string(a.More) != strange {
		t.Errorf("she is called %q, %v", a.Name, err)
	}
	h.good(h.SetAccount(h.ctx, store.Account{ID: "anna", Name: strange + "2"}))
	if a, err := h.Account(h.ctx, "anna"); err != nil || a.Name != strange+"2" {
		t.Errorf("she is called %q, %v", a.Name, err)
	}
	h.good(h.Admit(h.ctx, store.Pass{Digest: store.DigestOf("x"), Kind: store.Token, Account: "anna", Label: strange}))
	if p, err := h.Pass(h.ctx, store.Token, store.DigestOf("x"), day); err != nil || p.Label != strange {
		t.Errorf("the label is %q, %v", p.Label, err)
	}
	_, err := h.Append(h.ctx, store.Append{Table: "oak", Entries: [][]byte{body("oak", 0)}, Row: &store.Row{Game: strange, Listed: true},
		Once: store.Once{Who: strange, Key: strange}, Jobs: []store.Job{{Kind: strange, Name: strange, Due: day, Body: []byte(strange)}}})
	h.good(err)
	if list, err := h.Listed(h.ctx, strange, 0, 10); err != nil || len(list) != 1 || list[0].Game != strange {
		t.Errorf("of the game are listed %v, %v", list, err)
	}
	if list, err := h.Claim(h.ctx, strange, day, after(1), 10); err != nil || len(list) != 1 || list[0].Name != strange || list[0].Kind != strange {
		t.Errorf("the jobs are %+v, %v", list, err)
	}
	h.good(h.Plan(h.ctx, store.Job{Kind: strange, Name: strange, Due: after(1)}))
	if list, err := h.Claim(h.ctx, strange, after(5), after(9), 10); err != nil || len(list) != 1 || len(list[0].Body) != 0 {
		t.Errorf("planned anew, the jobs are %+v, %v", list, err)
	}
	checkedWhole(t, h)
}

// deletedWhileSitting: somebody is deleted while tables are made and change at which
// they sit. In the end they sit nowhere, and everything is whole.
func deletedWhileSitting(t *testing.T, h *trial) {
	h.account("ben")
	for round := range 6 {
		h.good(h.AddAccount(h.ctx, store.Account{ID: "anna"}))
		var wg sync.WaitGroup
		table := func(i int) string { return fmt.Sprintf("oak-%d-%d", round, i) }
		for i := range 4 {
			h.found(table(i), 1, store.Row{Game: "bosk", Sitting: []string{"anna", "ben"}})
			wg.Go(func() {
				for next := 1; next < 8; next++ {
					who := [][]string{{"anna", "ben"}, {"ben", "anna"}, {"", "ben"}, {"anna", "anna"}}[next%4]
					if _, err := h.Append(h.ctx, store.Append{Table: table(i), Next: next, At: day, Entries: [][]byte{body(table(i), next)},
						Row: &store.Row{Game: "bosk", Sitting: who, Over: next == 7}}); err != nil {
						t.Error(err)
					}
				}
			})
			wg.Go(func() {
				name := fmt.Sprintf("elm-%d-%d", round, i)
				if _, err := h.Append(h.ctx, store.Append{Table: name, At: day, Entries: [][]byte{body(name, 0)}, Row: &store.Row{Game: "bosk", Sitting: []string{"anna"}}}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Go(func() {
			if err := h.DeleteAccount(h.ctx, "anna"); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		h.ids("")(h.Sitting(h.ctx, "anna", 10))
		h.ids("")(h.Played(h.ctx, "anna", 0, 10))
		for i := range 4 {
			if l, err := h.Table(h.ctx, table(i)); err != nil || slices.Contains(l.Sitting, "anna") || len(l.Sitting) != 2 || !l.Over {
				t.Errorf("at %s sit %q, %v", table(i), l.Sitting, err)
			}
		}
	}
	checkedWhole(t, h)
}

// packedInBetween: a log is packed while somebody appends to it, an entry or only a
// row. What was acknowledged is there, and the rest is over.
func packedInBetween(t *testing.T, h *trial) {
	for round := range 30 {
		table := fmt.Sprint("oak-", round)
		h.found(table, 3, store.Row{Game: "bosk", Over: true, About: []byte("before")})
		a := store.Append{Table: table, Next: 3, At: after(1), Row: &store.Row{Game: "bosk", Over: true, About: []byte("after")}}
		want := "after"
		switch round % 3 {
		case 1:
			a.Entries = [][]byte{body(table, 3)}
		case 2: // nothing but an entry, of the same time
			a.Entries, a.Row, a.At, want = [][]byte{body(table, 3)}, nil, day, "before"
		}
		var appended, packed error
		var wg sync.WaitGroup
		wg.Go(func() { _, appended = h.Append(h.ctx, a) })
		wg.Go(func() { packed = h.Pack(h.ctx, table, after(2)) })
		wg.Wait()
		h.good(packed)
		l, err := h.Table(h.ctx, table)
		h.good(err)
		switch {
		case appended == nil:
			h.log(table, 3+len(a.Entries))
			if string(l.About) != want || !l.Changed.Equal(a.At) {
				t.Errorf("round %d: the row was acknowledged, and is %+v", round, l)
			}
		case errors.Is(appended, store.ErrOver):
			h.log(table, 3)
			if string(l.About) != "before" {
				t.Errorf("round %d: the row was refused, and is %+v", round, l)
			}
		default:
			t.Fatal(appended)
		}
		if !l.Packed {
			t.Errorf("round %d: it is not packed", round)
		}
	}
	checkedWhole(t, h)
}

// manyLines: a line that is sent again and again, also at the same time, is said once.
func manyLines(t *testing.T, h *trial) {
	h.account("anna")
	h.found("oak", 1, store.Row{Game: "bosk"})
	for round := range 8 {
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				said, err := h.Say(h.ctx, "oak", store.ChatLine{At: after(n), Account: "anna", Body: fmt.Append(nil, round)}, store.Once{Who: "anna", Key: fmt.Sprint(round)})
				if err != nil || said.Number != round {
					t.Errorf("round %d: the line is number %d, %v", round, said.Number, err)
				}
			})
		}
		wg.Wait()
	}
	if lines, err := h.Lines(h.ctx, "oak", 0, 100); err != nil || len(lines) != 8 {
		t.Errorf("%d lines were said, %v", len(lines), err)
	}
	checkedWhole(t, h)
}

// manyMakers: many make the same table at the same time. One does; the others are told
// so, and who sends the same again is answered as the first.
func manyMakers(t *testing.T, h *trial) {
	for round := range 10 {
		table := fmt.Sprint("oak-", round)
		var made, repeated, refused atomic.Int32
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				a := store.Append{Table: table, At: day, Entries: [][]byte{body(table, 0)}, Row: &store.Row{Game: "bosk"}, Box: []byte("box")}
				if n%2 == 0 {
					a.Once = store.Once{Who: "anna", Key: "made"}
				}
				receipt, err := h.Append(h.ctx, a)
				var conflict *store.Conflict
				switch {
				case err == nil && receipt.Next == 1 && !receipt.Repeated:
					made.Add(1)
				case err == nil && receipt.Next == 1 && n%2 == 0:
					repeated.Add(1)
				case errors.As(err, &conflict) && conflict.Next == 1:
					refused.Add(1)
				default:
					t.Errorf("%+v, %v", receipt, err)
				}
			})
		}
		wg.Wait()
		if made.Load() != 1 || repeated.Load() != 0 && repeated.Load() != 3 || made.Load()+repeated.Load()+refused.Load() != 8 {
			t.Errorf("%d have made the table, %d were answered as the first, %d refused", made.Load(), repeated.Load(), refused.Load())
		}
		h.log(table, 1)
	}
	checkedWhole(t, h)
}
