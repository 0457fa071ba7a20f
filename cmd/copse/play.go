package main

import (
	"cmp"
	"os"

	"copse/terminal"
)

type playCommand struct {
	Game string `arg:"" help:"The game, for example bosk."`
	tableFlags

	Humans int    `default:"1" help:"How many of them are people, who share the keyboard; the others play at random. 0 to look on."`
	Lang   string `default:"" enum:",en,fr,it" placeholder:"en|fr|it" help:"The language; by default that of the environment."`
	Colour string `default:"auto" enum:"auto,always,never" help:"Draw in colour: auto, always or never. Auto asks the terminal and the environment."`
	Seed   string `help:"Any text. The same seed brings the same chance and the same random players."`
}

// Run plays at the terminal.
func (c playCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	colour := terminal.ColourOf(os.Getenv, isTerminal(os.Stdout))
	switch c.Colour {
	case "always":
		colour = terminal.FullColour
	case "never":
		colour = terminal.NoColour
	}
	return terminal.Play(terminal.Config{
		Game: e.game, Options: options, Seats: c.Seats, Humans: c.Humans, Colour: colour, Seed: c.Seed,
		Lang: cmp.Or(c.Lang, os.Getenv("LANGUAGE"), os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")),
	}, os.Stdin, os.Stdout)
}
