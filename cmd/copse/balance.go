package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"copse/arena"
)

type balanceCommand struct {
	Game string `arg:"" help:"The game, for example treesociety."`
	tableFlags

	Player  string `default:"level:6" placeholder:"NAME" help:"Who sits in every seat: of level:1 to level:10, random, easy, greedy, ahead and flat:N; by default ${default}."`
	Games   int    `default:"10000" help:"Number of games."`
	Seed    string `default:"1" help:"Any text. The same seed brings the same result, whatever the number of cores."`
	Opening int    `default:"-1" placeholder:"TURNS" help:"Turns at the start of a game that are drawn at random. By default none where a game begins with chance, and one for every seat elsewhere, so that games differ."`
	Save    string `placeholder:"FILE" help:"Add every finished game to FILE, and go on from what is in it. Settings other than those in FILE are refused."`
	Cores   int    `default:"0" help:"Cores to use; 0 for all."`
	JSON    bool   `help:"Print the result as JSON; docs/balance.md says what is in it."`
}

// Help says what is measured.
func (balanceCommand) Help() string {
	return `Plays thousands of games with the same kind of player in every seat and says what the game itself does: how long it lasts and why it ends, scores, which seat wins how often, how much each guild serves winners, how every card fares, and how often named combinations of cards come about. What is outside its bounds is marked with “!”. Options that are a choice of words, such as Tree Society's four guilds of six, go through all their choices in turn unless one is given. An interrupt (Ctrl-C) prints what is known so far.`
}

// Run plays the games and prints the report.
func (c balanceCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	if c.Games < 1 || c.Games > mostMatches {
		return misused("--games %d: between 1 and %d", c.Games, mostMatches)
	}
	if c.Cores < 0 || c.Cores > mostCores {
		return misused("--cores %d: between 0 (all) and %d", c.Cores, mostCores)
	}
	if c.Opening < -1 || c.Opening > mostOpening {
		return fmt.Errorf("--opening %d: between 0 and %d turns", c.Opening, mostOpening)
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	ctx, stop := untilTold(os.Interrupt) // a second interrupt ends it at once
	defer stop()
	bar := newBar(os.Stderr, c.Games, "games")
	b, err := e.arena.Balance(ctx, arena.BalanceConfig{
		Seats: c.Seats, Player: c.Player, Options: options, Games: c.Games, Seed: c.Seed, Opening: c.Opening, Save: c.Save, Cores: c.Cores, Progress: bar.show,
	})
	bar.clear()
	if err != nil {
		return blamed(err)
	}
	if c.JSON {
		err = json.NewEncoder(os.Stdout).Encode(b)
	} else {
		err = printBalance(os.Stdout, b)
	}
	return errors.Join(err, complain(b.Illegal, 0, b.Interrupted, b.Games, b.Asked, c.Save))
}

// flagged marks a value that is outside its bounds.
func flagged(outside bool) string {
	if outside {
		return "!"
	}
	return ""
}

func printBalance(w io.Writer, b *arena.Balance) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format, args...) } // Flush reports errors
	say("%s, %d seats, %d games of %s, seed %q", b.Game, b.Seats, b.Games, b.Player, b.Seed)
	if len(b.Varied) > 0 {
		say("\nthe %d choices of %s are played in turn", b.Sets, strings.Join(b.Varied, ", "))
	}
	if b.Opening > 0 {
		say("\nthe first %d turns are drawn at random", b.Opening)
	}
	if b.Cut > 0 {
		say("\n%d moves were cut short by time", b.Cut)
	}
	r := b.Rounds
	say("\n\nrounds: median %d, quartiles %d and %d, from %d to %d", r.Median, r.Lower, r.Upper, r.Least, r.Most)
	if r.To > 0 {
		say("; %.1f %% last %d to %d %s", 100*r.Within, r.From, r.To, flagged(r.Outside))
	}
	if len(b.Endings) > 0 {
		say("\nended by:")
		for i, end := range b.Endings {
			say("%s %s %.1f %%", strings.Repeat(",", min(i, 1)), end.Name, 100*end.Share)
		}
	}
	say("\nmost points shared: %.1f %% %s\n\n", 100*b.Ties.Share, flagged(b.Ties.Outside))
	say("points\tmean\tspread\tleast\tmost\t\n")
	for _, row := range []struct {
		name string
		arena.Spread
	}{{"all seats", b.Score}, {"winners", b.Winner}, {"lead", b.Margin}} {
		say("%s\t%.1f\t%.1f\t%d\t%d\t\n", row.name, row.Mean, row.SD, row.Least, row.Most)
	}
	say("\npart\tall seats\twinners\t\n")
	for _, p := range b.Parts {
		say("%s\t%.1f\t%.1f\t\n", p.Name, p.All, p.Winner)
	}
	say("\nseat\twins\t95 %%\tfair\tpoints\t\t\n")
	for i, s := range b.BySeat {
		say("%d\t%.1f %%\t%.1f–%.1f %%\t%.1f %%\t%.1f\t%s\t\n", i+1, 100*s.WinShare.Mean, 100*s.WinShare.Least, 100*s.WinShare.Most, 100*s.Fair, s.Score.Mean, flagged(s.Outside))
	}
	if len(b.ByGroup) > 0 {
		say("\nguild\tgames\tserves winners\tto the mean\tof winners' own\tin winners' hands\t\t\n")
		for _, g := range b.ByGroup {
			say("%s\t%d\t%.1f %%\t%+.0f %%\t%.1f %%\t%.1f %%\t%s\t\n", g.Name, g.Games, 100*g.Serves, 100*(g.Ratio-1), 100*g.Share, 100*g.Wins, flagged(g.Outside))
		}
		say("mean\t\t%.1f %%\t\t\t\t\t\n", 100*b.MeanServes)
		sayThings(say, b)
	}
	if len(b.ByCombo) > 0 {
		say("\ncombination\tgames\tseats\twins\t\t\n")
		for _, c := range b.ByCombo {
			say("%s\t%.1f %%\t%d\t%.1f %%\t%s\t\n", c.Name, 100*c.Games, c.Seats, 100*c.Wins, flagged(c.Outside))
		}
	}
	flushed := t.Flush()
	_, err := fmt.Fprintf(w, "\n%s\n%.1f seconds on %d cores\n", outsideInWords(b), b.Seconds, b.Cores)
	return errors.Join(flushed, err)
}

// sayThings writes the table of cards.
func sayThings(say func(string, ...any), b *arena.Balance) {
	say("\ncard\tguild\tweight\toffered\tfounded\tcompleted\twins\tto the mean\tdealt\tcompleted\t\t\n")
	for _, c := range b.ByThing {
		dealt, ratio := "–\t–", "–"
		if c.Dealt > 0 {
			dealt = fmt.Sprintf("%d\t%.1f %%", c.Dealt, 100*c.DealtCompleted)
		}
		if c.Ratio > 0 {
			ratio = fmt.Sprintf("%+.0f %%", 100*(c.Ratio-1))
		}
		say("%s\t%s\t%d\t%d\t%.1f %%\t%.1f %%\t%.1f %%\t%s\t%s\t%s\t\n", c.Name, c.Group, c.Weight, c.Offered, 100*c.Founded, 100*c.Completed,
			100*c.Wins, ratio, dealt, flagged(c.Outside))
	}
	say("mean\t\t\t\t\t\t%.1f %%\t\t\t\t\t\n", 100*b.MeanWins)
}

// outsideInWords lists what is outside its bounds.
func outsideInWords(b *arena.Balance) string {
	if len(b.Outside) == 0 {
		return "everything is within its bounds"
	}
	list := []string{fmt.Sprintf("outside their bounds: %d", len(b.Outside))}
	for _, o := range b.Outside {
		name := strings.TrimSpace(o.What + " " + o.Name)
		if o.What == "rounds" {
			list = append(list, fmt.Sprintf("  %s: %.0f, not %.0f to %.0f", name, o.Value, o.Least, o.Most))
			continue
		}
		list = append(list, fmt.Sprintf("  %s: %.1f %%, not %.1f to %.1f %%", name, 100*o.Value, 100*o.Least, 100*o.Most))
	}
	return strings.Join(list, "\n")
}
