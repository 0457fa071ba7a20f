package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"copse/arena"
)

type judgeCommand struct {
	Game string `arg:"" help:"The game, for example bosk."`
	tableFlags

	netFlags
	Judges  []string `default:"worth,playouts:50" placeholder:"NAME" help:"What foretells: worth, net, net:N, both:N, careful:N, playouts:N; by default ${default}."`
	Player  string   `default:"level:5" placeholder:"NAME" help:"Who sits in every seat; by default ${default}."`
	Games   int      `default:"200" help:"Number of games."`
	Seed    string   `default:"1" help:"Any text. The same seed brings the same result, whatever the number of cores."`
	Opening int      `default:"-1" help:"Turns that are drawn at random at the start; -1 for as many as the game needs."`
	Part    float64  `default:"1" help:"Part of the turns at whose beginning judges are asked."`
	Again   int      `default:"0" help:"Play the game on so often from each turn at which judges are asked, and measure them by what comes of that; 0 to measure them by the game itself. It also says how much nobody can foretell."`
	Cores   int      `default:"0" help:"Cores to use; 0 for all."`
	JSON    bool     `help:"Print the result as JSON; docs/arena.md says what is in it."`
}

// Help says what is measured.
func (judgeCommand) Help() string {
	return `Plays games, and asks judges whenever a turn begins how it will end for every seat. They see everything. R² and mean error are those of the final lead over the best other, log loss is that of the win. Both are told as the judge says it and recalibrated: on a scale fitted by phase to every other game and measured on the rest. An interrupt (Ctrl-C) prints what is known so far.`
}

// How often a game may be played on from one position. Fewer would say too little of what
// nobody can foretell.
const leastAgain, mostAgain = 10, 10_000

// Run plays the games and prints the report.
func (c judgeCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	if c.Games < 2 || c.Games > mostMatches {
		return misused("--games %d: between 2 and %d", c.Games, mostMatches)
	}
	if c.Cores < 0 || c.Cores > mostCores {
		return misused("--cores %d: between 0 (all) and %d", c.Cores, mostCores)
	}
	if !(c.Part > 0 && c.Part <= 1) { // NaN is neither
		return misused("--part %v: more than 0, and 1 at most", c.Part)
	}
	if c.Again != 0 && (c.Again < leastAgain || c.Again > mostAgain) {
		return misused("--again %d: 0, or between %d and %d", c.Again, leastAgain, mostAgain)
	}
	if len(c.Judges) == 0 {
		return misused("--judges names nobody: for example %s", "worth,net,playouts:50")
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	if err := c.load(e, c.Seats, options); err != nil {
		return err
	}
	ctx, stop := untilTold(os.Interrupt) // a second interrupt ends it at once
	defer stop()
	bar := newBar(os.Stderr, c.Games, "games")
	j, err := e.arena.Judge(ctx, arena.JudgeConfig{
		Seats: c.Seats, Player: c.Player, Judges: c.Judges, Options: options, Games: c.Games, Seed: c.Seed, Opening: c.Opening, Part: c.Part, Again: c.Again, Cores: c.Cores, Progress: bar.show,
	})
	bar.clear()
	if err != nil {
		return blamed(err)
	}
	if c.JSON {
		return json.NewEncoder(os.Stdout).Encode(j)
	}
	return printJudging(os.Stdout, j)
}

func printJudging(w io.Writer, j *arena.Judging) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format, args...) } // Flush reports errors
	say("%s, version %d, %d seats, %d games of %s, seed %q", j.Game, j.Version, j.Seats, j.Games, j.Player, j.Seed)
	if j.Interrupted {
		say(" (interrupted, %d were asked for)", j.Asked)
	}
	say("\n\n\tphase\tseats asked\tR²\terror\tlog loss\t")
	for _, judge := range j.Judges {
		for _, form := range []struct {
			name string
			list []arena.JudgePhase
		}{{judge.Judge, judge.Raw}, {"recalibrated", judge.Fitted}} {
			for i, p := range form.list {
				name := ""
				if i == 0 {
					name = form.name
				}
				if p.Positions == 0 {
					say("\n%s\t%s\t0\t–\t–\t–\t", name, p.Phase) // not asked, which is not perfect
					continue
				}
				say("\n%s\t%s\t%d\t%.3f\t%.2f\t%.4f\t", name, p.Phase, p.Positions, p.R2, p.Error, p.LogLoss)
			}
		}
	}
	for i, f := range j.Floor {
		name := ""
		if i == 0 {
			name = fmt.Sprintf("open, by %d games", j.Again)
		}
		left := "–"
		if f.Positions > 0 {
			left = fmt.Sprintf("%.4f", f.LogLoss)
		}
		say("\n%s\t%s\t%d\t\t\t%s\t", name, f.Phase, f.Positions, left)
	}
	say("\n\n")
	if err := t.Flush(); err != nil {
		return err
	}
	for _, judge := range j.Judges {
		say("%s: of those to whom it gives a chance to win\n", judge.Judge)
		for _, bin := range judge.Raw[0].Calibration {
			if bin.Seats > 0 {
				say("%.0f %%\twon %.0f %%\t%s\t%d seats\t\n", 100*bin.Said, 100*bin.Won, plot(bin), bin.Seats)
			}
		}
		say("\n")
	}
	say("%.1f seconds on %d cores\n", j.Seconds, j.Cores)
	return t.Flush()
}

// plotWidth is how many columns a calibration plot has.
const plotWidth = 40

// plot draws what was said as ○ and what came of it as ●, on a line from 0 to 100 %.
func plot(bin arena.JudgeBin) string {
	line := []rune(strings.Repeat("·", plotWidth+1))
	line[int(bin.Said*plotWidth+0.5)] = '○'
	line[int(bin.Won*plotWidth+0.5)] = '●'
	return string(line)
}
