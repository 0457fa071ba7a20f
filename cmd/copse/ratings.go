package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"

	"copse/games"
	"copse/rating"
	"copse/server/hall"
	"copse/store"
	"copse/table"
)

type ratingsCommand struct {
	Game string `arg:"" optional:"" help:"Only this game; without it every pool is shown in which somebody has played."`
	folderFlag
	storeFlag
	Check bool `help:"Compute all results again from the first, and compare their ranks with the logs of their tables."`
	Most  int  `default:"20" help:"How many people to show of each pool, the strongest first."`
}

// Run shows ratings, or proves them.
func (c ratingsCommand) Run() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	from, err := exportCommand{folderFlag: c.folderFlag, storeFlag: c.storeFlag}.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	checker, n, wrong, err := replay(ctx, from, c.Check, os.Stdout)
	if err != nil {
		return err
	}
	if c.Check {
		if wrong > 0 {
			return fmt.Errorf("%s of %s wrong", count(wrong, "thing", "things"), count(n, "result is", "results are"))
		}
		_, err := fmt.Fprintf(os.Stdout, "good: %s, each follows from those before it and from the log of its table\n", count(n, "result", "results"))
		return err
	}
	if n == 0 {
		_, err := fmt.Fprintln(os.Stdout, "no rated game has ended here")
		return err
	}
	for _, pool := range checker.Pools() {
		if c.Game == "" || c.Game == pool.Game {
			if err := c.show(ctx, from, pool, os.Stdout); err != nil {
				return err
			}
		}
	}
	return nil
}

// ratingsKept is what a house keeps of ratings.
type ratingsKept interface {
	store.Papers
	store.Logs
	store.People
}

// replay goes through all results. Where logs are compared it says what is wrong with
// which, and how many things are.
func replay(ctx context.Context, from ratingsKept, logs bool, out io.Writer) (c *rating.Checker, n, wrong int, err error) {
	c = &rating.Checker{}
	shelf := table.NewShelf(games.All()...)
	for last := int64(0); ; {
		some, err := hall.Results(ctx, from, last, store.MostListed)
		if err != nil {
			return c, n, wrong, err
		}
		for _, r := range some {
			var log *rating.Finished
			if logs {
				if log, err = hall.FinishedGame(ctx, from, shelf, r.Table, r.Edition); err != nil {
					wrong++
					_, _ = fmt.Fprintf(out, "result %d: the log of table %s: %v\n", r.Number, r.Table, err)
				}
			}
			for _, what := range c.Check(r, log) {
				if wrong++; logs {
					_, _ = fmt.Fprintf(out, "result %d, table %s: %s\n", r.Number, r.Table, what)
				}
			}
			n, last = n+1, r.Number
		}
		if len(some) < store.MostListed {
			if logs {
				more, err := current(ctx, from, c, out)
				return c, n, wrong + more, err
			}
			return c, n, wrong, nil
		}
	}
}

// current compares what is kept as everybody's rating with what follows from the
// results, and says how many differ.
func current(ctx context.Context, from ratingsKept, c *rating.Checker, out io.Writer) (wrong int, err error) {
	for _, pool := range c.Pools() {
		list, err := hall.PoolStandings(ctx, from, pool)
		if err != nil {
			return wrong, err
		}
		for _, s := range list {
			if r, ok := c.Rating(pool, s.Who); !ok || r != s.Rating {
				wrong++
				_, _ = fmt.Fprintf(out, "%s is kept as %v in %s, and the results say %v\n", s.Who, s.Rating, poolName(pool), r)
			}
		}
	}
	return wrong, nil
}

func poolName(p rating.Pool) string {
	return fmt.Sprintf("%s, version %d, %s", p.Game, p.Version, p.Pace)
}

// show prints a pool.
func (c ratingsCommand) show(ctx context.Context, from ratingsKept, pool rating.Pool, out io.Writer) error {
	list, err := hall.PoolStandings(ctx, from, pool)
	if err != nil {
		return err
	}
	a := rating.For(rating.Edition, pool.Game, pool.Version, 2)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(w, "%s: %s\n\npoints\t± 95 %%\tlevel\tgames\tname\tin results\n", poolName(pool), count(len(list), "person", "people")) // told by Flush
	for _, s := range list[:min(len(list), max(c.Most, 0))] {
		name := "–"
		if account, err := from.Account(ctx, s.Account); err == nil {
			name = account.Name
		} else if !errors.Is(err, store.ErrNone) {
			return err
		}
		least, most := a.Between(s.Rating)
		_, _ = fmt.Fprintf(w, "%.0f\t%.0f\t%d to %d\t%d\t%s\t%s\n", s.Mean, s.Most()-s.Mean, least, most, s.Games, name, s.Who)
	}
	_, _ = fmt.Fprintln(w)
	return w.Flush()
}
