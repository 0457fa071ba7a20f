package main

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"

	"copse/bot"
	"copse/game"
	"copse/terminal"
)

type playCommand struct {
	Game string `arg:"" help:"The game, for example bosk."`
	tableFlags

	Humans int    `default:"1" help:"How many of them are people, who share the keyboard; bots play the others. 0 to look on."`
	Bots   string `default:"level:3" placeholder:"level:N" help:"Who the bots are: level:1, for a first game, to level:10, the strongest; or random, easy, greedy, ahead."`
	Lang   string `default:"" enum:",en,fr,it" placeholder:"en|fr|it" help:"The language; by default that of the environment."`
	Colour string `default:"auto" enum:"auto,always,never" help:"Draw in colour: auto, always or never. Auto asks the terminal and the environment."`
	Seed   string `help:"Any text. The same seed brings the same chance and the same moves of the bots."`
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
	if err := bot.Known(c.Bots); err != nil {
		return mistyped(err)
	}
	if start, err := e.game.Start(game.Settings{Seats: c.Seats, Options: options}); err == nil && c.Humans < c.Seats { // else Play says what is wrong
		if err := e.game.Ready(start, c.Bots); err != nil {
			return mistyped(err)
		}
	}
	colour := terminal.ColourOf(os.Getenv, isTerminal(os.Stdout))
	switch c.Colour {
	case "always":
		colour = terminal.FullColour
	case "never":
		colour = terminal.NoColour
	}
	// The first interrupt ends the game in good order.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	columns, rows := window(os.Stdout, os.Getenv)
	return terminal.Play(ctx, terminal.Config{
		Game: e.game, Options: options, Seats: c.Seats, Humans: c.Humans, Bot: c.bot(ctx, e), Role: role(e, c.Bots), Colour: colour, Seed: c.Seed,
		Columns: columns, Rows: rows, Again: c.again,
		Lang: cmp.Or(c.Lang, os.Getenv("LANGUAGE"), os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")),
	}, os.Stdin, os.Stdout)
}

// role is the key of what a bot is called.
func role(e entry, player string) string {
	for _, l := range bot.LevelsOf(e.game.About()) {
		if l.Player == player {
			return l.Name.Key
		}
	}
	if slices.Contains(bot.Players(), player) {
		return "play.role." + player
	}
	return "play.role.reference"
}

// bot is the player of the seats that no person plays.
func (c playCommand) bot(ctx context.Context, e entry) terminal.Bot {
	return func(now game.Position, seed string) ([]json.RawMessage, error) {
		thought, err := e.game.Think(ctx, now, bot.Ask{Player: c.Bots, Seed: seed})
		if err != nil {
			return nil, inWords(err)
		}
		return thought.Line, nil
	}
}

// again is the command that plays the game of a seed once more: the program as it
// was called, and every flag that matters to what is seen.
func (c playCommand) again(seed string) []string {
	words := []string{os.Args[0], "play", c.Game, "--seats", strconv.Itoa(c.Seats), "--humans", strconv.Itoa(c.Humans), "--bots", c.Bots}
	flag := func(name, value string) {
		if strings.HasPrefix(value, "-") {
			words = append(words, name+"="+value) // else the value would be taken for a flag
		} else {
			words = append(words, name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Option)) {
		flag("--option", name+"="+c.Option[name])
	}
	if c.Box != "" {
		flag("--box", c.Box)
	}
	if c.Lang != "" {
		flag("--lang", c.Lang)
	}
	if c.Colour != "auto" {
		flag("--colour", c.Colour)
	}
	flag("--seed", seed)
	return words
}

// window is how many columns and rows a terminal has, 0 where that cannot be known.
// What the environment says counts first.
func window(out *os.File, getenv func(string) string) (columns, rows int) {
	columns, rows = windowOf(out)
	for name, n := range map[string]*int{"COLUMNS": &columns, "LINES": &rows} {
		if said, err := strconv.Atoi(getenv(name)); err == nil && said > 0 {
			*n = said
		}
	}
	return columns, rows
}
