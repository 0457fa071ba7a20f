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
	good(s.SetAccount(t.Context(), store.Account{ID: "anna", Name: "Anna"}))
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
