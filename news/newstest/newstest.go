// Package newstest holds carriers to what package news promises.
package newstest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"

	"copse/news"
)

// Settler is a carrier that takes a while, as one between processes does. Settle
// returns when everything that was published has arrived.
type Settler interface{ Settle() }

func settle(c news.Carrier) {
	if s, ok := c.(Settler); ok {
		s.Settle()
	}
}

// Run holds a carrier to every promise. fresh makes a carrier for each test, which
// closes it.
func Run(t *testing.T, fresh func(t *testing.T) news.Carrier) {
	for _, promise := range []struct {
		name string
		hold func(*testing.T, news.Carrier)
	}{
		{"EveryItemInOrderFromANumberOn", inOrder},
		{"CompleteFromWhateverMoment", complete},
		{"OneReaderOfManyTables", manyTables},
		{"OnlyWhatIsWatchedArrives", onlyWatched},
		{"WhatIsWatchedIsWanted", wanted},
		{"WhatIsBesideTheLogArrives", unnumbered},
		{"NobodyReadsTheEntryItself", noRaw},
		{"OfAStateTheNewestArrives", states},
		{"NobodyIsCutOffByStates", manyStates},
		{"AStateWhileANumberIsAskedFor", stateAside},
		{"AReaderIsWokenByAState", stateWakes},
		{"ASlowReaderIsCutOffAndNobodyElse", slow},
		{"WhoeverIsCutOffCatchesUp", catchesUp},
		{"AGapIsNotPassedOver", gap},
		{"ARepetitionIsNotHeard", repetition},
		{"ATopicBegunAnew", anew},
		{"ANumberThatCannotBeRead", failing},
		{"AClosedReaderIsFree", closedReader},
		{"AStoppedCarrierTellsEveryone", stopped},
		{"ThousandsListen", thousands},
		{"EverythingAtOnce", everything},
	} {
		t.Run(promise.name, func(t *testing.T) {
			c := fresh(t)
			promise.hold(t, c)
			c.Close()
		})
	}
}

// wanted: a carrier that says that nobody listens must be right, since the
// publisher believes it.
func wanted(t *testing.T, c news.Carrier) {
	topic, other := news.Account("anna"), news.Table("anna")
	one, two := c.Subscribe(1), c.Subscribe(1)
	for _, r := range []news.Reader{one, two} {
		if _, err := r.Watch(topic, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !c.Wanted(topic) {
		t.Error("two watch, and it says that nobody does")
	}
	one.Close()
	if !c.Wanted(topic) {
		t.Error("one of two has gone, and it says that nobody watches")
	}
	if _, err := two.Watch(other, nil); err != nil {
		t.Fatal(err)
	}
	two.Ignore(topic)
	if !c.Wanted(other) {
		t.Error("a reader watches something else now, and it says that nobody does")
	}
}

// noRaw: an entry has secrets, and no reader gets it, but in the forms of the body.
func noRaw(t *testing.T, c news.Carrier) {
	r := c.Subscribe(10)
	topic := news.Table("oak")
	watch(t, r, topic, at(0))
	for _, published := range []news.Item{
		{Topic: topic, Number: 0, Body: []byte("told"), Raw: []byte("the secret")},
		{Topic: topic, Number: news.Unnumbered, Body: []byte("said"), Raw: []byte("the secret")},
		{Topic: topic, Number: news.Unnumbered, State: "s", Body: []byte("so"), Raw: []byte("the secret")},
	} {
		c.Publish(published)
		settle(c)
		got, ok := r.Take()
		if !ok || string(got.Body) != string(published.Body) || got.Number != published.Number || got.Raw != nil {
			t.Errorf("a reader gets %+v, %v", got, ok)
		}
	}
}

// log is a log as a table has one: it grows first, then the entries are published.
type log struct {
	topic news.Topic
	mu    sync.Mutex
	n     int
}

func (l *log) next() (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n, nil
}

// grow appends so many entries and publishes them.
func (l *log) grow(c news.Carrier, many int) {
	for range many {
		l.mu.Lock()
		n := l.n
		l.n++
		l.mu.Unlock()
		c.Publish(item(l.topic, n))
	}
}

func item(topic news.Topic, number int) news.Item {
	return news.Item{Topic: topic, Number: number, Body: fmt.Append(nil, topic, " ", number)}
}

func at(n int) func() (int, error) { return func() (int, error) { return n, nil } }

// watch watches a topic and fails where that fails.
func watch(t *testing.T, r news.Reader, topic news.Topic, next func() (int, error)) int {
	t.Helper()
	from, err := r.Watch(topic, next)
	if err != nil {
		t.Fatal(err)
	}
	return from
}

// take waits for the next item; open is false where none will come.
func take(r news.Reader) (item news.Item, open bool) {
	for {
		if item, ok := r.Take(); ok {
			return item, true
		}
		if _, more := <-r.Ready(); !more {
			return r.Take() // an item that came between the two
		}
	}
}

// hear takes one item, which must have this topic and number.
func hear(t *testing.T, r news.Reader, topic news.Topic, number int) {
	t.Helper()
	got, open := take(r)
	if !open {
		t.Fatalf("%v %d was to come, and the reader was cut off: %v", topic, number, r.Err())
	}
	if want := item(topic, number); got.Topic != want.Topic || got.Number != want.Number || string(got.Body) != string(want.Body) {
		t.Fatalf("%v %d was to come, and %v %d %q has", topic, number, got.Topic, got.Number, got.Body)
	}
}

// end takes all items that are left, and says why there are no more.
func end(r news.Reader) (left []news.Item, why error) {
	for i, open := take(r); open; i, open = take(r) {
		left = append(left, i)
	}
	return left, r.Err()
}

func inOrder(t *testing.T, c news.Carrier) {
	r := c.Subscribe(200)
	oak := &log{topic: news.Table("oak")}
	oak.grow(c, 50)
	if from := watch(t, r, oak.topic, oak.next); from != 50 {
		t.Errorf("it is complete from %d on, want 50", from)
	}
	oak.grow(c, 100)
	for n := 50; n < 150; n++ {
		hear(t, r, oak.topic, n)
	}
	if r.Err() != nil {
		t.Error(r.Err())
	}
	r.Close()
}

// complete has readers come at any moment while a table grows: none misses anything
// or hears anything twice. The worst moment is made on purpose: an entry comes
// right after the number was read.
func complete(t *testing.T, c news.Carrier) {
	elm := &log{topic: news.Table("elm")}
	elm.grow(c, 3)
	first := c.Subscribe(4)
	if from := watch(t, first, elm.topic, func() (int, error) {
		n, err := elm.next()
		elm.grow(c, 1)
		return n, err
	}); from != 3 {
		t.Errorf("it is complete from %d on, want 3", from)
	}
	elm.grow(c, 1)
	hear(t, first, elm.topic, 3)
	hear(t, first, elm.topic, 4)
	first.Close()

	const entries, readers = 3000, 60
	oak := &log{topic: news.Table("oak")}
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			r := c.Subscribe(entries)
			defer r.Close()
			from, err := r.Watch(oak.topic, oak.next)
			if err != nil {
				t.Error(err)
				return
			}
			for n := from; n < entries; n++ {
				if i, open := take(r); !open || i.Number != n {
					t.Errorf("from %d on: %d was to come, and %d has (%v)", from, n, i.Number, r.Err())
					return
				}
			}
		})
	}
	wg.Go(func() { oak.grow(c, entries) })
	wg.Wait()
}

func manyTables(t *testing.T, c news.Carrier) {
	const tables, entries = 20, 100
	r := c.Subscribe(tables * entries)
	var wg sync.WaitGroup
	for i := range tables {
		l := &log{topic: news.Table(fmt.Sprint(i))}
		watch(t, r, l.topic, l.next)
		wg.Go(func() { l.grow(c, entries) })
	}
	next := map[news.Topic]int{}
	for range tables * entries {
		i, open := take(r)
		if !open || i.Number != next[i.Topic] {
			t.Fatalf("of %v %d was to come, and %d has (%v)", i.Topic, next[i.Topic], i.Number, r.Err())
		}
		next[i.Topic]++
	}
	wg.Wait()
	r.Close()
}

func onlyWatched(t *testing.T, c news.Carrier) {
	r := c.Subscribe(10)
	watch(t, r, news.Table("oak"), at(0))
	for _, other := range []news.Topic{news.Table("elm"), news.Account("oak"), news.Table("")} {
		c.Publish(item(other, 0))
	}
	c.Publish(item(news.Table("oak"), 0))
	hear(t, r, news.Table("oak"), 0)
	watch(t, r, news.Table("elm"), at(1))
	r.Ignore(news.Table("oak"))
	r.Ignore(news.Table("ash")) // it never watched this one
	c.Publish(item(news.Table("oak"), 1))
	c.Publish(item(news.Table("elm"), 1))
	hear(t, r, news.Table("elm"), 1)
	r.Close()
}

func unnumbered(t *testing.T, c news.Carrier) {
	r := c.Subscribe(10)
	oak, anna := news.Table("oak"), news.Account("anna")
	watch(t, r, oak, at(5))
	watch(t, r, anna, nil)
	c.Publish(item(oak, news.Unnumbered))
	hear(t, r, oak, news.Unnumbered)
	c.Publish(item(oak, 5))
	c.Publish(item(oak, news.Unnumbered))
	c.Publish(item(oak, 6))
	hear(t, r, oak, 5)
	hear(t, r, oak, news.Unnumbered)
	hear(t, r, oak, 6)
	c.Publish(item(anna, 3)) // a reader that asked for no numbers gets no numbered item
	c.Publish(item(anna, news.Unnumbered))
	hear(t, r, anna, news.Unnumbered)
	r.Close()
}

// state is a state with its nth value.
func state(topic news.Topic, name string, n int) news.Item {
	return news.Item{Topic: topic, Number: news.Unnumbered, State: name, Body: fmt.Append(nil, topic, " ", name, " ", n)}
}

// is takes one item, which must be this one.
func is(t *testing.T, r news.Reader, want news.Item) {
	t.Helper()
	got, open := take(r)
	if !open || got.Topic != want.Topic || got.Number != want.Number || got.State != want.State || string(got.Body) != string(want.Body) {
		t.Fatalf("%q was to come, and %q has (%v)", want.Body, got.Body, r.Err())
	}
}

// none makes sure that nothing more is there.
func none(t *testing.T, r news.Reader) {
	t.Helper()
	if got, ok := r.Take(); ok || r.Err() != nil {
		t.Fatalf("nothing was to come, and %q has (%v)", got.Body, r.Err())
	}
}

// rest takes everything that is there: what is in order, and the states.
func rest(t *testing.T, r news.Reader) (items []news.Item, states map[string]string) {
	t.Helper()
	states = map[string]string{}
	for got, ok := r.Take(); ok; got, ok = r.Take() {
		key := got.Topic.String() + " " + got.State
		if got.State == "" {
			items = append(items, got)
		} else if _, twice := states[key]; twice {
			t.Errorf("%s arrives twice", key)
		} else {
			states[key] = string(got.Body)
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return items, states
}

// states: of states that were not taken the newest arrives; each topic and each name
// has its own. A state that was taken arrives again when it changes.
func states(t *testing.T, c news.Carrier) {
	r := c.Subscribe(10)
	oak, anna := news.Table("oak"), news.Account("anna")
	watch(t, r, oak, at(0))
	watch(t, r, anna, nil)
	c.Publish(state(oak, "who", 1))
	c.Publish(item(oak, 0))
	c.Publish(state(oak, "present", 1))
	c.Publish(state(oak, "who", 2))
	c.Publish(state(anna, "who", 1))
	c.Publish(item(oak, 1))
	c.Publish(state(oak, "present", 2))
	c.Publish(item(oak, 2))
	settle(c)
	items, told := rest(t, r)
	want := map[string]string{}
	for _, s := range []news.Item{state(oak, "who", 2), state(anna, "who", 1), state(oak, "present", 2)} {
		want[s.Topic.String()+" "+s.State] = string(s.Body)
	}
	if !maps.Equal(told, want) {
		t.Errorf("the states are %q, want %q", told, want)
	}
	if len(items) != 3 || items[0].Number != 0 || items[1].Number != 1 || items[2].Number != 2 {
		t.Errorf("besides the states there are %v", items)
	}
	c.Publish(state(oak, "present", 2))
	settle(c)
	is(t, r, state(oak, "present", 2))
	none(t, r)
	r.Close()
}

// manyStates: a reader that takes nothing has one of each state, and space for all
// other items.
func manyStates(t *testing.T, c news.Carrier) {
	r := c.Subscribe(4)
	oak := &log{topic: news.Table("oak")}
	watch(t, r, oak.topic, oak.next)
	want := map[string]string{}
	for n := range 1000 {
		for _, s := range []news.Item{state(oak.topic, "present", n), state(oak.topic, fmt.Sprint("seat ", n%50), n)} {
			c.Publish(s)
			want[s.Topic.String()+" "+s.State] = string(s.Body)
		}
		if n%250 == 0 {
			oak.grow(c, 1)
		}
	}
	settle(c)
	items, told := rest(t, r)
	if !maps.Equal(told, want) {
		t.Errorf("the states are %q, want %q", told, want)
	}
	if len(items) != 4 {
		t.Errorf("besides the states there are %v", items)
	}
	for n, i := range items {
		if i.Number != n {
			t.Errorf("%d was to come, and %d has", n, i.Number)
		}
	}
	oak.grow(c, 5)
	settle(c)
	if left, why := end(r); len(left) != 4 || !errors.Is(why, news.ErrSlow) {
		t.Errorf("with states taken it has room for %d items, then %v", len(left), why)
	}
	r.Close()
}

func stateAside(t *testing.T, c news.Carrier) {
	r := c.Subscribe(1)
	oak := news.Table("oak")
	watch(t, r, oak, func() (int, error) {
		for n := range 100 {
			c.Publish(state(oak, "present", n))
		}
		settle(c)
		return 0, nil
	})
	is(t, r, state(oak, "present", 99))
	none(t, r)
	r.Close()
}

// stateWakes: a state wakes the reader, also where it takes the place of an older
// one.
func stateWakes(t *testing.T, c news.Carrier) {
	r := c.Subscribe(1)
	oak := news.Table("oak")
	watch(t, r, oak, nil)
	for n := range 3 {
		c.Publish(state(oak, "present", 2*n))
		c.Publish(state(oak, "present", 2*n+1))
		settle(c)
		<-r.Ready()
		is(t, r, state(oak, "present", 2*n+1))
		none(t, r)
	}
	r.Close()
	for range r.Ready() { // it may be ready once more, and then it is closed
	}
}

func slow(t *testing.T, c news.Carrier) {
	oak, elm := &log{topic: news.Table("oak")}, &log{topic: news.Table("elm")}
	lazy, busy := c.Subscribe(8), c.Subscribe(8)
	for _, r := range []news.Reader{lazy, busy} {
		watch(t, r, oak.topic, oak.next)
		watch(t, r, elm.topic, elm.next)
	}
	for n := range 100 { // the publisher waits for nobody
		oak.grow(c, 1)
		hear(t, busy, oak.topic, n)
	}
	var left []news.Item
	for i, open := take(lazy); open; i, open = take(lazy) {
		if left = append(left, i); i.Number == 99 {
			t.Fatal("it took nothing, and was not cut off")
		}
	}
	if why := lazy.Err(); !errors.Is(why, news.ErrSlow) {
		t.Errorf("it is told %v", why)
	}
	if len(left) < 8 {
		t.Errorf("of 8 items %d were kept for it", len(left))
	}
	for n, i := range left {
		if i.Number != n {
			t.Fatalf("what it still has is %d in place of %d", i.Number, n)
		}
	}
	if _, err := lazy.Watch(news.Table("ash"), at(0)); !errors.Is(err, news.ErrSlow) {
		t.Errorf("who was cut off watches on: %v", err)
	}
	elm.grow(c, 1)
	hear(t, busy, elm.topic, 0)
	lazy.Close()
	if !errors.Is(lazy.Err(), news.ErrSlow) {
		t.Errorf("closed, it says %v", lazy.Err())
	}
	busy.Close()
}

// catchesUp has a reader that is cut off again and again: together with the log it
// hears of everything, once.
func catchesUp(t *testing.T, c news.Carrier) {
	const entries = 2000
	oak := &log{topic: news.Table("oak")}
	var wg sync.WaitGroup
	wg.Go(func() { oak.grow(c, entries) })
	have, cuts := 0, 0 // it has the entries 0 … have-1
	for have < entries {
		r := c.Subscribe(2)
		from := watchOrCut(t, r, oak)
		if from < have {
			t.Fatalf("it is complete from %d on, but the log had %d entries before", from, have)
		}
		have = from // it has read them in the log
		for have < entries {
			i, open := take(r)
			if !open {
				break
			}
			if i.Number != have {
				t.Fatalf("%d was to come, and %d has", have, i.Number)
			}
			have++
		}
		if have < entries {
			cuts++
			if !errors.Is(r.Err(), news.ErrSlow) {
				t.Fatalf("cut off by %v", r.Err())
			}
		}
		r.Close()
	}
	wg.Wait()
	t.Logf("cut off %d times", cuts)
}

// watchOrCut watches, or reads on in the log where the reader was cut off at once.
func watchOrCut(t *testing.T, r news.Reader, l *log) int {
	t.Helper()
	from, err := r.Watch(l.topic, l.next)
	if errors.Is(err, news.ErrSlow) {
		from, err = l.next()
		end(r) // it is before what was read now
	}
	if err != nil {
		t.Fatal(err)
	}
	return from
}

func gap(t *testing.T, c news.Carrier) {
	r := c.Subscribe(10)
	oak := news.Table("oak")
	watch(t, r, oak, at(0))
	for _, n := range []int{0, 1, 3, 2, 4} {
		c.Publish(item(oak, n))
	}
	left, why := end(r)
	if len(left) != 2 || !errors.Is(why, news.ErrGap) {
		t.Errorf("before the gap there are %d items, then %v", len(left), why)
	}
	r.Close()
}

func repetition(t *testing.T, c news.Carrier) {
	r := c.Subscribe(10)
	oak := news.Table("oak")
	watch(t, r, oak, at(2))
	for _, n := range []int{0, 1, 2, 2, 1, 3, 0, 3, 4} {
		c.Publish(item(oak, n))
	}
	for n := 2; n <= 4; n++ {
		hear(t, r, oak, n)
	}
	r.Close()
}

func anew(t *testing.T, c news.Carrier) {
	r := c.Subscribe(20)
	oak := news.Table("oak")
	watch(t, r, oak, at(0))
	c.Publish(item(oak, 0))
	hear(t, r, oak, 0)
	if from := watch(t, r, oak, at(5)); from != 5 {
		t.Errorf("begun anew from %d on", from)
	}
	for n := range 7 {
		c.Publish(item(oak, n))
	}
	hear(t, r, oak, 5)
	hear(t, r, oak, 6)
	r.Close()
}

func failing(t *testing.T, c news.Carrier) {
	r := c.Subscribe(2)
	oak, elm := news.Table("oak"), news.Table("elm")
	burnt := errors.New("the log is burnt")
	if _, err := r.Watch(oak, func() (int, error) {
		c.Publish(item(oak, 0))
		return 0, burnt
	}); !errors.Is(err, burnt) {
		t.Errorf("it says %v", err)
	}
	watch(t, r, elm, at(0))
	c.Publish(item(oak, 1))
	c.Publish(item(elm, 0))
	hear(t, r, elm, 0)

	// While a number is asked for, no more is put aside than the reader may have.
	if _, err := r.Watch(oak, func() (int, error) {
		for n := range 100 {
			c.Publish(item(oak, n))
		}
		return 100, nil
	}); err == nil {
		// What was put aside was old, so a carrier need not have kept it.
		c.Publish(item(oak, 100))
		hear(t, r, oak, 100)
	} else if !errors.Is(err, news.ErrSlow) {
		t.Error(err)
	}
	r.Close()
}

func closedReader(t *testing.T, c news.Carrier) {
	r := c.Subscribe(4)
	oak := &log{topic: news.Table("oak")}
	watch(t, r, oak.topic, oak.next)
	oak.grow(c, 1)
	hear(t, r, oak.topic, 0)
	r.Close()
	r.Close()
	oak.grow(c, 10)
	if left, why := end(r); len(left) > 0 || !errors.Is(why, news.ErrDone) {
		t.Errorf("closed, it has %d items and says %v", len(left), why)
	}
	if _, err := r.Watch(oak.topic, oak.next); !errors.Is(err, news.ErrDone) {
		t.Errorf("closed, it watches: %v", err)
	}
	r.Ignore(oak.topic)
	if _, err := c.Subscribe(1).Watch(oak.topic, func() (int, error) { return oak.next() }); err != nil {
		t.Error(err)
	}
}

func stopped(t *testing.T, c news.Carrier) {
	oak := &log{topic: news.Table("oak")}
	var readers []news.Reader
	for range 10 {
		r := c.Subscribe(4)
		watch(t, r, oak.topic, oak.next)
		readers = append(readers, r)
	}
	oak.grow(c, 1)
	for _, r := range readers {
		hear(t, r, oak.topic, 0)
	}
	c.Close()
	c.Close()
	oak.grow(c, 3)
	for _, r := range append(readers, c.Subscribe(1)) {
		if left, why := end(r); len(left) > 0 || !errors.Is(why, news.ErrStopped) {
			t.Errorf("it has %d items and is told %v", len(left), why)
		}
		if _, err := r.Watch(news.Table("elm"), at(0)); !errors.Is(err, news.ErrStopped) {
			t.Errorf("after the end it watches: %v", err)
		}
	}
}

func thousands(t *testing.T, c news.Carrier) {
	const readers = 5000
	all := news.Table("final")
	list := make([]news.Reader, readers)
	for i := range list {
		list[i] = c.Subscribe(4)
		watch(t, list[i], news.Account(fmt.Sprint(i)), nil)
		watch(t, list[i], all, at(0))
	}
	c.Publish(item(all, 0))
	for i := range list {
		c.Publish(item(news.Account(fmt.Sprint(i)), news.Unnumbered))
	}
	c.Publish(item(all, 1))
	for i, r := range list {
		for range 3 {
			if got, _ := take(r); got.Topic != all && got.Topic != news.Account(fmt.Sprint(i)) {
				t.Fatalf("reader %d hears of %v", i, got.Topic)
			}
		}
		r.Close()
	}
}

// everything has readers come, watch, ignore, be cut off and go, while tables
// grow and at last the carrier stops.
func everything(t *testing.T, c news.Carrier) {
	const tables, readers = 8, 24
	logs := make([]*log, tables)
	for i := range logs {
		logs[i] = &log{topic: news.Table(fmt.Sprint(i))}
	}
	var growing, reading sync.WaitGroup
	for _, l := range logs {
		growing.Go(func() { l.grow(c, 1500) })
	}
	for i := range readers {
		reading.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			for {
				r := c.Subscribe(1 + rng.IntN(64))
				why := wander(t, r, logs, rng)
				r.Close()
				if errors.Is(why, news.ErrStopped) || t.Failed() {
					return
				}
			}
		})
	}
	growing.Wait()
	c.Close()
	reading.Wait()
}

// wander watches and ignores at random until the reader is closed. What it hears
// of a topic is complete from the last time it was begun.
func wander(t *testing.T, r news.Reader, logs []*log, rng *rand.Rand) error {
	next := map[news.Topic]int{}
	for range 200 {
		l := logs[rng.IntN(len(logs))]
		if rng.IntN(3) == 0 {
			r.Ignore(l.topic)
			// What is on its way may still arrive, so nothing is expected of this
			// topic.
			delete(next, l.topic)
			continue
		}
		if _, watched := next[l.topic]; !watched {
			from, err := r.Watch(l.topic, l.next)
			if err != nil {
				return err
			}
			next[l.topic] = from
		}
		i, ok := r.Take()
		if !ok && r.Err() != nil {
			if i, ok = r.Take(); !ok {
				return r.Err()
			}
		}
		if ok {
			want, watched := next[i.Topic]
			switch {
			case !watched || i.Number < want: // from before the topic began anew
			case i.Number > want:
				t.Errorf("of %v %d was to come, and %d has", i.Topic, want, i.Number)
			default:
				next[i.Topic]++
			}
		}
	}
	r.Close()
	return r.Err()
}
