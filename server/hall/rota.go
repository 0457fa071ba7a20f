package hall

import "slices"

// rota decides whose bot thinks next, where more bots are to think than can. It
// has no clock and starts nothing: thoughts are added, and the next is asked for.
//
// Cheap thoughts go before dear ones. Among each of the two the networks share
// alike, and the people of a network share alike what it gets: what counts is what
// their bots cost, not how many there are. Whoever comes after a while without any
// is not behind those who were busy, and has saved nothing up either. The thoughts
// of one person are thought in the order in which they came.
//
// Nobody waits for ever: at most mostCheap cheap thoughts go before a dear one that
// waits, and of two who wait neither gets more than the other but for the price of a
// few thoughts. However many come that were never here before, they begin where the
// others have got to.
type rota struct {
	cheap, dear share
	ahead       int // cheap ones that went since a dear one waits
	at          map[string]*thought
}

// mostCheap is how many cheap thoughts go before a dear one that waits.
const mostCheap = 16

// thought is what a bot is to think about.
type thought struct {
	table   string // at which it is to move: each has at most one thought that waits
	network string // who is charged: the network, and the person in it
	person  string
	cost    int // as package bot says
	dear    bool
	think   func() (answer func())
}

// add adds a thought. One that waits for the same table is forgotten: the new one
// takes its place.
func (r *rota) add(n *thought) {
	if old := r.at[n.table]; old != nil {
		if old.network == n.network && old.person == n.person && old.dear == n.dear {
			*old = *n
			return
		}
		r.of(old).drop(old)
	}
	if r.at == nil {
		r.at = map[string]*thought{}
	}
	r.at[n.table] = n
	r.of(n).add(n)
}

// next takes the thought whose turn it is, only a cheap one where no other is
// wanted; nil where there is none.
func (r *rota) next(onlyCheap bool) *thought {
	from := &r.cheap
	switch {
	case onlyCheap:
	case r.dear.waiting == 0:
		r.ahead = 0
	case r.cheap.waiting == 0 || r.ahead >= mostCheap:
		from, r.ahead = &r.dear, 0
	default:
		r.ahead++
	}
	n := from.take()
	if n != nil {
		delete(r.at, n.table)
	}
	return n
}

// waiting is how many thoughts wait.
func (r *rota) waiting() int { return len(r.at) }

func (r *rota) of(n *thought) *share {
	if n.dear {
		return &r.dear
	}
	return &r.cheap
}

// share is thoughts that networks share, and in each of them people.
type share struct {
	waiting  int
	networks round[round[queue]]
}

// queue is the thoughts of one person, in their order.
type queue []*thought

func (s *share) add(n *thought) {
	s.waiting++
	people := s.networks.join(n.network)
	own := people.join(n.person)
	*own = append(*own, n)
}

func (s *share) take() *thought {
	if s.waiting == 0 {
		return nil
	}
	people := s.networks.first()
	n := (*people.first())[0]
	people.charge(n.person, n.cost)
	s.networks.charge(n.network, n.cost)
	s.drop(n)
	return n
}

// drop takes a thought out that waits.
func (s *share) drop(n *thought) {
	s.waiting--
	people := &s.networks.all[n.network].of
	own := &people.all[n.person].of
	i := slices.Index(*own, n)
	if *own = slices.Delete(*own, i, i+1); len(*own) == 0 {
		people.quit(n.person)
	}
	if people.wanting == 0 {
		s.networks.quit(n.network)
	}
}

// round is those who share alike: whoever was charged least is first. They are few
// enough to be looked through.
type round[T any] struct {
	all     map[string]*sharer[T]
	wanting int     // those who want something
	level   float64 // what everyone would have been charged by now if all had shared alike all the time: nobody who comes is charged less
	came    int     // how often somebody came
}

type sharer[T any] struct {
	of      T
	wants   bool // else it is only remembered what they were charged, as long as that is not below the level
	charged float64
	served  bool // and remembered since
	came    int
}

// join lets somebody in who wants something.
func (r *round[T]) join(name string) *T {
	if r.all == nil {
		r.all = map[string]*sharer[T]{}
	}
	s := r.all[name]
	if s == nil {
		s = &sharer[T]{}
		r.all[name] = s
	}
	if !s.wants {
		r.came++
		r.wanting++
		s.wants, s.served, s.charged, s.came = true, s.served && s.charged >= r.level, max(s.charged, r.level), r.came
	}
	return &s.of
}

// first is whose turn it is. Whoever wants nothing and owes nothing is forgotten.
func (r *round[T]) first() *T {
	var best *sharer[T]
	for name, s := range r.all {
		switch {
		case !s.wants:
			if s.charged < r.level {
				delete(r.all, name)
			}
		case best == nil || s.before(best):
			best = s
		}
	}
	return &best.of
}

// charge has somebody pay for what they get.
func (r *round[T]) charge(name string, cost int) {
	s := r.all[name]
	r.level = max(r.level+float64(cost)/float64(r.wanting), s.charged)
	s.charged += float64(cost)
	s.served = true
}

// before tells whether one goes before the other: who was charged less; of those
// who were charged alike who got nothing yet, and then who came first.
func (s *sharer[T]) before(o *sharer[T]) bool {
	switch {
	case s.charged != o.charged:
		return s.charged < o.charged
	case s.served != o.served:
		return o.served
	}
	return s.came < o.came
}

// quit lets somebody go who wants nothing more.
func (r *round[T]) quit(name string) {
	r.all[name].wants = false
	r.wanting--
}
