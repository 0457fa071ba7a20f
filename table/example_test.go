package table_test

import (
	"fmt"
	"os"
	"strings"

	"copse/game"
	"copse/games/bosk"
	"copse/table"
)

// A table is its log: a command is decided into entries, and entries are folded
// into what the table has come to.
func ExampleTable() {
	shelf := table.NewShelf(game.Of(bosk.Game()))
	set, err := table.ReadSettings([]byte(`{"game":"bosk","seats":2}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	now := table.Time(1_767_859_200_000)
	first, keep, err := table.Create(shelf, set, table.Secret{1, 2, 3}, now)
	if err != nil {
		fmt.Println(err)
		return
	}
	log := [][]byte{first.Append(nil)}
	t, err := table.Open(shelf, keep, log)
	if err != nil {
		fmt.Println(err)
		return
	}
	anna, ben := table.Person{1}, table.Person{2}
	for _, cmd := range []table.Command{
		table.Sit{Person: anna, Seat: 0, Nonce: table.Nonce{7}},
		table.Sit{Person: ben, Seat: 1, Nonce: table.Nonce{8}},
		table.Start{Person: anna},
	} {
		entries, err := t.Decide(cmd, now)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range entries { // they are kept, then applied
			log = append(log, e.Append(nil))
			if _, err := t.Apply(e); err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(e.Do)
		}
	}
	again, err := table.Open(shelf, keep, log)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("opened from its log the same seat is to act:", again.ToAct() == t.ToAct())
	// Output:
	// sit
	// sit
	// start
	// opened from its log the same seat is to act: true
}

// A finished game proves itself: whoever has the export needs no server to see
// that nothing in it was changed.
func ExampleVerify() {
	shelf := table.NewShelf(game.Of(bosk.Game()))
	export, err := os.ReadFile("testdata/exports/bosk-2.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := table.Verify(shelf, export)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("proven:", t.Len(), "entries of", t.Settings().Game)

	forged := strings.Replace(string(export), `"tree":2,"at":[1,5]`, `"tree":2,"at":[1,4]`, 1)
	_, err = table.Verify(shelf, []byte(forged))
	fmt.Println("forged:", err)
	// Output:
	// proven: 82 entries of bosk
	// forged: entry 4: table.log.hash {}
}
