package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"copse/game"
	"copse/games/treesociety"
	"copse/i18n"
)

type boxCommand struct {
	Show  boxShowCommand  `cmd:"" help:"Print the box of a game: boards, tiles, wind, cards, as JSON to start your own from."`
	Check boxCheckCommand `cmd:"" help:"Say what is wrong with a box of your own and where."`
}

type boxShowCommand struct {
	Game  string `arg:"" help:"The game, for example bosk."`
	Box   string `help:"A box of your own in place of the one that comes with Copse."`
	Table bool   `help:"Tree Society's cards in words, as tables in Markdown: to read what a box says."`
	Lang  string `help:"The language of the words: en, fr or it." default:"en" enum:"en,fr,it"`
}

// Run prints the whole box, as JSON or in words.
func (c boxShowCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	raw := json.RawMessage("{}")
	if c.Box != "" {
		if raw, err = boxFor(c.Game, c.Box); err != nil {
			return err
		}
	}
	box, err := e.game.About().Box(raw)
	if err != nil {
		return inWords(err)
	}
	text, err := layout(box)
	if c.Table {
		text, err = c.table(raw)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Print(text)
	return err
}

// table is the box in words, for a box of cards.
func (c boxShowCommand) table(raw json.RawMessage) (string, error) {
	if c.Game != "treesociety" {
		return "", misused("only the box of treesociety is of cards with words: leave out --table")
	}
	box, err := treesociety.ReadBox(raw)
	if err != nil {
		return "", inWords(err)
	}
	return deckTable(box, i18n.Pick(c.Lang)), nil
}

type boxCheckCommand struct {
	File string `arg:"" help:"The box as a JSON file."`
	Game string `help:"The game it is for, where the file does not say so."`
}

// Run reads the box as the game would and tells its hash, or what is wrong.
func (c boxCheckCommand) Run() error {
	raw, err := readBox(c.File)
	if err != nil {
		return err
	}
	name, err := c.gameOf(raw)
	if err != nil {
		return err
	}
	e, err := find(name)
	if err != nil && c.Game == "" {
		return fmt.Errorf("%s: %s", c.File, err.Error()) // the file is to blame, not who typed its name
	}
	if err != nil {
		return err
	}
	box, err := e.game.About().Box(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, inWords(err))
	}
	_, err = fmt.Printf("%s is a good box for %s.\nhash %s\n", c.File, name, game.BoxHash(box))
	return err
}

// gameOf is the game that a box is for: the one asked for, the one that the file
// names, or the only one that knows all its fields.
func (c boxCheckCommand) gameOf(raw json.RawMessage) (string, error) {
	if c.Game != "" {
		return c.Game, nil
	}
	if name := namedIn(raw); name != "" {
		return name, nil
	}
	var fits []string
	for _, e := range registry() {
		about := e.game.About()
		if about.Box == nil {
			continue
		}
		var fault *game.Fault
		if _, err := about.Box(raw); !errors.As(err, &fault) || fault.Key != "json.unknown" {
			fits = append(fits, about.Name)
		}
	}
	if len(fits) != 1 {
		return "", fmt.Errorf(`%s does not say which game it is for: add a field "game" or use --game`, c.File)
	}
	return fits[0], nil
}

// namedIn is the game that a box says it is for.
func namedIn(raw json.RawMessage) string {
	var says struct {
		Game string `json:"game"`
	}
	_ = json.Unmarshal(raw, &says) // the game reports a file that cannot be read
	return says.Game
}

// boxFor reads a box file for a game. Where the file is for another game it says
// so, instead of calling its fields wrong.
func boxFor(name, path string) (json.RawMessage, error) {
	raw, err := readBox(path)
	if err != nil {
		return nil, err
	}
	if other := namedIn(raw); other != "" && other != name {
		return nil, fmt.Errorf("%s says that it is a box for %q, not for %q: give another file", path, other, name)
	}
	return raw, nil
}

// readBox reads a box file of at most the size that a box may have.
func readBox(path string) (json.RawMessage, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	raw, err := io.ReadAll(io.LimitReader(f, game.LargestBox+1))
	if err != nil {
		return nil, err
	}
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF")) // some editors write a byte order mark
	if len(raw) > game.LargestBox {
		return nil, fmt.Errorf("%s: a box has at most %d bytes", path, game.LargestBox)
	}
	if !json.Valid(raw) {
		return nil, fmt.Errorf("%s is not JSON: %s", path, jsonError(raw))
	}
	return raw, nil
}

// jsonError says on which line a text stops being JSON.
func jsonError(raw []byte) string {
	var syntax *json.SyntaxError
	var v any
	err := json.Unmarshal(raw, &v)
	if !errors.As(err, &syntax) {
		return fmt.Sprint(err)
	}
	return fmt.Sprintf("line %d: %v", 1+strings.Count(string(raw[:syntax.Offset]), "\n"), err)
}
