package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"copse/game"
)

// Config says what is to be played, and how hard.
type Config struct {
	URLs   []string  // of the server, or of all nodes: players sit at one after the other
	Game   game.Game // nil: the server is a Bare
	Tables int
	Rate   float64       // moves a second at each table; 0 for as fast as it goes
	Warm   time.Duration // played before anything is measured
	For    time.Duration // how long it is measured
	Seed   uint64
	Meter  Meter // nil: what the server uses is not measured
	Beside Meter // nil: it uses no database, or what that uses is not measured

	// Progress is told how far it is: the tables that are set, then the
	// seconds that were played.
	Progress func(stage string, done, total int)
	// Began is called when measuring begins, and what it gives when it ends.
	Began func(context.Context) (ended func() error, err error)
}

// run is a load that is under way.
type run struct {
	Config
	target target
	doors  []*connections // to each node
	count  atomic.Int64

	mu     sync.Mutex
	faults []string
	errors int
}

// mostFaults is how many errors are told in words.
const mostFaults = 5

// fault counts something that went wrong.
func (r *run) fault(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors++
	if len(r.faults) < mostFaults {
		r.faults = append(r.faults, err.Error())
	}
}

// settingUp is how many tables are set at the same time.
const settingUp = 32

// Run plays, and gives what was measured.
func Run(ctx context.Context, c Config) (*Figures, error) {
	if c.Tables < 1 || c.For <= 0 {
		return nil, errors.New("load: at least one table, for some time")
	}
	r := &run{Config: c, target: bare{}}
	defer r.hangUp()
	for _, url := range c.URLs {
		door, err := newConnections(url)
		if err != nil {
			return nil, err
		}
		r.doors = append(r.doors, door)
	}
	if len(r.doors) == 0 {
		return nil, errors.New("load: at least one server")
	}
	if c.Game != nil {
		r.target = &copse{game: c.Game}
	}
	if r.Progress == nil {
		r.Progress = func(string, int, int) {}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return r.measure(ctx)
}

// door is where a player of a table goes in and out: the two at a table are at
// different nodes, where there are several.
func (r *run) door(table, seat int) *connections { return r.doors[(table+seat)%len(r.doors)] }

// hangUp closes the connections for moves.
func (r *run) hangUp() {
	for _, door := range r.doors {
		door.close()
	}
}

// meter is what the server has used, or zero where that is not measured.
func (r *run) meter(ctx context.Context, collect bool) (Usage, error) {
	return metered(ctx, r.Meter, collect)
}

func metered(ctx context.Context, meter Meter, collect bool) (Usage, error) {
	if meter == nil {
		return Usage{}, nil
	}
	u, err := meter(ctx, collect)
	if err != nil {
		err = fmt.Errorf("what the server uses cannot be told: %w", err)
	}
	return u, err
}

func (r *run) measure(ctx context.Context) (*Figures, error) {
	empty, err := r.meter(ctx, true)
	if err != nil {
		return nil, err
	}
	all, err := r.setUp(ctx)
	defer func() {
		for _, s := range all {
			s.end()
		}
	}()
	if err != nil {
		return nil, err
	}
	stop := make(chan struct{})
	var playing sync.WaitGroup
	r.start(ctx, all, stop, &playing)
	w, err := r.watch(ctx)
	close(stop)
	playing.Wait()
	if err != nil {
		return nil, err
	}
	full, err := r.atRest(ctx)
	if err != nil {
		return nil, err
	}
	f := r.figures(all, w)
	if r.Meter != nil {
		f.Heap, f.Stack = perTable(empty.Heap, full.Heap, r.Tables), perTable(empty.Stack, full.Stack, r.Tables)
	}
	return f, nil
}

// atRest is what the server uses when nobody moves and everyone listens: the
// connections for moves are closed, and it is asked until it has let go of them.
func (r *run) atRest(ctx context.Context) (Usage, error) {
	r.hangUp()
	last, err := r.meter(ctx, true)
	for tries := 0; err == nil && tries < 20; tries++ {
		if err = pause(ctx, 100*time.Millisecond); err != nil {
			break
		}
		before := last
		if last, err = r.meter(ctx, true); last.Heap+last.Stack >= before.Heap+before.Stack {
			break
		}
	}
	return last, err
}

// setUp sets all tables, some at a time.
func (r *run) setUp(ctx context.Context) ([]*sitting, error) {
	all := make([]*sitting, r.Tables)
	for i := range all {
		all[i] = &sitting{run: r, no: i}
	}
	var working sync.WaitGroup
	var next, done atomic.Int64
	errs := make([]error, settingUp)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for worker := range settingUp {
		working.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(all) {
					return
				}
				if errs[worker] = all[i].begin(ctx); errs[worker] != nil {
					cancel()
					return
				}
				r.Progress("tables set", int(done.Add(1)), len(all))
			}
		})
	}
	working.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return all, fmt.Errorf("a table cannot be set: %w", err)
		}
	}
	return all, context.Cause(ctx)
}

// start lets everyone play. At a pace, the tables are spread over a beat.
func (r *run) start(ctx context.Context, all []*sitting, stop <-chan struct{}, playing *sync.WaitGroup) {
	beat := time.Duration(0)
	if r.Rate > 0 {
		beat = time.Duration(float64(time.Second) / r.Rate)
	}
	now := time.Now()
	for i, s := range all {
		first := now.Add(beat * time.Duration(i) / time.Duration(len(all)))
		playing.Go(func() { s.play(ctx, stop, first, beat) })
	}
}

// window is the time that was measured, and what was used in it.
type window struct {
	from, to       time.Time
	server, client float64 // seconds of work
	beside         float64 // likewise, of the database
	taken          float64 // bytes of the server's heap
	appends        float64 // that were tried
	conflicts      float64 // of these, because another node was quicker
	spans          []Span  // how long they took
}

// watch waits while the tables warm up, and then measures.
func (r *run) watch(ctx context.Context) (w window, err error) {
	if err := pause(ctx, r.Warm); err != nil {
		return w, err
	}
	before, err := r.meter(ctx, false)
	if err != nil {
		return w, err
	}
	idle, err := metered(ctx, r.Beside, false)
	if err != nil {
		return w, err
	}
	ended := func() error { return nil }
	if r.Began != nil {
		if ended, err = r.Began(ctx); err != nil {
			return w, err
		}
	}
	w.from = time.Now()
	mine, moved := cpuTime(), r.count.Load()
	for second := time.Second; ; second += time.Second {
		if err := pause(ctx, time.Until(w.from.Add(r.until(second)))); err != nil {
			return w, err
		}
		if second >= r.For && (r.count.Load() > moved || second > patience) {
			break // a server so slow that nobody has moved yet is waited for
		}
		r.Progress("seconds played", int(second/time.Second), int((r.For+time.Second-1)/time.Second))
	}
	w.to = time.Now()
	w.client = (cpuTime() - mine).Seconds()
	after, err := r.meter(ctx, false)
	busy, wrong := metered(ctx, r.Beside, false)
	w.server, w.beside, w.taken = after.CPU-before.CPU, busy.CPU-idle.CPU, after.Taken-before.Taken
	w.appends, w.conflicts = after.Appends-before.Appends, after.Conflicts-before.Conflicts
	w.spans = addSpans(after.Spans, before.Spans, -1)
	return w, errors.Join(err, wrong, ended())
}

// until is when the next second of the time that is measured has passed, or its
// end.
func (r *run) until(second time.Duration) time.Duration {
	if second-time.Second < r.For {
		return min(second, r.For)
	}
	return second
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
