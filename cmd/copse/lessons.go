package main

import (
	"errors"
	"fmt"
	"os"

	"copse/arena"
)

type lessonsCommand struct {
	Game string `arg:"" help:"The game, for example grandbois."`
	tableFlags

	netFlags
	Out      string  `required:"" placeholder:"FILE" help:"The file to write."`
	Player   string  `default:"level:5" placeholder:"NAME" help:"Who sits in every seat; by default ${default}."`
	Games    int     `default:"1000" help:"Number of games."`
	Playouts int     `default:"40" help:"Playouts by which every position is judged that is written."`
	Part     float64 `default:"0.5" help:"Of the turns, the part at whose beginning positions are written."`
	Stray    float64 `default:"0.04" help:"How often a turn begins up to six that are played as playouts play, so that a net learns what follows from them; by default ${default}."`
	Seed     string  `default:"1" help:"Any text. The same seed brings the same file, whatever the number of cores."`
	Cores    int     `default:"0" help:"Cores to use; 0 for all."`
}

// Help says what is written.
func (lessonsCommand) Help() string {
	return `Plays games and writes positions of them for train/: what the game counts of each, seen from every seat, how playouts from there end, and how the game itself ended. Everything is known there, hidden things too: in play a net judges worlds that its seat imagines. After an interrupt (Ctrl-C) the file has the games that are done by then.`
}

// mostLessonPlayouts is by how many playouts a lesson is judged at most.
const mostLessonPlayouts = 100_000

// Run plays the games.
func (c lessonsCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	switch {
	case c.Games < 1 || c.Games > mostMatches:
		return misused("--games %d: between 1 and %d", c.Games, mostMatches)
	case c.Cores < 0 || c.Cores > mostCores:
		return misused("--cores %d: between 0 (all) and %d", c.Cores, mostCores)
	case !(c.Part > 0 && c.Part <= 1): // NaN is neither
		return misused("--part %v: more than 0, and 1 at most", c.Part)
	case !(c.Stray >= 0 && c.Stray <= 1):
		return misused("--stray %v: between 0 and 1", c.Stray)
	case c.Playouts < 1 || c.Playouts > mostLessonPlayouts:
		return misused("--playouts %d: between 1 and %d", c.Playouts, mostLessonPlayouts)
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	if err := c.load(e, c.Seats, options); err != nil {
		return err
	}
	ctx, stop := untilTold(os.Interrupt)
	defer stop()
	file := &lateFile{name: c.Out}
	bar := newBar(os.Stderr, c.Games, "games")
	games, err := e.arena.SelfPlay(ctx, arena.SelfPlayConfig{
		Seats: c.Seats, Player: c.Player, Options: options, Games: c.Games, Playouts: c.Playouts, Part: c.Part, Stray: c.Stray, Seed: c.Seed, Cores: c.Cores, Progress: bar.show,
	}, file)
	bar.clear()
	if err := errors.Join(blamed(err), file.Close()); err != nil {
		return err
	}
	fmt.Printf("%s: %d games", c.Out, games)
	if games < c.Games {
		fmt.Printf(" (interrupted, %d were asked for)", c.Games)
	}
	fmt.Println()
	return nil
}

// lateFile is a file that is made when the first of it is there to be written: who is
// refused has no file, and keeps one that was there.
type lateFile struct {
	name string
	file *os.File
}

// Write implements io.Writer.
func (f *lateFile) Write(raw []byte) (int, error) {
	if f.file == nil {
		file, err := os.Create(f.name)
		if err != nil {
			return 0, err
		}
		f.file = file
	}
	return f.file.Write(raw)
}

// Close implements io.Closer.
func (f *lateFile) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
