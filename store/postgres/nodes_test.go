package postgres

import (
	"errors"
	"strings"
	"testing"

	"copse/store"
	"copse/store/postgres/pgtest"
	"copse/store/storetest"
)

// TestNodesAreKnown: and of those that have said nothing for long the rows go.
func TestNodesAreKnown(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := node(t, url, Options{})
	storetest.Enrols(t, s, s)
	for _, c := range []struct {
		since    string
		up, kept bool
	}{{"14000", true, true}, {"16000", false, true}, {"590000", false, true}, {"610000", false, false}} {
		if err := pgtest.Shared(t).Exec(url, "UPDATE copse.nodes SET seen = "+millis+" - "+c.since+" WHERE id = 'elm'"); err != nil {
			t.Fatal(err)
		}
		list, err := s.Nodes(t.Context())
		if err != nil || (len(list) == 1) != c.kept || c.kept && list[0].Up != c.up {
			t.Errorf("silent for %s ms: %+v, %v", c.since, list, err)
		}
	}
	if err := s.Present(t.Context(), store.Node{ID: "ash"}); err != nil {
		t.Fatal(err)
	}
	if err := pgtest.Shared(t).Exec(url, "DO $$ BEGIN ASSERT (SELECT count(*) FROM copse.nodes) = 1; END $$"); err != nil {
		t.Errorf("the row of a dead node stays: %v", err)
	}
}

// TestWhoMayOpenADatabase: nobody one that has moved, is held or is being filled, but
// the one who fills it; and an empty one alone is filled.
func TestWhoMayOpenADatabase(t *testing.T) {
	t.Parallel()
	ctx, url := t.Context(), database(t)
	open := func(o Options) error {
		t.Helper()
		o.Key = houseKey
		s, err := Open(ctx, url, o)
		if err == nil {
			err = s.Close()
		}
		return err
	}
	is := func(err, want error) {
		t.Helper()
		if want == nil && err != nil || !errors.Is(err, want) {
			t.Errorf("it is %v, want %v", err, want)
		}
	}
	if taken, err := Taken(ctx, url); err != nil || !taken {
		t.Errorf("a database with a house is free: %v", err)
	}
	if taken, err := Taken(ctx, pgtest.Shared(t).Database(t, "", nil)); err != nil || taken {
		t.Errorf("an empty database is taken: %v", err)
	}
	is(open(Options{}), nil)
	is(open(Options{Fill: "abc"}), nil)
	is(open(Options{}), store.ErrFilling)
	is(open(Options{Fill: "def"}), store.ErrFilling)
	_, err := Look(ctx, url) // it would be half a house that is copied
	is(err, store.ErrFilling)
	if waits, there, err := Waits(ctx, url, "abc"); err != nil || !waits || there {
		t.Errorf("it does not wait for the copy: %v", err)
	}
	if waits, _, err := Waits(ctx, url, "def"); err != nil || waits {
		t.Errorf("it waits for another copy: %v", err)
	}
	into, err := Open(ctx, url, Options{Key: houseKey, Fill: "abc"})
	if err != nil {
		t.Fatal(err)
	}
	is(into.Settle(ctx), nil)
	is(into.Close(), nil)
	is(open(Options{}), nil)
	s, err := Look(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // nothing was written that must be waited for
	is(s.Fill(ctx), errServed)
	is(s.AddAccount(ctx, store.Account{ID: "anna"}), nil)
	is(open(Options{Fill: "abc"}), ErrNotEmpty)

	if err := s.Present(ctx, store.Node{ID: "oak", Host: "here"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Hold(ctx); err == nil || !strings.Contains(err.Error(), "a node still serves this house, on here") {
		t.Errorf("what is served is held: %v", err)
	}
	if err := s.Absent(ctx, "oak"); err != nil {
		t.Fatal(err)
	}
	hold, err := s.Hold(ctx)
	if err != nil {
		t.Fatal(err)
	}
	is(open(Options{}), store.ErrCopied)
	hold.Release()
	hold.Release()
	is(open(Options{}), nil)
	if hold, err = s.Hold(ctx); err != nil {
		t.Fatal(err)
	}
	is(hold.Move(ctx, "the moon"), nil)
	if err := open(Options{}); !errors.Is(err, store.ErrMoved) || !strings.Contains(err.Error(), "to the moon") {
		t.Errorf("what has moved is opened: %v", err)
	}
	is(open(Options{Fill: "abc"}), store.ErrMoved)
	if _, err := s.Append(ctx, store.Append{Table: "oak", At: store.Time(1), Row: &store.Row{Game: "bosk"}, Entries: [][]byte{nil}}); !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("who had it open appends: %v", err)
	}
	if err := s.AddAccount(ctx, store.Account{ID: "ben"}); !errors.Is(err, store.ErrUnwritten) {
		t.Errorf("who had it open adds somebody: %v", err)
	}
	if p, err := s.Account(ctx, "anna"); err != nil || p.ID != "anna" {
		t.Errorf("what has moved cannot be read: %+v, %v", p, err)
	}
	other := append([]byte("not "), houseKey...)
	if is, err := s.Keyed(ctx, houseKey); err != nil || !is {
		t.Errorf("the key is not the key: %v", err)
	}
	if is, err := s.Keyed(ctx, other); err != nil || is {
		t.Errorf("another key is the key: %v", err)
	}
	if _, err := Look(ctx, pgtest.Shared(t).Database(t, "", nil)); err == nil {
		t.Error("an empty database is looked at")
	}
}
