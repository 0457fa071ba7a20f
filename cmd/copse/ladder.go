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

type ladderCommand struct {
	Game    string            `arg:"" help:"The game, for example bosk."`
	Players []string          `default:"level:1,level:2,level:3,level:4,level:5,level:6,level:7,level:8,level:9,level:10,random,greedy,flat:2000" placeholder:"NAME,…" help:"Who climbs, each once; by default ${default}."`
	Seats   []int             `default:"2,3,4" help:"Sizes of tables. Those of two are everyone against everyone, larger ones are mixed."`
	Games   int               `default:"300" help:"Number of games at each size of table, rounded up to whole groups."`
	Option  map[string]string `placeholder:"NAME=VALUE" help:"An option of the game, for example expert=true. May be repeated."`
	Box     string            `placeholder:"FILE" help:"Play with a box of your own; see copse box."`
	Out     string            `placeholder:"NAME" help:"Write the report to NAME.html and NAME.json; by default ladder-GAME."`
	matchFlags
}

// Help says how a ladder is played.
func (ladderCommand) Help() string {
	return `Plays the players against each other, rates them by Plackett and Luce's model, and writes a report with plots for people and the same as JSON. Groups, openings and intervals are those of copse arena. An interrupt (Ctrl-C) reports what is known so far.`
}

// Run plays the ladder and writes the reports.
func (c ladderCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	if err := c.check(c.Games); err != nil {
		return err
	}
	var options json.RawMessage
	for _, seats := range c.Seats {
		if options, err = (tableFlags{Seats: seats, Option: c.Option, Box: c.Box}).options(e); err != nil {
			return err
		}
	}
	name := c.Out
	if name == "" {
		name = "ladder-" + c.Game
	}
	ctx, stop := untilTold(os.Interrupt) // a second interrupt ends it at once
	defer stop()
	bar := newBar(os.Stderr, 1, "games")
	l, err := e.arena.Ladder(ctx, arena.LadderConfig{
		Players: c.Players, Seats: c.Seats, Options: options, Games: c.Games, Seed: c.Seed, Opening: c.Opening, Limit: c.limit(), Save: c.Save,
		Cores: c.Cores, Progress: func(finished, all int) {
			bar.total = all
			bar.show(finished)
		},
	})
	bar.clear()
	if err != nil {
		return blamed(err)
	}
	if err := writeReports(name, l); err != nil {
		return err
	}
	err = printLadder(os.Stdout, l, name)
	illegal, late := 0, 0
	for _, p := range l.ByPlayer {
		illegal += p.Illegal
		late += p.Late
	}
	return errors.Join(err, complain(illegal, late, l.Interrupted, l.Games, l.Asked, c.Save))
}

// writeReports writes both reports.
func writeReports(name string, l *arena.Ladder) error {
	return errors.Join(
		writeFile(name+".html", l.WriteHTML),
		writeFile(name+".json", func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(l)
		}),
	)
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func printLadder(w io.Writer, l *arena.Ladder, name string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format, args...) } // Flush reports errors
	for _, table := range l.Tables {
		seats := fmt.Sprintf("%d seats", table.Seats)
		if table.Seats == 0 {
			seats = "all tables"
		}
		say("%s, %s, %d games in %d groups\n\nplayer\trating\t95 %%\twins\t95 %%\tmargin\t\n", l.Game, seats, table.Games, table.Groups)
		for _, r := range table.Ratings {
			say("%s\t%+.0f\t%+.0f to %+.0f\t%.1f %%\t%.1f–%.1f %%\t%+.1f\t\n", r.Player, r.Rating.Mean, r.Rating.Least, r.Rating.Most,
				100*r.WinShare.Mean, 100*r.WinShare.Least, 100*r.WinShare.Most, r.Margin.Mean)
		}
		say("\n")
	}
	flushed := t.Flush()
	_, err := fmt.Fprintf(w, "%.1f seconds on %d cores; the report is in %s.html and %s.json\n", l.Seconds, l.Cores, name, name)
	return errors.Join(flushed, err)
}
