package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"copse/arena"
)

type simCommand struct {
	Game string `arg:"" help:"The game, for example bosk."`
	tableFlags

	Games int    `default:"10000" help:"Number of games."`
	Seed  string `default:"1" help:"Any text. The same seed brings the same result, whatever the number of cores."`
	Cores int    `default:"0" help:"Cores to use; 0 for all."`
	JSON  bool   `help:"Print the result as JSON."`
}

// Run plays the games and prints what they were like.
func (c simCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	if c.Games < 1 || c.Games > mostGames {
		return misused("--games %d: between 1 and %d", c.Games, mostGames)
	}
	if c.Cores < 0 || c.Cores > mostCores {
		return misused("--cores %d: between 0 (all) and %d", c.Cores, mostCores)
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	bar := newBar(os.Stderr, c.Games, "games")
	sim, err := e.arena.Sim(arena.SimConfig{Seats: c.Seats, Options: options, Games: c.Games, Seed: c.Seed, Cores: c.Cores, Progress: bar.show})
	bar.clear()
	if err != nil {
		return blamed(err)
	}
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(sim)
	}
	return printSim(os.Stdout, sim, e.game.About().Parts)
}

const (
	mostGames = 1_000_000_000
	mostCores = 1024
)

func printSim(w io.Writer, sim *arena.Sim, parts []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format, args...) } // Flush reports errors
	say("%s, %d seats, %d random games, seed %q\n\n", sim.Game, sim.Seats, sim.Games, sim.Seed)
	say("seat\twins\tscore\t±\tleast\tmost\t")
	for _, part := range parts {
		say("%s\t", part)
	}
	say("\n")
	for seat, s := range sim.BySeat {
		say("%d\t%.1f %%\t%.1f\t%.1f\t%d\t%d\t", seat, 100*s.WinShare, s.Score.Mean, s.Score.SD, s.Score.Least, s.Score.Most)
		for _, part := range parts {
			say("%.1f\t", s.Parts[part])
		}
		say("\n")
	}
	flushed := t.Flush()
	_, err := fmt.Fprintf(w, `
plies a game      %.1f (from %d to %d)
moves to choose   %.1f a ply
winning margin    %.1f
speed             %.0f games a second on %d cores, %.1f million plies a second
`, sim.Plies.Mean, sim.Plies.Least, sim.Plies.Most, sim.Branching, sim.Margin.Mean,
		sim.Speed.GamesPerSecond, sim.Speed.Cores, sim.Speed.PliesPerSecond/1e6)
	if sim.Endless > 0 {
		return errors.Join(flushed, err, fmt.Errorf("%d games did not end", sim.Endless))
	}
	return errors.Join(flushed, err)
}
