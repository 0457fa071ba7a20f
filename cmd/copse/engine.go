package main

import (
	"os"

	"copse/engine"
)

type engineCommand struct{}

// Run answers requests until standard input ends.
func (engineCommand) Run() error {
	return engine.New(games()...).Serve(os.Stdin, os.Stdout)
}
