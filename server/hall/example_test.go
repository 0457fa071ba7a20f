package hall_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"copse/game"
	"copse/games"
	"copse/news"
	"copse/server/hall"
	"copse/store"
	"copse/store/sqlite"
	"copse/table"
)

// A hall holds tables over a store. What it answers is on disk, and whoever looks
// sees it.
func ExampleHall() {
	if err := anEvening(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// anna sits at seat 0
	// phase play, seat 0 to act
	// after her move seat 1 is to act
}

func anEvening() error {
	folder, err := os.MkdirTemp("", "copse")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	db, err := sqlite.Open(filepath.Join(folder, "copse.db"))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	hub := news.NewHub()
	defer hub.Close()
	h := hall.New(hall.Options{Store: db, News: hub, Games: games.All(), Key: []byte("of this house")})
	defer h.Stop()

	ctx, anna, ben := context.Background(), hall.Account{ID: "anna", Name: "Anna", Salt: []byte("a")}, hall.Account{ID: "ben", Name: "Ben", Salt: []byte("b")}
	for _, who := range []hall.Account{anna, ben} {
		if err := h.AddAccount(ctx, who); err != nil {
			return err
		}
	}
	set, err := table.ReadSettings([]byte(`{"game":"bosk","seats":2}`))
	if err != nil {
		return err
	}
	id, err := h.Create(ctx, set)
	if err != nil {
		return err
	}
	for seat, who := range []hall.Account{anna, ben} {
		sit := table.Sit{Seat: game.Seat(seat), Nonce: table.Nonce{1: byte(seat) + 1}}
		if _, err := h.Sit(ctx, id, who, sit, store.Once{}); err != nil {
			return err
		}
	}
	fmt.Println("anna sits at seat 0")
	start := func(p table.Person) table.Command { return table.Start{Person: p} }
	last, err := h.Do(ctx, id, hall.Request{By: anna, Want: start})
	if err != nil {
		return err
	}
	seen, err := h.Look(ctx, id, ben)
	if err != nil {
		return err
	}
	fmt.Printf("phase %s, seat %v to act\n", seen.Look.People.Phase, seen.Look.ToAct[0])
	plant := func(p table.Person) table.Command {
		return table.Play{Person: p, After: last, Moves: []json.RawMessage{[]byte(`{"do":"plant","tree":3,"at":[2,2]}`)}}
	}
	if _, err := h.Do(ctx, id, hall.Request{By: anna, Want: plant}); err != nil {
		return err
	}
	if seen, err = h.Look(ctx, id, ben); err != nil {
		return err
	}
	fmt.Printf("after her move seat %v is to act\n", seen.Look.ToAct[0])
	return nil
}
