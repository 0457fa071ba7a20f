package main

import (
	"encoding/json"
	"fmt"
	"os"

	"copse/bot"
	"copse/game"
)

// netFlags name nets that players are to ask, in place of those that come with
// Copse.
type netFlags struct {
	Net []string `placeholder:"FILE" type:"existingfile" help:"Ask this net, where a player asks one. May be repeated; of two the last is used, and former=1 names the one before."`
}

// load has players judge by the nets. One that nobody could ask at the table is refused.
func (f netFlags) load(e entry, seats int, options json.RawMessage) error {
	table := game.Settings{Seats: seats, Options: options}
	if len(f.Net) > 0 {
		if _, err := e.game.Start(table); err != nil {
			return mistyped(err) // nothing is wrong with the net
		}
	}
	for _, file := range f.Net {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := e.arena.Takes(raw, table); err != nil {
			return misused("--net %s: %w", file, err)
		}
		if err := bot.AddNet(raw); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}
