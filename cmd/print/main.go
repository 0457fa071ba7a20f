// Command print writes down what the page is built with and only Go knows. make
// runs it before the page is built:
//
//	go run ./cmd/print web/build/print
//
// In the folder that it is given it writes for each game games/NAME.json: what the
// engine says of the game, and how the game lies on the table before anything
// has happened, so that a page can draw that while the engine is still on its
// way. In words.json it writes where on the page the keys of Go are needed, as
// they declare it. Files that would not change are left alone.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"copse/game"
	"copse/games"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: print FOLDER")
		os.Exit(2)
	}
	if err := print(os.Args[1], games.All()); err != nil {
		fmt.Fprintln(os.Stderr, "print:", err)
		os.Exit(1)
	}
}

// print writes all there is to write into a folder.
func print(folder string, list []game.Game) error {
	if err := os.MkdirAll(filepath.Join(folder, "games"), 0o777); err != nil {
		return err
	}
	for _, g := range list {
		s, err := leafletOf(g)
		if err != nil {
			return fmt.Errorf("%s: %w", g.About().Name, err)
		}
		if err := write(filepath.Join(folder, "games", g.About().Name+".json"), s); err != nil {
			return err
		}
	}
	return write(filepath.Join(folder, "words.json"), wordsOf(list))
}

// write writes a value as JSON, unless that is there already.
func write(file string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, raw) {
		return nil
	}
	return os.WriteFile(file, raw, 0o666)
}
