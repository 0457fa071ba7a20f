package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"copse/load"
)

type loadCommand struct {
	Game    string        `arg:"" default:"bosk" help:"The game to play: bosk, grandbois or treesociety."`
	Tables  int           `default:"1000" help:"How many tables of two are played at, with a stream for each player."`
	Rate    float64       `default:"1" help:"Moves a second at each table; 0 for as fast as it goes."`
	For     time.Duration `default:"20s" help:"How long it is measured."`
	Warm    time.Duration `default:"5s" help:"How long it is played before that."`
	Bare    bool          `help:"Then measure the same without Copse: HTTP, streams, and one synced write for each move."`
	URL     string        `placeholder:"ADDRESS" help:"Play at a running server, such as http://localhost:8080, rather than at one of its own. It needs --requests=-1 --streams=-1 --guests=-1."`
	In      string        `placeholder:"FOLDER" type:"existingdir" help:"Where the data folder of its own server is made for the time being. Choose one on a disk: the usual one may be in memory."`
	Seed    uint64        `default:"1" help:"Which games are played."`
	Profile string        `placeholder:"FILE" type:"path" help:"Write where the time of its own server went, for go tool pprof; with --nodes also of the first of N, in FILE.N."`
	Allocs  string        `placeholder:"FILE" type:"path" help:"Likewise where it took memory."`
	JSON    bool          `help:"Print the result as JSON."`

	Nodes []int `sep:"," placeholder:"1,2,3" help:"Then measure so many nodes that share a PostgreSQL and NATS (--store, --news). It makes a database of its own there for the time being, which the role must be allowed to."`
	partsFlags
}

// loadResult is what copse load prints.
type loadResult struct {
	Game  string        `json:"game"`
	Copse *load.Figures `json:"copse"`
	Bare  *load.Figures `json:"bare,omitempty"`
	Nodes []loadedNodes `json:"nodes,omitempty"`
}

// loadedNodes is what was measured with so many nodes.
type loadedNodes struct {
	Nodes int           `json:"nodes"`
	Copse *load.Figures `json:"copse"`
}

// Run plays and prints what was measured.
func (c loadCommand) Run() error {
	e, err := find(c.Game)
	if err != nil {
		return err
	}
	switch {
	case c.Tables < 1 || c.Tables > mostLoaded:
		return misused("--tables %d: between 1 and %d", c.Tables, mostLoaded)
	case c.Rate < 0 || c.Rate > mostRate || math.IsNaN(c.Rate):
		return misused("--rate %v: between 0 (as fast as it goes) and %d", c.Rate, mostRate)
	case c.For < time.Second/10 || c.Warm < 0:
		return misused("--for and --warm are times, such as 20s")
	case c.URL != "" && c.Profile+c.Allocs != "":
		return misused("--profile and --allocs are for a server of its own: leave --url out")
	}
	if err := c.checkNodes(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	config := load.Config{URLs: []string{c.URL}, Game: e.game, Tables: c.Tables, Rate: c.Rate, Warm: c.Warm, For: c.For, Seed: c.Seed}
	result := loadResult{Game: c.Game}
	if c.URL != "" {
		config.Meter = load.Metrics(strings.TrimSuffix(c.URL, "/"))
		if _, err := config.Meter(ctx, false); err != nil {
			_, _ = fmt.Fprintf(os.Stderr, "What the server uses is not measured (%v): start it with --open-metrics.\n", err)
			config.Meter = nil
		}
		result.Copse, err = c.run(ctx, config, nil, "")
	} else {
		result.Copse, err = c.measure(ctx, config)
	}
	if err != nil {
		return err
	}
	if c.Bare {
		config.Game = nil
		result.Bare, err = c.measure(ctx, config, "--bare", "--event", strconv.Itoa(int(result.Copse.Event)))
		if err != nil {
			return err
		}
	}
	for _, n := range c.Nodes {
		config.Game = e.game
		figures, err := c.measureNodes(ctx, config, n)
		if err != nil {
			return fmt.Errorf("with %s: %w", count(n, "node", "nodes"), err)
		}
		result.Nodes = append(result.Nodes, loadedNodes{n, figures})
	}
	if c.JSON {
		err = json.NewEncoder(os.Stdout).Encode(result)
	} else {
		err = printLoad(os.Stdout, &result)
	}
	for _, f := range result.all() {
		if f.Errors > 0 && err == nil {
			err = fmt.Errorf("%d errors, first: %s", f.Errors, f.Faults[0])
		}
	}
	return err
}

// all are the figures of Copse.
func (r *loadResult) all() []*load.Figures {
	all := []*load.Figures{r.Copse}
	for _, n := range r.Nodes {
		all = append(all, n.Copse)
	}
	return all
}

const (
	mostLoaded = 100_000
	mostRate   = 10_000
)

// measure starts a server in a process and a folder of its own, and plays there.
func (c loadCommand) measure(ctx context.Context, config load.Config, how ...string) (f *load.Figures, err error) {
	folder, err := os.MkdirTemp(c.In, "copse-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	child, err := startLoaded(append([]string{"loaded", "--data", folder}, how...))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, child.end()) }()
	config.URLs, config.Meter = []string{child.url}, load.Counted(load.Watched(child.watch), child.url)
	if config.Game == nil {
		config.Meter = load.Watched(child.watch)
		return c.run(ctx, config, nil, "") // where the time of a bare server goes nobody asks
	}
	return c.run(ctx, config, child, "")
}

// run plays, and shows how far it is. Where the child is not nil it writes where its
// time went and where it took memory, into files whose names end with something.
func (c loadCommand) run(ctx context.Context, config load.Config, child *loadedChild, end string) (*load.Figures, error) {
	var at *bar
	stage := ""
	bars := make(chan func(), 1)
	bars <- func() {}
	config.Progress = func(name string, done, total int) {
		clear := <-bars
		if name != stage {
			clear()
			stage, at = name, newBar(os.Stderr, total, name)
		}
		at.show(done)
		bars <- at.clear
	}
	if c.Profile != "" && child != nil {
		file, err := os.Create(c.Profile + end)
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		config.Began = func(ctx context.Context) (func() error, error) { return load.Profile(ctx, child.watch, file) }
	}
	f, err := load.Run(ctx, config)
	(<-bars)()
	if err == nil && c.Allocs != "" && child != nil {
		var file *os.File
		if file, err = os.Create(c.Allocs + end); err == nil {
			err = errors.Join(load.Allocs(ctx, child.watch, file), file.Close())
		}
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted before anything was measured")
	}
	return f, err
}

// loadedChild is a server in a process of its own.
type loadedChild struct {
	cmd        *exec.Cmd
	in         io.Closer
	watch, url string
}

// startLoaded starts this binary once more and waits until it says where it is.
func startLoaded(args []string) (*loadedChild, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &loadedChild{cmd: exec.Command(exe, args...)}
	c.cmd.Stderr = &troubleOnly{out: os.Stderr}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(out); c.url == "" && lines.Scan(); {
		what, where, _ := strings.Cut(lines.Text(), " at ")
		if what == "Watched" {
			c.watch = where
		} else {
			c.url = where
		}
	}
	if c.watch == "" || c.url == "" {
		return nil, errors.Join(errors.New("the server to be measured did not start"), c.end())
	}
	return c, nil
}

// end ends the standard input of the server, which stops it, and waits.
func (c *loadedChild) end() error { return errors.Join(c.in.Close(), c.cmd.Wait()) }

// troubleOnly lets through only the trouble that the log of a server reports.
type troubleOnly struct{ out io.Writer }

func (t *troubleOnly) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if !strings.Contains(line, "level=INFO") {
			if _, err := io.WriteString(t.out, line); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

func printLoad(w io.Writer, r *loadResult) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(t, format, args...) } // Flush reports errors
	pace := "as fast as it goes"
	if r.Copse.Rate > 0 {
		pace = fmt.Sprintf("%g moves a second at each", r.Copse.Rate)
	}
	if _, err := fmt.Fprintf(w, "%s, %d tables of two, %s, %.0f s\n\n", r.Game, r.Copse.Tables, pace, r.Copse.Seconds); err != nil {
		return err
	}
	all := []*load.Figures{r.Copse}
	say("\tcopse\t")
	if r.Bare != nil {
		all = append(all, r.Bare)
		say("bare\t")
	}
	for _, n := range r.Nodes {
		all = append(all, n.Copse)
		say("%s\t", count(n.Nodes, "node", "nodes"))
	}
	say("\n")
	for _, row := range []struct {
		name, form string
		of         func(*load.Figures) float64
	}{
		{"moves a second", "%.0f", func(f *load.Figures) float64 { return f.MovesPerSecond }},
		{"move to the other's event, median, ms", "%.2f", func(f *load.Figures) float64 { return f.P50 }},
		{"90 of 100", "%.2f", func(f *load.Figures) float64 { return f.P90 }},
		{"99 of 100", "%.2f", func(f *load.Figures) float64 { return f.P99 }},
		{"slowest", "%.2f", func(f *load.Figures) float64 { return f.Most }},
		{"append, median, about, ms", "%.2f", func(f *load.Figures) float64 { return f.AppendP50 }},
		{"work of the server a move, µs", "%.0f", func(f *load.Figures) float64 { return f.ServerCPU }},
		{"work of the database besides, µs", "%.0f", func(f *load.Figures) float64 { return f.StoreCPU }},
		{"work of the load a move, µs", "%.0f", func(f *load.Figures) float64 { return f.ClientCPU }},
		{"heap that a move takes, KiB", "%.1f", func(f *load.Figures) float64 { return f.Taken / 1024 }},
		{"heap a table, KiB", "%.1f", func(f *load.Figures) float64 { return f.Heap / 1024 }},
		{"stack a table, KiB", "%.1f", func(f *load.Figures) float64 { return f.Stack / 1024 }},
		{"an event, bytes", "%.0f", func(f *load.Figures) float64 { return f.Event }},
		{"lines for moves", "%.0f", func(f *load.Figures) float64 { return float64(f.Lines) }},
		{"appends of 100 that lost to another node", "%.2f", func(f *load.Figures) float64 { return f.Conflicts }},
		{"games ended", "%.0f", func(f *load.Figures) float64 { return float64(f.Games) }},
		{"moves sent late", "%.0f", func(f *load.Figures) float64 { return float64(f.Late) }},
		{"errors", "%.0f", func(f *load.Figures) float64 { return float64(f.Errors) }},
	} {
		say("%s\t", row.name)
		for _, f := range all {
			say(row.form+"\t", row.of(f))
		}
		say("\n")
	}
	err := t.Flush()
	for _, f := range all {
		for _, fault := range f.Faults {
			_, wrong := fmt.Fprintln(w, fault)
			err = errors.Join(err, wrong)
		}
	}
	return err
}
