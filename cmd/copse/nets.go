package main

import (
	"fmt"
	"os"

	"copse/bot"
)

// netFlags name nets that players are to judge by, in place of those that come with
// Copse.
type netFlags struct {
	Net []string `placeholder:"FILE" type:"existingfile" help:"Judge by this net where it fits. May be repeated."`
}

// load has players judge by the nets.
func (f netFlags) load() error {
	for _, file := range f.Net {
		raw, err := os.ReadFile(file)
		if err == nil {
			err = bot.AddNet(raw)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}
