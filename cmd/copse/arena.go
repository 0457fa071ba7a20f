package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"copse/arena"
)

type arenaCommand struct {
	Game string `arg:"" help:"The game, for example bosk."`
	netFlags
	tableFlags
	matchFlags

	Players []string `required:"" placeholder:"NAME,…" help:"Who plays: one player for each seat, of level:1 to level:10, random, easy, greedy, ahead and flat:N. A name may come more than once."`
	Games   int      `default:"1000" help:"Number of games, rounded up so that everyone sits everywhere equally often. With --sprt the most that are played."`
	SPRT    string   `name:"sprt" placeholder:"P0,P1" help:"End when it is settled whether the first player wins a share of P0 or of P1, for example 0.5,0.55. For two different players."`
	Alpha   float64  `default:"0.05" help:"How often --sprt may find P1 where P0 is true."`
	Beta    float64  `default:"0.05" help:"How often --sprt may find P0 where P1 is true."`
	JSON    bool     `help:"Print the result as JSON; docs/arena.md says what is in it."`
}

// matchFlags are the flags that arena and ladder share.
type matchFlags struct {
	Seed    string `default:"1" help:"Any text. The same seed brings the same result, whatever the number of cores."`
	Opening int    `default:"-1" placeholder:"TURNS" help:"Turns at the start of a game that are drawn at random, the same for all rotations of the players. By default none where a game begins with chance, and one for every seat elsewhere, so that games differ."`
	MS      int    `name:"ms" placeholder:"MS" help:"A turn that takes longer is counted as late. Players are not told and not cut short: the result does not depend on the machine."`
	Save    string `placeholder:"FILE" help:"Add every finished game to FILE, and go on from what is in it. Settings other than those in FILE are refused."`
	Cores   int    `default:"0" help:"Cores to use; 0 for all."`
}

func (f matchFlags) check(games int) error {
	switch {
	case games < 1 || games > mostMatches:
		return misused("--games %d: between 1 and %d", games, mostMatches)
	case f.Cores < 0 || f.Cores > mostCores:
		return misused("--cores %d: between 0 (all) and %d", f.Cores, mostCores)
	case f.Opening < -1 || f.Opening > mostOpening:
		return misused("--opening %d: between 0 and %d turns", f.Opening, mostOpening)
	case f.MS < 0 || f.MS > mostMS:
		return misused("--ms %d: between 1 and %d", f.MS, mostMS)
	}
	return nil
}

func (f matchFlags) limit() time.Duration { return time.Duration(f.MS) * time.Millisecond }

const (
	mostMatches = 10_000_000
	mostOpening = 1000
	mostMS      = 600_000
)

// Help says how a match is played.
func (arenaCommand) Help() string {
	return `Every deal is played once in every rotation of the players: the same opening and the same numbers for chance, with everyone in every seat once. In a game that has no chance at its start, such as Bosk, the first turn of every seat is drawn at random from the seed, the same for all rotations. Intervals take these groups of games as their unit. An interrupt (Ctrl-C) prints what is known so far.`
}

// Run plays the match and prints how it went.
func (c arenaCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	if err := c.check(c.Games); err != nil {
		return err
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	if err := c.load(e, c.Seats, options); err != nil {
		return err
	}
	if len(c.Players) != c.Seats {
		return misused("--players names %d players for %d seats: name one for each", len(c.Players), c.Seats)
	}
	sprt, err := c.sprt()
	if err != nil {
		return err
	}
	ctx, stop := untilTold(os.Interrupt) // a second interrupt ends it at once
	defer stop()
	bar := newBar(os.Stderr, (c.Games+c.Seats-1)/c.Seats*c.Seats, "games")
	m, err := e.arena.Match(ctx, arena.MatchConfig{
		Players: c.Players, Options: options, Games: c.Games, Seed: c.Seed, Opening: c.Opening, Limit: c.limit(), SPRT: sprt, Save: c.Save,
		Cores: c.Cores, Progress: bar.show,
	})
	bar.clear()
	if err != nil {
		return blamed(err)
	}
	if c.JSON {
		err = json.NewEncoder(os.Stdout).Encode(m)
	} else {
		err = printMatch(os.Stdout, m)
	}
	illegal, late := 0, 0
	for _, p := range m.ByPlayer {
		illegal += p.Illegal
		late += p.Late
	}
	return errors.Join(err, complain(illegal, late, m.Interrupted, m.Games, m.Asked, c.Save))
}

// complain says what was not as it should be.
func complain(illegal, late int, interrupted bool, games, asked int, save string) error {
	var list []error
	if illegal > 0 {
		list = append(list, fmt.Errorf("%d answers were illegal", illegal))
	}
	if late > 0 {
		list = append(list, fmt.Errorf("%d turns were late", late))
	}
	if interrupted && save != "" {
		list = append(list, fmt.Errorf("interrupted after %d of %d games: the same command goes on from %s", games, asked, save))
	} else if interrupted {
		list = append(list, fmt.Errorf("interrupted after %d of %d games: with --save it could go on from there", games, asked))
	}
	return errors.Join(list...)
}

// sprt reads the question of a sequential test; nil where none is asked.
func (c arenaCommand) sprt() (*arena.SPRT, error) {
	if c.SPRT == "" {
		return nil, nil
	}
	wrong := func() error {
		return misused("--sprt %s: two shares between 0 and 1, the first smaller than the second, for example 0.5,0.55", c.SPRT)
	}
	first, second, _ := strings.Cut(c.SPRT, ",")
	p0, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return nil, wrong()
	}
	p1, err := strconv.ParseFloat(second, 64)
	if err != nil || !(0 < p0 && p0 < p1 && p1 < 1) {
		return nil, wrong()
	}
	for name, x := range map[string]float64{"alpha": c.Alpha, "beta": c.Beta} {
		if !(x > 0 && x < 0.5) {
			return nil, misused("--%s %v: between 0 and 0.5", name, x)
		}
	}
	return &arena.SPRT{P0: p0, P1: p1, Alpha: c.Alpha, Beta: c.Beta}, nil
}

func printMatch(w io.Writer, m *arena.Match) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format, args...) } // Flush reports errors
	say("%s, %d seats, %d games in %d groups, seed %q\n\n", m.Game, m.Seats, m.Games, m.Groups, m.Seed)
	say("player\tseats\twins\t95 %%\tmargin\t95 %%\tscore\tturn ms\tp99\tlongest\tillegal\tlate\tcut\t\n")
	for _, p := range m.ByPlayer {
		late := "–"
		if m.LimitMS > 0 {
			late = strconv.Itoa(p.Late)
		}
		say("%s\t%d\t%.1f %%\t%.1f–%.1f %%\t%+.1f\t%s\t%.1f\t%.2f\t%.2f\t%.2f\t%d\t%s\t%d\t\n", p.Player, p.Seats,
			100*p.WinShare.Mean, 100*p.WinShare.Least, 100*p.WinShare.Most, p.Margin.Mean, between(p.Margin), p.Score.Mean,
			p.TurnMS.Median, p.TurnMS.P99, p.TurnMS.Most, p.Illegal, late, p.Cut)
	}
	flushed := t.Flush()
	var b strings.Builder
	b.WriteString("\nwins by seat")
	for _, s := range m.BySeat {
		fmt.Fprintf(&b, "  %.1f %%", 100*s.Mean)
	}
	if m.Opening > 0 {
		fmt.Fprintf(&b, "\nthe first %d turns are drawn at random, the same for every rotation of the players", m.Opening)
	}
	for _, wrong := range m.Illegal {
		fmt.Fprintf(&b, "\nillegal: %s in seat %d, turn %d, played %s: %s", wrong.Player, wrong.Seat, wrong.Turn, wrong.Move, wrong.Why)
	}
	if s := m.SPRT; s != nil {
		verdict := "not settled yet"
		switch s.Verdict {
		case "p1":
			verdict = fmt.Sprintf("settled: %s wins %g rather than %g", m.Players[0], s.P1, s.P0)
		case "p0":
			verdict = fmt.Sprintf("settled: %s wins %g rather than %g", m.Players[0], s.P0, s.P1)
		}
		fmt.Fprintf(&b, "\ntest: %s (%.2f between %.2f and %.2f)", verdict, s.LLR, s.Lower, s.Upper)
	}
	_, err := fmt.Fprintf(w, "%s\n%.1f seconds on %d cores\n", b.String(), m.Seconds, m.Cores)
	return errors.Join(flushed, err)
}

// between is an interval in points.
func between(e arena.Estimate) string {
	if math.IsInf(e.Least, 0) {
		return "–"
	}
	return fmt.Sprintf("%+.1f to %+.1f", e.Least, e.Most)
}
