package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// mishap is something that goes wrong, from when and for how long.
type mishap struct {
	at   time.Duration
	long time.Duration
	what string
	node int
	how  time.Duration // how slow a link is, or by how much a clock is wrong
}

func (f mishap) String() string {
	text := fmt.Sprintf("%8.1f s: %s", f.at.Seconds(), f.what)
	if !slices.Contains(ofTheHouse, f.what) {
		text += fmt.Sprintf(" of node %d", f.node)
	}
	if f.what == clockStep {
		return text + fmt.Sprintf(" by %v", f.how)
	}
	if f.what == deploy || f.what == dbCrash || f.what == dbStop || f.what == failover {
		return text
	}
	if strings.HasSuffix(f.what, "slow") {
		text += fmt.Sprintf(" (%v)", f.how)
	}
	return text + fmt.Sprintf(", for %.1f s", f.long.Seconds())
}

const (
	kill      = "kill -9"
	pause     = "pause"
	clockStep = "clock step"
	newsLoss  = "loss of NATS"
	dbCrash   = "crash of the database"
	dbStop    = "restart of the database"
	failover  = "failover to the standby"
	deploy    = "another version"

	// The worst that can happen to a database: it crashes while its standby is cut
	// off, comes back, and is then given up for that standby.
	lonely = "crash without a standby, then failover to it"
)

// ofTheHouse are the mishaps that concern no node.
var ofTheHouse = []string{newsLoss, dbCrash, dbStop, failover, lonely, "standby: cut", "standby: black hole", "standby: slow"}

// odds are how often each mishap comes.
var odds = []struct {
	what string
	odds int
}{
	{kill, 14}, {pause, 18}, {clockStep, 8}, {newsLoss, 6}, {dbCrash, 4}, {dbStop, 1}, {failover, 3}, {lonely, 1}, {deploy, 8},
	{"standby: cut", 3}, {"standby: black hole", 3}, {"standby: slow", 2},
	{"database: cut", 4}, {"database: black hole", 4}, {"database: black hole up", 4}, {"database: black hole down", 4}, {"database: slow", 4},
	{"news: cut", 3}, {"news: black hole", 3}, {"news: black hole up", 2}, {"news: black hole down", 2}, {"news: slow", 2},
	{"people: cut", 2}, {"people: black hole", 2}, {"people: black hole up", 2}, {"people: black hole down", 2}, {"people: slow", 2},
}

// plan is what a nemesis does, from a seed: each mishap at least once where there are
// enough of them, at random moments, one over the other. Some last for half a minute.
func plan(seed uint64, many, long, nodes int, span time.Duration) []mishap {
	rng := rand.New(rand.NewPCG(seed, 14))
	sum := 0
	for _, o := range odds {
		sum += o.odds
	}
	var all []mishap
	for n := range many {
		f := mishap{node: rng.IntN(nodes), at: time.Duration(rng.Int64N(int64(span))), long: 100*time.Millisecond + time.Duration(rng.Int64N(int64(4900*time.Millisecond)))}
		if n < len(odds) && many > len(odds) {
			f.what = odds[n].what
		} else {
			x := rng.IntN(sum)
			for _, o := range odds {
				if x -= o.odds; x < 0 {
					f.what = o.what
					break
				}
			}
		}
		if n >= many-long {
			f.long = 30 * time.Second
			f.what = []string{pause, pause, pause, kill, "database: black hole", "database: black hole down", "news: black hole", "people: black hole"}[(n+rng.IntN(2))%8]
			if n == many-1 {
				f.what = pause
			}
			f.at = time.Duration(rng.Int64N(int64(max(span-f.long, 1))))
		}
		switch {
		case f.what == clockStep:
			f.how = time.Duration(rng.Int64N(int64(2*time.Hour))) - time.Hour
			if rng.IntN(2) == 0 {
				f.how /= 1000
			}
		case strings.HasSuffix(f.what, "slow"):
			f.how = time.Duration(5+rng.IntN(95)) * time.Millisecond
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(a, b mishap) int { return int(a.at - b.at) })
	return all
}

// nemesis does what is planned, and returns when all of it is over.
func (h *house) nemesis(all []mishap, done *atomic.Int64, stop <-chan struct{}) {
	begun := time.Now()
	var wg sync.WaitGroup
	for _, f := range all {
		select {
		case <-time.After(f.at - time.Since(begun)):
		case <-stop:
			wg.Wait()
			return
		}
		wg.Go(func() {
			if err := h.inflict(f, stop); err != nil {
				h.wrongs.add("nemesis", "%v: %v", f, err)
			}
			done.Add(1)
		})
	}
	wg.Wait()
}

// inflict does one thing.
func (h *house) inflict(f mishap, stop <-chan struct{}) error {
	x := h.nodes[f.node]
	var end func()
	switch f.what {
	case kill:
		end = x.kill()
	case pause:
		end = x.pause()
	case clockStep:
		return x.setClock(f.how)
	case deploy:
		x.deploy()
		return nil
	case dbCrash:
		return h.crash(false)
	case dbStop:
		return h.crash(true)
	case failover:
		return h.failOver()
	case lonely:
		return h.forsake(f.long)
	case newsLoss:
		return h.loseNews(f.long)
	default:
		where, how, _ := strings.Cut(f.what, ": ")
		w := map[string]weather{
			"cut": {cut: true}, "black hole": {up: true, down: true}, "black hole up": {up: true}, "black hole down": {down: true}, "slow": {slow: f.how},
		}[how]
		end = map[string]*link{"standby": h.replica, "database": x.db, "news": x.carrier, "people": x.front}[where].begin(w)
	}
	defer end()
	select {
	case <-time.After(f.long):
	case <-stop:
	}
	return nil
}

// forsake cuts the standby off, crashes the primary, and has the standby take over in
// the end.
func (h *house) forsake(long time.Duration) error {
	defer h.replica.begin(weather{cut: true})()
	time.Sleep(long / 2)
	if err := h.crash(false); err != nil {
		return err
	}
	time.Sleep(long / 2)
	return h.failOver()
}

// loseNews has no NATS for a while. Two losses are one after the other.
func (h *house) loseNews(long time.Duration) error {
	h.losing.Lock()
	defer h.losing.Unlock()
	_, at := h.newsAt()
	h.news.Load().Shutdown()
	h.news.Load().WaitForShutdown()
	time.Sleep(long)
	var port int
	if _, err := fmt.Sscanf(at[strings.LastIndex(at, ":")+1:], "%d", &port); err != nil {
		return err
	}
	return h.startNews(port)
}
