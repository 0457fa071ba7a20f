package news

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"
)

// Hub carries news within one process. It has no goroutine: when Publish returns,
// all readers have the item.
type Hub struct {
	seed   maphash.Seed
	shards [shards]shard

	mu      sync.Mutex
	readers map[*reader]struct{} // nil once the hub is closed
}

// shards is the number of parts into which the topics are divided, so that tables
// seldom wait for each other's locks.
const shards = 32

type shard struct {
	mu     sync.RWMutex
	topics map[Topic][]*watch // none that is empty
}

// watch is one reader's interest in one topic.
type watch struct {
	reader *reader
	index  int // where it stands in its topic, -1 where it does not stand there; under the shard's lock

	// The reader's lock guards the rest.
	asking  bool    // for its number: what comes meanwhile is put aside
	aside   backlog // what came before the number was known
	numbers bool    // numbered items are wanted
	next    int     // the number of the next numbered item
}

// reader is a Reader of a Hub. Whoever holds its lock takes no shard's lock.
type reader struct {
	hub    *Hub
	buffer int
	ready  chan struct{} // closed when the reader has ended

	mu      sync.Mutex
	items   backlog
	watches map[Topic]*watch // nil once the reader has ended
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

// backlog is what a reader has not taken yet, in order.
type backlog struct {
	items  []Item
	counts int // how many of the items are no states
}

// add adds an item and tells whether there was space for it. A state takes the
// place of the one before it, at the end.
func (b *backlog) add(item Item, most int) bool {
	if item.State == "" {
		if b.counts >= most {
			return false
		}
		b.counts++
	} else if i := slices.IndexFunc(b.items, func(old Item) bool { return old.State == item.State && old.Topic == item.Topic }); i >= 0 {
		b.items = slices.Delete(b.items, i, i+1)
	}
	b.items = append(b.items, item)
	return true
}

// take takes the first item.
func (b *backlog) take() (item Item, ok bool) {
	if len(b.items) == 0 {
		return item, false
	}
	item = b.items[0]
	b.items[0] = Item{} // so that its bytes can be freed
	switch {
	case len(b.items) > 1:
		b.items = b.items[1:]
	case cap(b.items) == 1: // mostly one comes after the other
		b.items = b.items[:0]
	default:
		b.items = nil // most readers have nothing for long
	}
	if item.State == "" {
		b.counts--
	}
	return item, true
}

// Publish gives an item to everyone who watches its topic, without its Raw.
func (h *Hub) Publish(item Item) {
	item.Raw = nil
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

// Missed tells the hub that the log of a topic goes on at a number. It cuts off all
// who still wait for an earlier one, which will not come, and tells whether there
// were any.
func (h *Hub) Missed(topic Topic, next int) bool {
	return h.cut(topic, func(w *watch) bool { return !w.asking && w.numbers && w.next < next })
}

// Doubt cuts off all who watch a topic: something has happened there that the hub
// cannot tell them.
func (h *Hub) Doubt(topic Topic) { h.cut(topic, func(*watch) bool { return true }) }

// Lost cuts all readers off: nobody knows what they have missed.
func (h *Hub) Lost() {
	h.mu.Lock()
	readers := slices.Collect(maps.Keys(h.readers))
	h.mu.Unlock()
	for _, r := range readers {
		r.end(ErrGap)
	}
}

// Tables lists the tables that somebody watches for what is in their logs.
func (h *Hub) Tables() []string {
	var list []string
	for i := range h.shards {
		s := &h.shards[i]
		s.mu.RLock()
		for topic := range s.topics {
			if topic.kind == 't' {
				list = append(list, topic.id)
			}
		}
		s.mu.RUnlock()
	}
	return list
}

// cut cuts readers of a topic off, those whose watch is of this kind.
func (h *Hub) cut(topic Topic, which func(*watch) bool) bool {
	s := h.shard(topic)
	var over []*reader
	s.mu.RLock()
	for _, w := range s.topics[topic] {
		if w.reader.doubt(w, topic, which) {
			over = append(over, w.reader)
		}
	}
	s.mu.RUnlock()
	for _, r := range over {
		r.free()
	}
	return len(over) > 0
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
	r := &reader{hub: h, buffer: max(buffer, 1), ready: make(chan struct{}, 1), watches: map[Topic]*watch{}}
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

// Close cuts all readers off.
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
		return true // the watch has ended, or begun anew, meanwhile
	}
	if w.asking {
		return w.aside.add(item, r.buffer) || r.cut(ErrSlow)
	}
	return r.take(w, item)
}

// doubt cuts the reader off where its watch is of this kind, and tells whether it
// was.
func (r *reader) doubt(w *watch, topic Topic, which func(*watch) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err == nil && r.watches[topic] == w && which(w) && !r.cut(ErrGap)
}

// take keeps an item for the reader, if it is the one that comes next.
func (r *reader) take(w *watch, item Item) bool {
	if item.Number != Unnumbered {
		switch {
		case !w.numbers || item.Number < w.next:
			return true
		case item.Number > w.next:
			return r.cut(ErrGap)
		}
		w.next++
	}
	if !r.items.add(item, r.buffer) {
		return r.cut(ErrSlow)
	}
	select {
	case r.ready <- struct{}{}:
	default: // the reader knows already
	}
	return true
}

// cut ends the reader. Its topics are freed later, when no lock is held.
func (r *reader) cut(why error) bool {
	if r.err == nil {
		r.err = why
		close(r.ready)
	}
	return false
}

// end cuts the reader off and frees all that it took.
func (r *reader) end(why error) {
	r.mu.Lock()
	r.cut(why)
	r.mu.Unlock()
	r.free()
}

// free takes a reader that has ended out of all topics.
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
	aside := w.aside.items
	w.asking, w.aside, w.next = false, backlog{}, from
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

// Take takes the next item.
func (r *reader) Take() (Item, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.items.take()
}

func (r *reader) Ready() <-chan struct{} { return r.ready }

func (r *reader) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close ends the reader.
func (r *reader) Close() { r.end(ErrDone) }
