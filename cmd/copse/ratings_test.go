package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"copse/games"
	"copse/news"
	"copse/rating"
	"copse/server/hall"
	"copse/server/hall/halltest"
	"copse/store"
	"copse/store/sqlite"
	"copse/table"
)

// ratedHouse is a data folder in which rated games have ended.
func ratedHouse(t *testing.T, played int) (*sqlite.Store, string) {
	t.Helper()
	folder := t.TempDir()
	db, err := sqlite.Open(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	h := hall.New(hall.Options{Store: db, News: news.NewHub(), Games: games.All(), Key: []byte("a key"), Cores: 1, Random: halltest.Random(t)})
	t.Cleanup(h.Stop)
	ctx := t.Context()
	good := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := range played { // other people each time: they are equals
		var people []hall.Account
		for _, name := range []string{"Anna", "Ben"} {
			a := hall.Account{ID: fmt.Sprint(name, n), Name: fmt.Sprint(name, " ", n), Salt: []byte{1}, More: hall.More{Member: 1}}
			good(h.AddAccount(ctx, a))
			people = append(people, a)
			_, err := h.PlayNow(ctx, a, hall.Want{Game: "bosk", Seats: 2, Pace: table.Live, Rated: true, Bots: 60_000})
			good(err)
		}
		id := ""
		for i, a := range people {
			w, err := h.Come(ctx, a, table.Nonce{byte(i + 1)})
			good(err)
			id = w.Table
		}
		for range 40 {
			s, err := h.Look(ctx, id, people[0])
			good(err)
			by := people[0]
			if *s.You != s.Look.ToAct[0] {
				by = people[1]
			}
			p, last, err := h.Position(ctx, id, by)
			good(err)
			_, err = h.Do(ctx, id, hall.Request{By: by, Want: func(p2 table.Person) table.Command {
				return table.Play{Person: p2, After: last, Moves: []json.RawMessage{p.Moves()[0]}}
			}})
			good(err)
		}
		_, err := h.Do(ctx, id, hall.Request{By: people[1], Want: func(p table.Person) table.Command { return table.Resign{Person: p} }})
		good(err)
	}
	return db, folder
}

// TestRatingsAreComputedAgain: good results check, and whatever is changed in the store
// afterwards is found and named.
func TestRatingsAreComputedAgain(t *testing.T) {
	t.Parallel()
	db, _ := ratedHouse(t, 3)
	check := func() (string, int) {
		var out bytes.Buffer
		_, n, wrong, err := replay(t.Context(), db, true, &out)
		if err != nil || n != 3 {
			t.Fatalf("%d results, %v", n, err)
		}
		return out.String(), wrong
	}
	if said, wrong := check(); wrong != 0 {
		t.Fatalf("good results are called wrong: %s", said)
	}
	paper, err := db.Paper(t.Context(), "result", "000000000002")
	if err != nil {
		t.Fatal(err)
	}
	var r rating.Result
	if err := json.Unmarshal(paper.Body, &r); err != nil {
		t.Fatal(err)
	}
	r.Seats[0].Rank, r.Seats[1].Rank = r.Seats[1].Rank, r.Seats[0].Rank
	paper.Body, _ = json.Marshal(r)
	if err := db.Write(t.Context(), paper); err != nil {
		t.Fatal(err)
	}
	if said, wrong := check(); wrong == 0 || !strings.Contains(said, "result 2") || !strings.Contains(said, "is rank") {
		t.Errorf("a rank that was changed is not found: %d, %s", wrong, said)
	}
	list, err := db.Papers(t.Context(), "rating", "", "", store.MostListed)
	if err != nil || len(list) != 6 {
		t.Fatal(len(list), err)
	}
	list[0].Body = bytes.Replace(list[0].Body, []byte(`"mean":1`), []byte(`"mean":2`), 1)
	if err := db.Write(t.Context(), list[0]); err != nil {
		t.Fatal(err)
	}
	if said, _ := check(); !strings.Contains(said, "is kept as") {
		t.Errorf("a rating that was changed is not found: %s", said)
	}
}

// TestAPoolIsPrinted, the strongest first, with names as long as there are any.
func TestAPoolIsPrinted(t *testing.T) {
	t.Parallel()
	db, _ := ratedHouse(t, 1)
	var out bytes.Buffer
	if err := (ratingsCommand{Most: 20}).show(t.Context(), db, rating.Pool{Game: "bosk", Version: 1, Pace: "live"}, &out); err != nil {
		t.Fatal(err)
	}
	anna, ben := strings.Index(out.String(), "Anna 0"), strings.Index(out.String(), "Ben 0")
	if anna < 0 || ben < anna || !strings.Contains(out.String(), "bosk, version 1, live: 2 people") || !strings.Contains(out.String(), " to ") {
		t.Errorf("it prints\n%s", out.String())
	}
}
