package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"copse/arena"
)

type practiseCommand struct {
	Game string `arg:"" help:"The game, for example treesociety."`
	tableFlags

	Blank  bool    `help:"Begin with habits that are all 0, and not with those that the game has."`
	Rounds int     `default:"4000" help:"Rounds of practice; by default ${default}, which take a minute or two."`
	Groups int     `default:"24" help:"Deals of a round, each played once in every seat."`
	Pace   float64 `default:"1" help:"How far a round goes, beside what is usual. Habits that are good already gain by slow practice, with many rounds."`
	Seed   string  `default:"1" help:"Any text. The same seed finds the same habits, whatever the number of cores."`
	Cores  int     `default:"0" help:"Cores to use; 0 for all."`
}

// The bounds of --pace.
const (
	slowestPace = 0.001
	fastestPace = 10
)

// Help says what is found.
func (practiseCommand) Help() string {
	return `Bots compare turns by playing games on from them, with quick turns that go by some dozens of numbers, or more: the habits of a game. Numbers for what is not met, such as cards of guilds that do not play, wander and mean nothing. This command changes all of them a little, at random, lets the changed ones play those that were changed the other way, and goes the way that wins, round by round. It prints the habits that it came to, in hundredths, as they stand in games/*/worth_turn.go, and how they fare against those that the game has.`
}

// Run practises.
func (c practiseCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	switch {
	case c.Rounds < 1 || c.Rounds > mostMatches:
		return misused("--rounds %d: between 1 and %d", c.Rounds, mostMatches)
	case c.Groups < 1 || c.Groups > mostMatches:
		return misused("--groups %d: between 1 and %d", c.Groups, mostMatches)
	case !(c.Pace >= slowestPace && c.Pace <= fastestPace):
		return misused("--pace %v: between %v and %v", c.Pace, slowestPace, fastestPace)
	case c.Cores < 0 || c.Cores > mostCores:
		return misused("--cores %d: between 0 (all) and %d", c.Cores, mostCores)
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	ctx, stop := untilTold(os.Interrupt)
	defer stop()
	bar := newBar(os.Stderr, c.Rounds, "rounds")
	p, err := e.arena.Practise(ctx, arena.PractiseConfig{
		Seats: c.Seats, Options: options, Blank: c.Blank, Rounds: c.Rounds, Groups: c.Groups, Pace: c.Pace, Seed: c.Seed, Cores: c.Cores, Progress: bar.show,
	})
	bar.clear()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: what was practised so far is lost; fewer --rounds end sooner")
	}
	if err != nil {
		return inWords(err)
	}
	const ofALine = 10
	for i := 0; i < len(p.Habits); i += ofALine {
		line := fmt.Sprint(p.Habits[i:min(i+ofALine, len(p.Habits))])
		fmt.Println(strings.ReplaceAll(strings.Trim(line, "[]"), " ", ", ") + ",")
	}
	fmt.Printf("%.1f %% of the wins in %d games at a table of %d, by %+.1f points, against the habits of the game\n", 100*p.Wins, p.Games, c.Seats, p.Margin)
	return nil
}
