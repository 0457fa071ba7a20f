package sqlite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"copse/store"
)

// TestADeletedPersonIsOverwritten: once the log file has come home, no byte of a
// name, of an earlier one or of a line is left in any file, not even in pages that
// are free.
func TestADeletedPersonIsOverwritten(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := reopen(t, filepath.Join(folder, "copse.db"))
	good := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []store.Account{{ID: "anna", Name: "Annabella", Salt: []byte("salted Annabella")}, {ID: "ben", Name: "Benjamin"}} {
		good(s.AddAccount(t.Context(), p))
	}
	good(put(s, "oak", 0))
	for n := range 200 { // many pages of them, which are free afterwards
		_, err := s.Say(t.Context(), "oak", store.ChatLine{Account: "anna", Body: fmt.Appendf(nil, `{"text":"Annabella says %0200d"}`, n)}, store.Once{})
		good(err)
	}
	good(s.SetAccount(t.Context(), store.Account{ID: "anna", Name: "Another name of Annabella, which is longer"}))
	good(s.SetAccount(t.Context(), store.Account{ID: "anna", Name: "Anna", Version: 1}))
	good(s.DeleteAccount(t.Context(), "anna"))
	good(s.Close())
	files, err := os.ReadDir(folder)
	good(err)
	found := false
	for _, f := range files {
		raw, err := os.ReadFile(filepath.Join(folder, f.Name()))
		good(err)
		if n := bytes.Count(raw, []byte("Annabella")); n > 0 {
			t.Errorf("%s says her name %d times", f.Name(), n)
		}
		found = found || bytes.Contains(raw, []byte("Benjamin"))
	}
	if !found {
		t.Error("nobody is found who is there: this proves nothing")
	}
}

// TestWhatHasRunOutGoes: passes that nobody withdraws do not stay for ever. A few that
// have run out go with each that comes.
func TestWhatHasRunOutGoes(t *testing.T) {
	t.Parallel()
	s := reopen(t, filepath.Join(t.TempDir(), "copse.db"))
	admit := func(n int, born, until int64) {
		t.Helper()
		who := fmt.Sprint("guest-", n)
		for _, err := range []error{
			s.AddAccount(t.Context(), store.Account{ID: who}),
			s.Admit(t.Context(), store.Pass{Digest: store.DigestOf(who), Kind: store.Session, Account: who, Born: store.Time(born), Until: store.Time(until)}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	count := func(want int, when string) {
		t.Helper()
		n := 0
		if err := s.row(t.Context(), "SELECT count(*) FROM passes", func(scan scan) error { return scan(&n) }); err != nil || n != want {
			t.Errorf("%s there are %d passes, want %d: %v", when, n, want, err)
		}
	}
	for n := range 10 {
		admit(n, 1000, 2000+int64(n))
	}
	admit(10, 1999, 0) // which does not end
	count(11, "before the first has run out")
	admit(11, 2009, 9000)
	count(8, "when all have")
	admit(12, 2009, 9000)
	admit(13, 2009, 9000)
	count(4, "at last")
}
