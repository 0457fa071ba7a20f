package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"copse/store"
)

// papersAre compares papers with "kind/key=body@version …".
func (h *trial) papersAre(what, want string, list []store.Paper, err error) {
	h.Helper()
	h.good(err)
	got := ""
	for _, p := range list {
		got += fmt.Sprintf("%s/%s=%s@%d ", p.Kind, p.Key, p.Body, p.Version)
	}
	if got != want {
		h.Errorf("%s are %q, want %q", what, got, want)
	}
}

// paper compares one paper; an empty body says that there is none.
func (h *trial) paper(kind, key, body string, version int64) {
	h.Helper()
	p, err := h.Paper(h.ctx, kind, key)
	switch {
	case body == "" && !errors.Is(err, store.ErrNone):
		h.Errorf("%s/%s is %+v, %v, and should not be there", kind, key, p, err)
	case body != "" && (err != nil || p.Kind != kind || p.Key != key || string(p.Body) != body || p.Version != version):
		h.Errorf("%s/%s is %+v, %v, want %s at version %d", kind, key, p, err, body, version)
	}
}

func text(kind, key, body string, version int64) store.Paper {
	return store.Paper{Kind: kind, Key: key, Body: []byte(body), Version: version}
}

func papers(t *testing.T, h *trial) {
	h.account("anna")
	h.account("ben")
	whole := store.Paper{Kind: "note", Key: "b", Owner: "anna", Body: []byte{0, 255, 1}, Until: after(3).Add(7 * time.Millisecond)}
	h.good(h.Write(h.ctx, whole))
	whole.Version = 1
	if p, err := h.Paper(h.ctx, "note", "b"); err != nil || fmt.Sprintf("%+v", p) != fmt.Sprintf("%+v", whole) {
		t.Errorf("what was written as %+v is %+v, %v", whole, p, err)
	}
	whole.Version = 0
	if err := h.Write(h.ctx, whole); !errors.Is(err, store.ErrChanged) {
		t.Errorf("a second taker of a key is told %v", err)
	}
	whole.Version, whole.Owner, whole.Body, whole.Until = 1, "", []byte("2"), time.Time{}
	h.good(h.Write(h.ctx, whole)) // everything of it may change
	whole.Version = 2
	if p, err := h.Paper(h.ctx, "note", "b"); err != nil || fmt.Sprintf("%+v", p) != fmt.Sprintf("%+v", whole) {
		t.Errorf("what was written as %+v is %+v, %v", whole, p, err)
	}
	for _, version := range []int64{0, 1, 3} {
		for _, body := range []string{"x", ""} {
			if err := h.Write(h.ctx, text("note", "b", body, version)); !errors.Is(err, store.ErrChanged) {
				t.Errorf("%q under version %d: %v", body, version, err)
			}
		}
	}
	h.good(h.Write(h.ctx))

	// In the order of bytes, those of one kind and of one owner, page by page.
	strange := "\x00\xff\xc3"
	for _, key := range []string{"a", "B", "c", "é", strange} {
		h.good(h.Write(h.ctx, store.Paper{Kind: "note", Key: key, Owner: map[bool]string{true: "anna"}[key < "b"], Body: []byte("1")}))
	}
	h.good(h.Write(h.ctx, text("notes", "a", "other", 0), text("not", "a", "other", 0), store.Paper{Kind: "other", Key: "a", Owner: "anna", Body: []byte("x")}))
	pages := func(what, owner, want string, most int) {
		t.Helper()
		var list []store.Paper
		for last := ""; ; {
			some, err := h.Papers(h.ctx, "note", owner, last, most)
			h.good(err)
			if len(some) > most {
				t.Fatalf("of at most %d there came %d", most, len(some))
			}
			if len(some) == 0 {
				break
			}
			list, last = append(list, some...), some[len(some)-1].Key
		}
		h.papersAre(what, want, list, nil)
	}
	for most := 1; most < 8; most++ {
		pages("all", "", "note/"+strange+"=1@1 note/B=1@1 note/a=1@1 note/b=2@2 note/c=1@1 note/é=1@1 ", most)
		pages("hers", "anna", "note/"+strange+"=1@1 note/B=1@1 note/a=1@1 ", most)
	}
	for _, owner := range []string{"ben", "nobody", "no id"} {
		pages("those of "+owner, owner, "", 3)
	}

	// What is torn up is gone, and begins anew.
	h.good(h.Write(h.ctx, store.Paper{Kind: "note", Key: "b", Version: 2}, store.Paper{Kind: "note", Key: "new"}))
	h.paper("note", "b", "", 0)
	h.paper("note", "new", "", 0)
	if err := h.Write(h.ctx, store.Paper{Kind: "note", Key: "b", Version: 2}); !errors.Is(err, store.ErrChanged) {
		t.Errorf("what is gone is torn up again: %v", err)
	}
	h.good(h.Write(h.ctx, text("note", "b", "again", 0)))
	h.paper("note", "b", "again", 1)

	// All or none, whichever of them has changed.
	for i, list := range [][]store.Paper{
		{text("note", "x", "x", 0), text("note", "b", "y", 7), text("note", "z", "z", 0)},
		{text("note", "b", "", 1), text("note", "a", "y", 0)},
		{text("note", "a", "y", 1), text("note", "c", "", 2)},
	} {
		if err := h.Write(h.ctx, list...); !errors.Is(err, store.ErrChanged) {
			t.Errorf("papers %d: %v", i, err)
		}
	}
	ghost := store.Paper{Kind: "note", Key: "z", Owner: "ghost", Body: []byte("z")}
	if err := h.Write(h.ctx, text("note", "a", "y", 1), ghost); !errors.Is(err, store.ErrNone) {
		t.Errorf("a paper of nobody: %v", err)
	}
	h.leave()
	h.enter()
	pages("in the end all", "", "note/"+strange+"=1@1 note/B=1@1 note/a=1@1 note/b=again@1 note/c=1@1 note/é=1@1 ", 3)
	checkedWhole(t, h)
}

func papersRefused(t *testing.T, h *trial) {
	h.account("anna")
	h.found("oak", 1, store.Row{Game: "bosk"})
	long := strings.Repeat("x", store.LongestName+1)
	many := []store.Paper{}
	for i := range store.MostPapers + 1 {
		many = append(many, text("many", fmt.Sprint(i), "x", 0))
	}
	for what, papers := range map[string][]store.Paper{
		"a long kind": {text(long, "k", "x", 0)}, "a long key": {text("k", long, "x", 0)}, "a large body": {{Kind: "k", Key: "k", Body: make([]byte, store.LargestExtra+1)}}, "many": many,
	} {
		_, appended := h.Append(h.ctx, store.Append{Table: "oak", Next: 1, Entries: [][]byte{nil}, Papers: papers})
		for _, err := range []error{h.Write(h.ctx, papers...), appended, h.SetAccount(h.ctx, store.Account{ID: "anna"}, papers...)} {
			var large *store.TooLarge
			if !errors.As(err, &large) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	for what, papers := range map[string][]store.Paper{
		"no kind": {text("", "k", "x", 0)}, "no key": {text("k", "", "x", 0)}, "a version below none": {text("k", "k", "x", -1)}, "one twice": {text("k", "k", "", 0), text("k", "l", "x", 0), text("k", "k", "x", 0)},
	} {
		_, appended := h.Append(h.ctx, store.Append{Table: "oak", Next: 1, Entries: [][]byte{nil}, Papers: papers})
		for _, err := range []error{h.Write(h.ctx, papers...), appended, h.SetAccount(h.ctx, store.Account{ID: "anna"}, papers...)} {
			if !errors.Is(err, store.ErrPaper) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	if err := h.Write(h.ctx, store.Paper{Kind: "k", Key: "k", Owner: "a b", Body: []byte("x")}); !errors.Is(err, store.ErrID) {
		t.Errorf("an owner who cannot be: %v", err)
	}
	h.log("oak", 1)
	if a, err := h.Account(h.ctx, "anna"); err != nil || a.Version != 0 {
		t.Errorf("anna is %+v, %v", a, err)
	}
	most := []store.Paper{}
	for i := range store.MostPapers {
		most = append(most, store.Paper{Kind: "most", Key: long[:store.LongestName-2] + fmt.Sprintf("%02d", i), Body: bytes.Repeat([]byte{byte(i)}, store.LargestExtra)})
	}
	h.good(h.Write(h.ctx, most...)) // as much as may be
	if list, err := h.Papers(h.ctx, "most", "", "", 100); err != nil || len(list) != store.MostPapers || !bytes.Equal(list[7].Body, most[7].Body) {
		t.Errorf("of the largest papers there are %d, %v", len(list), err)
	}
}

func overdue(t *testing.T, h *trial) {
	h.account("anna")
	for i, at := range []int{5, 3, 9, 3, 0} {
		p := store.Paper{Kind: fmt.Sprint("kind-", i), Key: "k", Owner: map[bool]string{true: "anna"}[i == 0], Body: []byte("x")}
		if at > 0 {
			p.Until = after(at)
		}
		h.good(h.Write(h.ctx, p))
	}
	due := func(at, most int, want string) {
		t.Helper()
		list, err := h.Overdue(h.ctx, after(at), most)
		h.papersAre(fmt.Sprintf("at %d overdue", at), want, list, err)
	}
	due(2, 10, "")
	due(3, 10, "kind-1/k=x@1 kind-3/k=x@1 ")
	due(8, 10, "kind-1/k=x@1 kind-3/k=x@1 kind-0/k=x@1 ")
	due(8, 2, "kind-1/k=x@1 kind-3/k=x@1 ")
	due(8, 0, "")
	h.good(h.Write(h.ctx, store.Paper{Kind: "kind-1", Key: "k", Body: []byte("x"), Until: after(7), Version: 1}, store.Paper{Kind: "kind-3", Key: "k", Version: 1}))
	due(100, 10, "kind-0/k=x@1 kind-1/k=x@2 kind-2/k=x@1 ")
	h.good(h.DeleteAccount(h.ctx, "anna"))
	due(100, 10, "kind-1/k=x@2 kind-2/k=x@1 ")
}

// ownedPapers: an account takes its papers along, and leaves those of the house.
func ownedPapers(t *testing.T, h *trial) {
	h.account("anna")
	h.account("ben")
	h.good(h.Write(h.ctx,
		store.Paper{Kind: "pass", Key: "1", Owner: "anna", Body: []byte("hers")}, store.Paper{Kind: "pass", Key: "2", Owner: "ben", Body: []byte("his")},
		store.Paper{Kind: "name", Key: "anna", Owner: "anna", Body: []byte("hers"), Until: after(1)}, text("result", "1", "anna's", 0)))
	h.good(h.DeleteAccount(h.ctx, "anna"))
	h.paper("pass", "1", "", 0)
	h.paper("name", "anna", "", 0)
	h.paper("pass", "2", "his", 1)
	h.paper("result", "1", "anna's", 1)
	h.account("anna") // somebody else, who has nothing of hers
	for _, kind := range []string{"pass", "name"} {
		list, err := h.Papers(h.ctx, kind, "anna", "", 10)
		h.papersAre("hers", "", list, err)
	}
	checkedWhole(t, h)
}

// manyPapers: of any number of writers under one version one wins, at whichever nodes,
// whether the paper is new or not. Nobody waits for ever for somebody who waits.
func manyPapers(t *testing.T, h *trial) {
	const writers, rounds = 6, 8
	for round := range rounds {
		var won atomic.Int64
		var wg sync.WaitGroup
		for n := range writers {
			wg.Go(func() {
				list := []store.Paper{text("one", "a", fmt.Sprint(n), int64(round)), text("one", "b", fmt.Sprint(n), int64(round)), text("by", fmt.Sprint(n, "-", round), "x", 0)}
				if n%2 == 1 {
					list[0], list[1] = list[1], list[0]
				}
				switch err := h.Write(h.ctx, list...); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, store.ErrChanged):
					t.Errorf("a second writer is told %v", err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("in round %d there have won %d", round, won.Load())
		}
		a, errA := h.Paper(h.ctx, "one", "a")
		b, errB := h.Paper(h.ctx, "one", "b")
		if errA != nil || errB != nil || a.Version != int64(round+1) || b.Version != a.Version || !bytes.Equal(a.Body, b.Body) {
			t.Errorf("after round %d there are %+v and %+v, %v, %v", round, a, b, errA, errB)
		}
	}
	if list, err := h.Papers(h.ctx, "by", "", "", 100); err != nil || len(list) != rounds {
		t.Errorf("of the losers something is there: %d papers, %v", len(list), err)
	}
}

// appendedPapers: papers are written with an append, or nothing of it is.
func appendedPapers(t *testing.T, h *trial) {
	h.account("anna")
	once := store.Once{Who: "anna", Key: "k", Asked: []byte("a"), Answer: []byte("made")}
	first := store.Append{Table: "oak", At: day, Entries: [][]byte{body("oak", 0)}, Row: &store.Row{Game: "bosk"}, Once: once, Papers: []store.Paper{text("count", "oak", "1", 0)}}
	if r, err := h.Append(h.ctx, first); err != nil || r.Next != 1 || r.Repeated {
		t.Fatalf("a table with a paper: %+v, %v", r, err)
	}
	h.paper("count", "oak", "1", 1)
	if r, err := h.Append(h.ctx, first); err != nil || r.Next != 1 || !r.Repeated || string(r.Answer) != "made" {
		t.Errorf("sent again it is answered %+v, %v", r, err)
	}
	h.paper("count", "oak", "1", 1)

	// A table that is new, and one that goes on.
	second := store.Append{Table: "elm", At: day, Entries: [][]byte{body("elm", 0)}, Row: &store.Row{Game: "bosk"}, Papers: []store.Paper{text("result", "1", "x", 0), text("count", "oak", "2", 0)}}
	grown := store.Append{Table: "oak", Next: 1, At: day, Entries: [][]byte{body("oak", 1)}, Once: store.Once{Who: "anna", Key: "l", Answer: []byte("grown")}, Papers: second.Papers, Jobs: []store.Job{{Kind: "bot", Name: "x", Due: day}}}
	for _, a := range []store.Append{second, grown} {
		if _, err := h.Append(h.ctx, a); !errors.Is(err, store.ErrPapers) || errors.Is(err, store.ErrChanged) {
			t.Errorf("papers that have changed: %v", err)
		}
	}
	if _, err := h.Read(h.ctx, "elm", 0); !errors.Is(err, store.ErrNone) {
		t.Errorf("a table was made without its papers: %v", err)
	}
	h.log("oak", 1)
	h.paper("result", "1", "", 0)
	if list, err := h.Claim(h.ctx, "bot", day, after(1), 10); err != nil || len(list) != 0 {
		t.Errorf("jobs are %v, %v", list, err)
	}
	ghost := grown
	ghost.Papers = []store.Paper{{Kind: "result", Key: "1", Owner: "ghost", Body: []byte("x")}}
	if _, err := h.Append(h.ctx, ghost); !errors.Is(err, store.ErrPapers) {
		t.Errorf("a paper of nobody: %v", err)
	}
	// Where the log has gone on, that is said, and no paper is written.
	var conflict *store.Conflict
	late := grown
	late.Next, late.Papers = 0, []store.Paper{text("result", "1", "x", 0)}
	late.Row = &store.Row{Game: "bosk"}
	if _, err := h.Append(h.ctx, late); !errors.As(err, &conflict) || conflict.Next != 1 {
		t.Errorf("a second writer is told %v", err)
	}
	late.Next = 7
	if _, err := h.Append(h.ctx, late); !errors.As(err, &conflict) || conflict.Next != 1 {
		t.Errorf("a writer ahead is told %v", err)
	}
	h.paper("result", "1", "", 0)

	grown.Papers = []store.Paper{{Kind: "result", Key: "1", Owner: "anna", Body: []byte("x"), Until: after(9)}, text("count", "oak", "2", 1)}
	if r, err := h.Append(h.ctx, grown); err != nil || r.Next != 2 {
		t.Errorf("an append with papers: %+v, %v", r, err)
	}
	h.paper("result", "1", "x", 1)
	h.paper("count", "oak", "2", 2)
	if r, err := h.Append(h.ctx, grown); err != nil || !r.Repeated || r.Next != 2 || string(r.Answer) != "grown" {
		t.Errorf("sent again it is answered %+v, %v", r, err)
	}
	h.paper("count", "oak", "2", 2)
	// Without entries too: a paper that is torn up, and the key is not used up.
	if r, err := h.Append(h.ctx, store.Append{Table: "oak", Next: 2, At: after(1), Papers: []store.Paper{{Kind: "count", Key: "oak", Version: 2}}}); err != nil || r.Next != 2 {
		t.Errorf("papers alone: %+v, %v", r, err)
	}
	h.paper("count", "oak", "", 0)
	h.good(h.Pack(h.ctx, "oak", day))
	if _, err := h.Append(h.ctx, store.Append{Table: "oak", Next: 2, Entries: [][]byte{nil}, Papers: []store.Paper{text("count", "oak", "9", 0)}}); !errors.Is(err, store.ErrOver) {
		t.Errorf("a packed log goes on: %v", err)
	}
	h.paper("count", "oak", "", 0)
	h.log("oak", 2)
	checkedWhole(t, h)
}

// manyAppendedPapers: many tables count one paper up, each with an entry of its own,
// while others append without papers. In the end it has counted all.
func manyAppendedPapers(t *testing.T, h *trial) {
	const tables, each = 5, 6
	for n := range tables {
		h.found(fmt.Sprint("table-", n), 1, store.Row{Game: "bosk"})
	}
	h.good(h.Write(h.ctx, text("count", "all", "0", 0)))
	var wg sync.WaitGroup
	for n := range tables {
		table, plain := fmt.Sprint("table-", n), fmt.Sprint("plain-", n)
		wg.Go(func() {
			for next := 1; next <= each; {
				p, err := h.Paper(h.ctx, "count", "all")
				if err != nil {
					t.Error(err)
					return
				}
				count, _ := strconv.Atoi(string(p.Body))
				p.Body = fmt.Append(nil, count+1)
				_, err = h.Append(h.ctx, store.Append{Table: table, Next: next, At: day, Entries: [][]byte{body(table, next)}, Papers: []store.Paper{p, text("result", fmt.Sprintf("%03d", count+1), table, 0)}, Once: store.Once{Who: "x", Key: fmt.Sprint(next)}})
				switch {
				case err == nil:
					next++
				case !errors.Is(err, store.ErrPapers):
					t.Errorf("%s at %d: %v", table, next, err)
					return
				}
			}
		})
		wg.Go(func() {
			for next := range 3 * each {
				if _, err := h.Append(h.ctx, store.Append{Table: plain, Next: next, At: day, Entries: [][]byte{body(plain, next)}, Row: &store.Row{Game: "bosk"}}); err != nil {
					t.Errorf("beside papers that change: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	h.paper("count", "all", fmt.Sprint(tables*each), 1+tables*each)
	if list, err := h.Papers(h.ctx, "result", "", "", 1000); err != nil || len(list) != tables*each || list[len(list)-1].Key != fmt.Sprintf("%03d", tables*each) {
		t.Errorf("there are %d results, %v", len(list), err)
	}
	for n := range tables {
		h.log(fmt.Sprint("table-", n), 1+each)
		h.log(fmt.Sprint("plain-", n), 3*each)
	}
}

// namedByPaper: a paper holds a name, and changes with the account that has it. Of many
// who want the same name one gets it.
func namedByPaper(t *testing.T, h *trial) {
	const people = 6
	for n := range people {
		h.account(fmt.Sprint("person-", n))
	}
	var won atomic.Int64
	var wg sync.WaitGroup
	for n := range people {
		who := fmt.Sprint("person-", n)
		wg.Go(func() {
			err := h.SetAccount(h.ctx, store.Account{ID: who, Name: "Oak"}, store.Paper{Kind: "name", Key: "oak", Owner: who, Body: []byte(who)}, store.Paper{Kind: "member", Key: who, Owner: who, Body: []byte("yes")})
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, store.ErrPapers) || errors.Is(err, store.ErrChanged):
				t.Errorf("who comes too late is told %v", err)
			}
		})
	}
	wg.Wait()
	holder, err := h.Paper(h.ctx, "name", "oak")
	if err != nil || won.Load() != 1 {
		t.Fatalf("%d have got the name, and it is held by %+v, %v", won.Load(), holder, err)
	}
	for n := range people {
		who := fmt.Sprint("person-", n)
		a, err := h.Account(h.ctx, who)
		h.good(err)
		_, member := h.Paper(h.ctx, "member", who)
		if has := who == holder.Owner; has != (a.Name == "Oak") || has != (a.Version == 1) || has != (member == nil) {
			t.Errorf("the name is held by %s, and %s is %+v, %v", holder.Owner, who, a, member)
		}
	}
	// The account decides too: where it has changed, no paper is written.
	if err := h.SetAccount(h.ctx, store.Account{ID: holder.Owner, Name: "Elm"}, store.Paper{Kind: "name", Key: "elm", Owner: holder.Owner, Body: []byte("x")}); !errors.Is(err, store.ErrChanged) {
		t.Errorf("an account that has changed: %v", err)
	}
	if err := h.SetAccount(h.ctx, store.Account{ID: "ghost", Name: "Elm"}, text("name", "elm", "x", 0)); !errors.Is(err, store.ErrNone) {
		t.Errorf("a ghost is named: %v", err)
	}
	if err := h.SetAccount(h.ctx, store.Account{ID: holder.Owner, Name: "Elm", Version: 1}, store.Paper{Kind: "name", Key: "elm", Owner: "ghost", Body: []byte("x")}); !errors.Is(err, store.ErrPapers) {
		t.Errorf("a name that a ghost holds: %v", err)
	}
	h.paper("name", "elm", "", 0)
	holder.Body = nil
	h.good(h.SetAccount(h.ctx, store.Account{ID: holder.Owner, Name: "Elm", Version: 1}, holder, store.Paper{Kind: "name", Key: "elm", Owner: holder.Owner, Body: []byte("x")}))
	h.paper("name", "oak", "", 0)
	h.paper("name", "elm", "x", 1)
	checkedWhole(t, h)
}
