package arena

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// run plays groups on all cores. The result does not depend on which core plays
// which game when: every game has random numbers of its own, results are looked at
// in the order of the groups and never in that of their arrival, and in that order
// it is decided when enough was played.
type run struct {
	tables   *tables // for groups that name none
	groups   []group
	cores    int // 0 for all there are
	save     *save
	progress func(finished int)

	// settled is asked each time one more group is complete, in order, with how
	// many are. Groups beyond the one at which it says yes are left out. It may be
	// nil.
	settled func(groups int) bool

	first   []int     // the number of the first game of each group, and at the end that of all games
	results []*played // by number
}

// play plays what is not played yet, and gives how many groups are complete, from
// the first on: all of them, unless it is settled or the context ends before.
func (r *run) play(ctx context.Context) (complete int, err error) {
	r.number()
	if r.save != nil {
		r.save.restore(r)
	}
	advance := func() bool {
		for complete < len(r.groups) && r.done(complete) {
			complete++
			if r.settled != nil && r.settled(complete) {
				return true
			}
		}
		return complete == len(r.groups)
	}
	if advance() {
		return complete, nil
	}

	var todo []int // the goroutines that play are started after it is written
	for n, res := range r.results {
		if res == nil {
			todo = append(todo, n)
		}
	}
	finished := len(r.results) - len(todo)
	playing, stop := context.WithCancel(ctx)
	defer stop()
	type outcome struct {
		number int
		*played
		error
	}
	arriving := make(chan outcome)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range cmp.Or(r.cores, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for playing.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(todo) {
					return
				}
				g, rotation := r.at(todo[i])
				res, err := cmp.Or(r.groups[g].at, r.tables).play(playing, &r.groups[g], rotation)
				if err != nil && playing.Err() != nil {
					return // the game was not played to its end
				}
				arriving <- outcome{todo[i], res, err}
			}
		})
	}
	go func() {
		wg.Wait()
		close(arriving)
	}()
	settled := false
	for o := range arriving {
		if err == nil && o.error == nil && r.save != nil {
			o.error = r.save.add(o.played)
		}
		if o.error != nil {
			err = cmp.Or(err, o.error)
			stop()
		}
		if err != nil || settled {
			continue
		}
		r.results[o.number] = o.played
		finished++
		if r.progress != nil {
			r.progress(finished)
		}
		if advance() {
			settled = true
			stop()
		}
	}
	return complete, err
}

// number gives all games their numbers.
func (r *run) number() {
	r.first = make([]int, 1, len(r.groups)+1)
	for _, g := range r.groups {
		r.first = append(r.first, r.first[len(r.first)-1]+g.rotations())
	}
	r.results = make([]*played, r.first[len(r.groups)])
}

// at is the group and the rotation of a game.
func (r *run) at(number int) (group, rotation int) {
	low, high := 0, len(r.groups) // the group is at least low and below high
	for high-low > 1 {
		if middle := (low + high) / 2; r.first[middle] <= number {
			low = middle
		} else {
			high = middle
		}
	}
	return low, number - r.first[low]
}

// done tells whether a group was played in all rotations.
func (r *run) done(group int) bool {
	for _, res := range r.games(group) {
		if res == nil {
			return false
		}
	}
	return true
}

// games are those of a group, by rotation.
func (r *run) games(group int) []*played { return r.results[r.first[group]:r.first[group+1]] }
