package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"copse/store"
	"copse/store/sqlite"
)

// A log is written by Append, under the number that its writer expects to be
// next. When it returns, the entries are synced to disk; a second writer loses.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "copse")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	db, err := sqlite.Open(filepath.Join(folder, "copse.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, now := context.Background(), time.UnixMilli(1_767_859_200_000)
	row := store.Row{Game: "bosk", Sitting: []string{"anna", ""}}
	receipt, err := db.Append(ctx, store.Append{Table: "oak", At: now, Entries: [][]byte{[]byte("set"), []byte("sit")}, Row: &row})
	fmt.Println("goes on at", receipt.Next, err)

	_, err = db.Append(ctx, store.Append{Table: "oak", Next: 1, At: now, Entries: [][]byte{[]byte("too late")}})
	var conflict *store.Conflict
	fmt.Println("a second writer loses:", errors.As(err, &conflict))

	entries, err := db.Read(ctx, "oak", 1)
	fmt.Println(len(entries), "entry from 1 on:", string(entries[0].Body), err)
	fmt.Println("closed:", db.Close())
	// Output:
	// goes on at 2 <nil>
	// a second writer loses: true
	// 1 entry from 1 on: sit <nil>
	// closed: <nil>
}
