package news

import (
	"hash/maphash"
	"sync"
)

// Hub carries news within one process. It has no goroutine: an item is in the
// channels of all its readers when Publish returns.
type Hub struct {
	seed   maphash.Seed
	shards [shards]shard

	mu      sync.Mutex
	readers map[*reader]struct{} // nil once it is closed
}

// shards is into how many parts the topics are divided, so that tables seldom
// wait for each other's locks.
const shards = 32

type shard struct {
	mu     sync.RWMutex
	topics map[Topic][]*watch // none that is empty
}

// watch is one reader's interest in one topic.
type watch struct {
	reader *reader
	index  int // where it stands in its topic, -1 where it does not; under the shard's lock

	// Under the reader's lock:
	asking  bool   // for its number: what comes meanwhile is put aside
	aside   []Item // until the number is known
	numbers bool   // numbered items are wanted
	next    int    // the number of the next one
}

// reader is a Reader of a Hub. A shard's lock is never taken while its own is
// held.
type reader struct {
	hub   *Hub
	items chan Item

	mu      sync.Mutex
	watches map[Topic]*watch // nil once it is over
	err     error
}

var _ Carrier = (*Hub)(nil)

// NewHub makes a hub.
func NewHub() *Hub {
	h := &Hub{seed: maphash.MakeSeed(), readers: map[*reader]struct{}{}}
	for i := range h.shards {
		h.shards[i].topics = map[Topic][]*watch{}
	}
	return h
}

func (h *Hub) shard(topic Topic) *shard {
	return &h.shards[maphash.String(h.seed, topic.id)%shards]
}

// Publish puts an item into the channel of everyone who watches its topic.
func (h *Hub) Publish(item Item) {
	s := h.shard(item.Topic)
	var over []*reader
	s.mu.RLock()
	for _, w := range s.topics[item.Topic] {
		if !w.reader.offer(w, item) {
			over = append(over, w.reader)
		}
	}
	s.mu.RUnlock()
	for _, r := range over {
		r.free()
	}
}

// Wanted tells whether anybody watches a topic.
func (h *Hub) Wanted(topic Topic) bool {
	s := h.shard(topic)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.topics[topic]) > 0
}

// Subscribe makes a reader.
func (h *Hub) Subscribe(buffer int) Reader {
	r := &reader{hub: h, items: make(chan Item, max(buffer, 1)), watches: map[Topic]*watch{}}
	h.mu.Lock()
	stopped := h.readers == nil
	if !stopped {
		h.readers[r] = struct{}{}
	}
	h.mu.Unlock()
	if stopped {
		r.end(ErrStopped)
	}
	return r
}

// Close cuts everyone off.
func (h *Hub) Close() {
	h.mu.Lock()
	readers := h.readers
	h.readers = nil
	h.mu.Unlock()
	for r := range readers {
		r.end(ErrStopped)
	}
}

func (h *Hub) add(topic Topic, w *watch) {
	s := h.shard(topic)
	s.mu.Lock()
	defer s.mu.Unlock()
	w.index = len(s.topics[topic])
	s.topics[topic] = append(s.topics[topic], w)
}

func (h *Hub) remove(topic Topic, w *watch) {
	s := h.shard(topic)
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.index < 0 {
		return
	}
	list := s.topics[topic]
	last := len(list) - 1
	list[w.index] = list[last]
	list[w.index].index = w.index
	list[last], w.index = nil, -1
	if last == 0 {
		delete(s.topics, topic)
	} else {
		s.topics[topic] = list[:last]
	}
}

// offer gives a reader an item and tells whether the reader goes on.
func (r *reader) offer(w *watch, item Item) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || r.watches[item.Topic] != w {
		return true // it has ended, or begun anew, since
	}
	if w.asking {
		if len(w.aside) == cap(r.items) {
			return r.cut(ErrSlow)
		}
		w.aside = append(w.aside, item)
		return true
	}
	return r.take(w, item)
}

// take puts an item into the channel, if it is the one that comes next.
func (r *reader) take(w *watch, item Item) bool {
	if item.Number != Beside {
		switch {
		case !w.numbers || item.Number < w.next:
			return true
		case item.Number > w.next:
			return r.cut(ErrGap)
		}
		w.next++
	}
	select {
	case r.items <- item:
		return true
	default:
		return r.cut(ErrSlow)
	}
}

// cut ends the reader. Its topics are freed when no lock is held.
func (r *reader) cut(why error) bool {
	if r.err == nil {
		r.err = why
		close(r.items)
	}
	return false
}

// end cuts the reader and frees all that it took.
func (r *reader) end(why error) {
	r.mu.Lock()
	r.cut(why)
	r.mu.Unlock()
	r.free()
}

// free takes a reader that has ended out of everything.
func (r *reader) free() {
	r.mu.Lock()
	watches := r.watches
	r.watches = nil
	r.mu.Unlock()
	for topic, w := range watches {
		r.hub.remove(topic, w)
	}
	r.hub.mu.Lock()
	delete(r.hub.readers, r)
	r.hub.mu.Unlock()
}

// Watch adds a topic.
func (r *reader) Watch(topic Topic, next func() (int, error)) (int, error) {
	w := &watch{reader: r, index: -1, asking: next != nil, numbers: next != nil}
	r.mu.Lock()
	if r.err != nil {
		defer r.mu.Unlock()
		return 0, r.err
	}
	before := r.watches[topic]
	r.watches[topic] = w
	r.mu.Unlock()
	if before != nil {
		r.hub.remove(topic, before)
	}
	r.hub.add(topic, w)
	from, err := 0, error(nil)
	if next != nil {
		from, err = next()
	}
	r.mu.Lock()
	still := r.watches[topic] == w
	if still && err == nil {
		r.begin(w, from)
	} else if still {
		delete(r.watches, topic)
	}
	over := r.err
	r.mu.Unlock()
	if !still || err != nil {
		r.hub.remove(topic, w)
	}
	switch {
	case err != nil:
		return 0, err
	case over != nil:
		r.free()
		return 0, over
	}
	return from, nil
}

// begin lets a watch go on from its number, with what came meanwhile.
func (r *reader) begin(w *watch, from int) {
	aside := w.aside
	w.asking, w.aside, w.next = false, nil, from
	for _, item := range aside {
		if r.err != nil || !r.take(w, item) {
			return
		}
	}
}

// Ignore takes a topic away.
func (r *reader) Ignore(topic Topic) {
	r.mu.Lock()
	w := r.watches[topic]
	delete(r.watches, topic)
	r.mu.Unlock()
	if w != nil {
		r.hub.remove(topic, w)
	}
}

func (r *reader) Items() <-chan Item { return r.items }

func (r *reader) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close ends the reader.
func (r *reader) Close() { r.end(ErrDone) }
