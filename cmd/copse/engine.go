package main

import (
	"os"

	"copse/engine"
	"copse/games"
)

type engineCommand struct{}

// Run answers requests until standard input ends.
func (engineCommand) Run() error {
	return engine.New(games.All()...).Serve(os.Stdin, os.Stdout)
}
