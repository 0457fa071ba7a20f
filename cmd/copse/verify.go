package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"copse/game"
	"copse/games"
	"copse/i18n"
	"copse/table"
)

type verifyCommand struct {
	File       string `arg:"" help:"An exported game, or - for standard input."`
	Commitment string `placeholder:"HASH" help:"The commitment that the table showed before the game, to compare."`
}

// Run proves an exported game: the secret, the chain of hashes, every draw, every
// move, the result. It fails with the first entry that is not as it was.
func (c verifyCommand) Run() error {
	raw, err := c.read()
	if err != nil {
		return err
	}
	t, err := table.Verify(table.NewShelf(games.All()...), raw)
	if err != nil {
		return fmt.Errorf("%s does not verify: %w", c.File, wrongInWords(err))
	}
	commitment := t.Look(game.Watcher).Commitment.String()
	if c.Commitment != "" && !strings.EqualFold(c.Commitment, commitment) {
		return fmt.Errorf("%s is another game than the one that was begun: its commitment is %s", c.File, commitment)
	}
	last, err := table.ReadEntry(t.Log()[t.Len()-1])
	if err != nil {
		return err
	}
	return printVerified(os.Stdout, t, &last, commitment)
}

func (c verifyCommand) read() ([]byte, error) {
	in := os.Stdin
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, longestExport+1))
}

// printVerified says what was proven.
func printVerified(w io.Writer, t *table.Table, last *table.Entry, commitment string) error {
	moves, draws := 0, 0
	for _, raw := range t.Log() {
		e, err := table.ReadEntry(raw)
		if err != nil {
			return err
		}
		switch e.Do {
		case table.Moved:
			moves++
		case table.Drawn:
			draws++
		}
	}
	set := t.Settings()
	_, err := fmt.Fprintf(w, "good: %s, %d seats, %d entries: %s, %s\ncommitment %s\n",
		set.Game, set.Seats, t.Len(), count(moves, "move", "moves"), count(draws, "draw", "draws"), commitment)
	if err != nil {
		return err
	}
	if last.Totals == nil {
		_, err = fmt.Fprintln(w, "abandoned, without a result")
		return err
	}
	for seat, total := range last.Totals {
		if _, err := fmt.Fprintf(w, "seat %d  rank %d  %d points\n", seat, last.Ranks[seat], total); err != nil {
			return err
		}
	}
	return nil
}

// wrongInWords turns the error of a table into an English sentence, with the entry
// that it is about.
func wrongInWords(err error) error {
	var wrong *table.Wrong
	if errors.As(err, &wrong) {
		where := fmt.Sprintf("entry %d", wrong.Entry)
		if wrong.Entry < 0 {
			where = "its first line"
		}
		return fmt.Errorf("%s: %w", where, wrongInWords(wrong.Err))
	}
	var refusal *game.Refusal
	if errors.As(err, &refusal) {
		return errors.New(i18n.Pick("en").Say(refusal.Key, refusal.Args, func(seat int) string { return fmt.Sprintf("seat %d", seat) }))
	}
	return inWords(err)
}

// titleOf is what a problem says in words; what is no problem is given as it is.
func titleOf(raw []byte) string {
	var problem struct{ Title string }
	if json.Unmarshal(raw, &problem) == nil && problem.Title != "" {
		return problem.Title
	}
	const most = 200
	return strings.TrimSpace(string(raw[:min(len(raw), most)]))
}
