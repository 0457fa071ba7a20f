package peace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"copse/store"
	"copse/store/sqlite"
)

var noon = time.UnixMilli(1_767_859_200_000).UTC()

func book(t testing.TB, accounts ...string) (Book, *sqlite.Store) {
	t.Helper()
	s, err := sqlite.Open(filepath.Join(t.TempDir(), "copse.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, a := range accounts {
		if err := s.AddAccount(t.Context(), store.Account{ID: a, Name: "Name of " + a}); err != nil {
			t.Fatal(err)
		}
	}
	return Book{s}, s
}

func do(t testing.TB, b Book, o Order) Act {
	t.Helper()
	if o.At.IsZero() {
		o.At = noon
	}
	act, err := b.Do(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return act
}

// everything is all that papers of a kind say, for tests that look for what must not be
// there.
func everything(t testing.TB, b Book, kinds ...string) string {
	t.Helper()
	all := ""
	for _, kind := range kinds {
		if err := b.each(t.Context(), kind, func(p store.Paper) error {
			all += p.Key + " " + string(p.Body) + "\n"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestAnActIsNumberedAndInForce(t *testing.T) {
	t.Parallel()
	b, _ := book(t, "anna", "ben")
	if act := do(t, b, Order{Do: Mute, Account: "anna", Why: "shouts", Until: noon.Add(time.Hour)}); act.Number != 1 || act.By != "" {
		t.Errorf("%+v", act)
	}
	second := do(t, b, Order{Do: Mute, Account: "anna", Why: "shouts again", Until: noon.Add(2 * time.Hour)}) // muted twice: the last word counts
	if second.Number != 2 {
		t.Errorf("%+v", second)
	}
	m, err := b.Marks(t.Context(), "anna")
	if err != nil || m.MutedAt(noon).Why != "shouts again" || m.MutedAt(noon.Add(2*time.Hour)) != nil || m.MutedAt(noon.Add(2*time.Hour-1)) == nil || m.BannedAt(noon) != nil {
		t.Errorf("%+v, %v", m, err)
	}
	do(t, b, Order{Do: Unmute, Account: "anna"})
	if _, err := b.Do(t.Context(), Order{Do: Unmute, Account: "anna", At: noon}); !errors.Is(err, ErrNothing) {
		t.Errorf("unmuted twice: %v", err)
	}
	do(t, b, Order{Do: Ban, Account: "ben", Why: "for good"})
	state, err := b.Load(t.Context())
	if err != nil || state.Acts != 4 || len(state.Marks) != 1 || state.Marks["ben"].BannedAt(noon.AddDate(50, 0, 0)) == nil {
		t.Errorf("%+v, %v", state, err)
	}
	alias, err := b.AliasOf(t.Context(), "anna")
	if err != nil || alias == "" || strings.Contains(alias, "anna") {
		t.Errorf("alias %q, %v", alias, err)
	}
	acts, err := b.ActsAbout(t.Context(), alias, 10)
	if err != nil || len(acts) != 3 || acts[0].Why != "shouts" || acts[2].Do != Unmute {
		t.Errorf("%+v, %v", acts, err)
	}
	if all, err := b.Acts(t.Context(), 1, 10); err != nil || len(all) != 3 || all[0].Number != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := b.Do(t.Context(), Order{Do: Ban, Account: "nobody", At: noon}); !errors.Is(err, store.ErrNone) {
		t.Errorf("somebody who is no more was banned: %v", err)
	}
	if n, err := b.Count(t.Context()); err != nil || n != 4 {
		t.Errorf("what was refused is counted: %d, %v", n, err)
	}
}

// TestActsOfManyAtOnce: no number is given twice and none is left out.
func TestActsOfManyAtOnce(t *testing.T) {
	t.Parallel()
	b, _ := book(t, "anna", "ben")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if _, err := b.Do(context.Background(), Order{Do: Mute, Account: []string{"anna", "ben"}[i%2], Why: fmt.Sprint(i), At: noon}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	acts, err := b.Acts(t.Context(), 0, 100)
	if err != nil || len(acts) != 20 {
		t.Fatalf("%d acts, %v", len(acts), err)
	}
	for i, a := range acts {
		if a.Number != int64(i+1) {
			t.Errorf("act %d is number %d", i+1, a.Number)
		}
	}
}

// late takes something away between reading and writing.
type late struct {
	*sqlite.Store
	once sync.Once
	then func()
}

func (l *late) Write(ctx context.Context, papers ...store.Paper) error {
	l.once.Do(l.then)
	return l.Store.Write(ctx, papers...)
}

// TestAnOperatorsMarkTakenAwayInMidAct: what was decided by an operator and not written
// yet is not written.
func TestAnOperatorsMarkTakenAwayInMidAct(t *testing.T) {
	t.Parallel()
	b, s := book(t, "anna", "op")
	if _, err := b.Do(t.Context(), Order{Do: Ban, Account: "anna", By: "op", At: noon}); !errors.Is(err, ErrOperator) {
		t.Errorf("who is no operator has banned: %v", err)
	}
	do(t, b, Order{Do: MakeOperator, Account: "op"})
	act := do(t, b, Order{Do: Mute, Account: "anna", By: "op", Why: "x"})
	if alias, _ := b.AliasOf(t.Context(), "op"); act.By != alias || alias == "" {
		t.Errorf("it was done by %q", act.By)
	}
	slow := Book{&late{Store: s, then: func() { do(t, b, Order{Do: UnmakeOperator, Account: "op"}) }}}
	if _, err := slow.Do(t.Context(), Order{Do: Ban, Account: "anna", By: "op", At: noon}); !errors.Is(err, ErrOperator) {
		t.Errorf("%v", err)
	}
	n, _, err := b.Report(t.Context(), Complaint{By: "anna", Whom: "op", Why: WhyOther, At: noon})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(t.Context(), n, "op", "", noon); !errors.Is(err, ErrOperator) {
		t.Errorf("closed: %v", err)
	}
	do(t, b, Order{Do: MakeOperator, Account: "op"})
	slow = Book{&late{Store: s, then: func() { do(t, b, Order{Do: UnmakeOperator, Account: "op"}) }}}
	if err := slow.Close(t.Context(), n, "op", "", noon); !errors.Is(err, ErrOperator) {
		t.Errorf("closed in the meantime: %v", err)
	}
	if m, _ := b.Marks(t.Context(), "anna"); m.Banned != nil {
		t.Error("banned by somebody who was no operator any more")
	}
	do(t, b, Order{Do: MakeOperator, Account: "op"})
	do(t, b, Order{Do: Ban, Account: "op"})
	if _, err := b.Do(t.Context(), Order{Do: Ban, Account: "anna", By: "op", At: noon}); !errors.Is(err, ErrOperator) {
		t.Errorf("a banned operator has banned: %v", err)
	}
	if err := b.Close(t.Context(), n, "op", "", noon); !errors.Is(err, ErrOperator) {
		t.Errorf("a banned operator has closed a report: %v", err)
	}
}

// TestDeletionTakesTheNameAndKeepsTheAlias: what was done is still written down, and
// nobody can tell to whom, by whom and because of which words.
func TestDeletionTakesTheNameAndKeepsTheAlias(t *testing.T) {
	t.Parallel()
	b, s := book(t, "anna", "ben", "op")
	do(t, b, Order{Do: MakeOperator, Account: "op"})
	line := 3
	n, again, err := b.Report(t.Context(), Complaint{By: "anna", Whom: "ben", At: noon, Why: WhyWords, Text: "he shouts", Table: "t1", Line: &line, Evidence: Evidence{Name: "Benno", Said: "bad words"}})
	if err != nil || n != 1 || again {
		t.Fatal(n, again, err)
	}
	do(t, b, Order{Do: Mute, Account: "ben", By: "op", Why: "words", Report: n})
	if err := b.Came(t.Context(), "ben", "hash", noon); err != nil {
		t.Fatal(err)
	}
	kinds := []string{actKind, actedKind, aliasKind, knownKind, marksKind, networkKind, reportKind, aboutKind, evidenceKind, textKind, onceKind}
	before, err := b.ReportOf(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := b.Evidence(t.Context(), n); err != nil || e.Said != "bad words" || e.Name != "Benno" {
		t.Errorf("%+v, %v", e, err)
	}
	for _, who := range []string{"ben", "anna", "op"} {
		if err := s.DeleteAccount(t.Context(), who); err != nil {
			t.Fatal(err)
		}
	}
	left := everything(t, b, kinds...)
	for _, gone := range []string{"anna", "ben", "Benno", "bad words", "he shouts", `"op"`, " op\n", "hash"} {
		if strings.Contains(left, gone) {
			t.Errorf("%q is still there:\n%s", gone, left)
		}
	}
	after, err := b.ReportOf(t.Context(), n)
	if err != nil || after.Whom != before.Whom || after.By != before.By {
		t.Errorf("%+v, %v", after, err)
	}
	acts, err := b.ActsAbout(t.Context(), before.Whom, 10)
	if err != nil || len(acts) != 1 || acts[0].Do != Mute || acts[0].Report != n {
		t.Errorf("%+v, %v", acts, err)
	}
	if who, err := b.Known(t.Context(), before.Whom); err != nil || who != "" {
		t.Errorf("the alias leads to %q, %v", who, err)
	}
}

func TestOnePersonReportsOneThingOnce(t *testing.T) {
	t.Parallel()
	b, _ := book(t, "anna", "ben", "cleo")
	line, other := 3, 4
	for i, c := range []struct {
		Complaint
		want  int64
		again bool
	}{
		{Complaint{By: "anna", Whom: "ben", Table: "t", Line: &line, Why: WhyWords}, 1, false},
		{Complaint{By: "anna", Whom: "ben", Table: "t", Line: &line, Why: WhyOther}, 1, true},
		{Complaint{By: "anna", Whom: "ben", Table: "t", Line: &other, Why: WhyWords}, 2, false},
		{Complaint{By: "cleo", Whom: "ben", Table: "t", Line: &line, Why: WhyWords}, 3, false},
		{Complaint{By: "anna", Whom: "ben", Why: WhyName, Evidence: Evidence{Name: "B"}}, 4, false},
		{Complaint{By: "anna", Whom: "ben", Why: WhyName, Evidence: Evidence{Name: "B"}}, 4, true},
		{Complaint{By: "anna", Whom: "ben", Why: WhyName, Evidence: Evidence{Name: "C"}}, 5, false}, // another name
	} {
		c.At = noon
		if n, again, err := b.Report(t.Context(), c.Complaint); err != nil || n != c.want || again != c.again {
			t.Errorf("%d: report %d, %v, %v", i, n, again, err)
		}
	}
	if err := b.Close(t.Context(), 2, "", "seen", noon); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(t.Context(), 2, "", "seen again", noon); !errors.Is(err, ErrNothing) {
		t.Errorf("closed twice: %v", err)
	}
	open, err := b.Open(t.Context(), 1, 10)
	if err != nil || len(open) != 3 || open[0].Number != 3 {
		t.Errorf("open are %+v, %v", open, err)
	}
	all, err := b.Reports(t.Context(), 0, 10)
	if err != nil || len(all) != 5 || all[1].Closed == nil || all[1].Closed.Note != "seen" {
		t.Errorf("all are %+v, %v", all, err)
	}
	alias, _ := b.AliasOf(t.Context(), "ben")
	if about, err := b.ReportsAbout(t.Context(), alias, 10); err != nil || len(about) != 5 {
		t.Errorf("about ben are %+v, %v", about, err)
	}
	if by, texts, err := b.ReportsBy(t.Context(), "cleo", 10); err != nil || len(by) != 1 || len(texts) != 1 {
		t.Errorf("by cleo are %+v, %v", by, err)
	}
}

// TestNetworksAreKeptThirtyDays: neither where somebody came from nor a ban of a network
// is kept longer, whatever was asked for.
func TestNetworksAreKeptThirtyDays(t *testing.T) {
	t.Parallel()
	b, s := book(t, "anna", "ben")
	if _, err := b.Do(t.Context(), Order{Do: BanNetwork, Account: "anna", At: noon}); !errors.Is(err, ErrNetwork) {
		t.Errorf("%v", err)
	}
	for i := range MostNetworks + 3 {
		if err := b.Came(t.Context(), "anna", fmt.Sprint("net", i), noon.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Came(t.Context(), "ben", "net7", noon); err != nil {
		t.Fatal(err)
	}
	list, err := b.Networks(t.Context(), "anna", noon)
	if err != nil || len(list) != MostNetworks || list[0] != "net3" {
		t.Errorf("%v, %v", list, err)
	}
	if near, err := b.Neighbours(t.Context(), "net7", noon, 10); err != nil || len(near) != 2 {
		t.Errorf("%v, %v", near, err)
	}
	act := do(t, b, Order{Do: BanNetwork, Account: "anna", Until: noon.AddDate(1, 0, 0)})
	limit := noon.Add(30*24*time.Hour - time.Hour)
	if act.Until > limit.UnixMilli() {
		t.Errorf("a network is banned until %v", time.UnixMilli(act.Until))
	}
	if a, err := b.Act(t.Context(), act.Number); err != nil || a.Until != act.Until {
		t.Errorf("written down is %+v, %v", a, err)
	}
	state, err := b.Load(t.Context())
	if err != nil || len(state.Networks) != MostNetworks {
		t.Errorf("%+v, %v", state, err)
	}
	due, err := s.Overdue(t.Context(), limit.Add(8*time.Hour), 100)
	if err != nil || len(due) != 2*MostNetworks+1 {
		t.Errorf("%d papers are overdue, %v", len(due), err)
	}
	if err := b.Came(t.Context(), "ben", "net99", noon); err != nil {
		t.Fatal(err)
	}
	do(t, b, Order{Do: BanNetwork, Account: "ben"}) // net7 is his ban now, too
	do(t, b, Order{Do: UnbanNetwork, Account: "anna"})
	if state, err := b.Load(t.Context()); err != nil || len(state.Networks) != 2 {
		t.Errorf("what was banned for somebody else is not any more: %+v, %v", state, err)
	}
	if _, err := b.Do(t.Context(), Order{Do: UnbanNetwork, Account: "anna", At: noon}); !errors.Is(err, ErrNothing) {
		t.Errorf("%v", err)
	}
	if list, err := b.Networks(t.Context(), "anna", limit.Add(10*time.Hour)); err != nil || len(list) != 0 {
		t.Errorf("after thirty days it is known: %v, %v", list, err)
	}
}
