package news_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"copse/news"
	"copse/news/newstest"
)

// TestHub holds the hub to every promise.
func TestHub(t *testing.T) {
	newstest.Run(t, func(*testing.T) news.Carrier { return planted(news.NewHub()) })
}

// TestNobodyWaitsAndNothingIsLeft runs in a bubble: there a publisher that waited
// for a reader, or a goroutine left behind, is a deadlock.
func TestNobodyWaitsAndNothingIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := news.NewHub()
		before := runtime.NumGoroutine()
		oak := news.Table("oak")
		readers := []news.Reader{}
		for range 50 {
			r := hub.Subscribe(3)
			if _, err := r.Watch(oak, func() (int, error) { return 0, nil }); err != nil {
				t.Fatal(err)
			}
			readers = append(readers, r)
		}
		for n := range 100 {
			hub.Publish(news.Item{Topic: oak, Number: n}) // nobody reads
		}
		if after := runtime.NumGoroutine(); after > before {
			t.Errorf("there are %d goroutines more", after-before)
		}
		heard := 0
		for _, r := range readers {
			for _, ok := r.Take(); ok; _, ok = r.Take() {
				heard++
			}
		}
		if heard != 150 {
			t.Errorf("of 50 slow readers each was to have 3 items, all have %d", heard)
		}
	})
}

// TestAReaderWaitsForWhatIsYetToCome: a reader that waits is woken by an item, and
// by nothing else.
func TestAReaderWaitsForWhatIsYetToCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := news.NewHub()
		r := hub.Subscribe(1)
		if _, err := r.Watch(news.Table("oak"), func() (int, error) { return 7, nil }); err != nil {
			t.Fatal(err)
		}
		var got []int
		var wg sync.WaitGroup
		wg.Go(func() {
			for r.Err() == nil {
				<-r.Ready()
				for i, ok := r.Take(); ok; i, ok = r.Take() {
					got = append(got, i.Number)
				}
			}
		})
		for n := range 9 {
			hub.Publish(news.Item{Topic: news.Table("oak"), Number: n})
			hub.Publish(news.Item{Topic: news.Table("elm"), Number: n})
			synctest.Wait()
			if want := max(0, n-6); len(got) != want {
				t.Errorf("after %d it has heard %v", n, got)
			}
		}
		hub.Close()
		wg.Wait()
	})
}

// TestPublishingToNobodyCostsNothing: it allocates nothing and keeps nothing.
func TestPublishingToNobodyCostsNothing(t *testing.T) {
	hub := news.NewHub()
	item := news.Item{Topic: news.Table("oak"), Body: []byte("a leaf")}
	if n := testing.AllocsPerRun(1000, func() {
		item.Number++
		hub.Publish(item)
	}); n != 0 {
		t.Errorf("it takes %v allocations", n)
	}
}

// TestWhatIsFreedIsFree: readers that were closed, cut off or ignored everything
// leave nothing behind.
func TestWhatIsFreedIsFree(t *testing.T) {
	hub := news.NewHub()
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	use := func() {
		for i := range 3000 {
			r := hub.Subscribe(16)
			topic := news.Table(fmt.Sprint(i))
			if _, err := r.Watch(topic, func() (int, error) { return 0, nil }); err != nil {
				t.Fatal(err)
			}
			switch i % 3 {
			case 0:
				r.Close()
			case 1:
				for n := range 20 {
					hub.Publish(news.Item{Topic: topic, Number: n})
				}
			case 2:
				r.Ignore(topic)
				r.Close()
			}
		}
	}
	use()
	before := heap()
	for range 5 {
		use()
	}
	if after := heap(); after > before+1<<20 {
		t.Errorf("15,000 readers have left %d bytes behind", after-before)
	}
	runtime.KeepAlive(hub)
}

// listeners makes readers that take what comes, and calm, which takes what they
// have not taken yet, so that none is cut off.
func listeners(b *testing.B, hub *news.Hub, many int, topic func(reader int) news.Topic) (calm func()) {
	b.Helper()
	list := make([]news.Reader, many)
	for i := range list {
		list[i] = hub.Subscribe(1 << 8)
		if _, err := list[i].Watch(topic(i), nil); err != nil {
			b.Fatal(err)
		}
		go func() {
			for list[i].Err() == nil {
				<-list[i].Ready()
				for ok := true; ok; _, ok = list[i].Take() {
				}
			}
		}()
	}
	return func() {
		for _, r := range list {
			for ok := true; ok; _, ok = r.Take() {
			}
			if r.Err() != nil {
				b.Fatal(r.Err())
			}
		}
	}
}

func BenchmarkPublish(b *testing.B) {
	for _, readers := range []int{0, 2, 100} {
		b.Run(fmt.Sprintf("readers=%d", readers), func(b *testing.B) {
			hub := news.NewHub()
			defer hub.Close()
			oak := news.Table("oak")
			calm := listeners(b, hub, readers, func(int) news.Topic { return oak })
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				hub.Publish(news.Item{Topic: oak, Number: news.Unnumbered})
				if n%128 == 0 {
					calm()
				}
			}
		})
	}
}

// BenchmarkTables publishes at a thousand tables with two readers each.
func BenchmarkTables(b *testing.B) {
	hub := news.NewHub()
	defer hub.Close()
	topics := make([]news.Topic, 1000)
	for i := range topics {
		topics[i] = news.Table(fmt.Sprint(i))
	}
	calm := listeners(b, hub, 2*len(topics), func(reader int) news.Topic { return topics[reader/2] })
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		hub.Publish(news.Item{Topic: topics[n%len(topics)], Number: news.Unnumbered})
		if n%100_000 == 0 {
			calm()
		}
	}
}

// BenchmarkReader measures what a reader costs that watches one table.
func BenchmarkReader(b *testing.B) {
	hub := news.NewHub()
	b.ReportAllocs()
	for b.Loop() {
		r := hub.Subscribe(32)
		if _, err := r.Watch(news.Table("oak"), nil); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

// TestAStateKeepsItsPlace: within one process a state arrives behind all that was
// published before it.
func TestAStateKeepsItsPlace(t *testing.T) {
	hub := news.NewHub()
	defer hub.Close()
	oak := news.Table("oak")
	r := hub.Subscribe(10)
	if _, err := r.Watch(oak, func() (int, error) { return 0, nil }); err != nil {
		t.Fatal(err)
	}
	for _, item := range []news.Item{
		{State: "who", Number: news.Unnumbered}, {Number: 0}, {State: "present", Number: news.Unnumbered},
		{State: "who", Number: news.Unnumbered}, {Number: 1}, {State: "present", Number: news.Unnumbered}, {Number: 2},
	} {
		item.Topic = oak
		hub.Publish(item)
	}
	got := ""
	for item, ok := r.Take(); ok; item, ok = r.Take() {
		got += fmt.Sprint(item.State, item.Number, " ")
	}
	if want := "0 who-1 1 present-1 2 "; got != want {
		t.Errorf("they arrive as %q, want %q", got, want)
	}
}

// TestWhoHasMissedSomethingIsCutOff, and nobody else is.
func TestWhoHasMissedSomethingIsCutOff(t *testing.T) {
	oak, elm, anna := news.Table("oak"), news.Table("elm"), news.Account("oak")
	at := func(n int) func() (int, error) { return func() (int, error) { return n, nil } }
	for what, c := range map[string]struct {
		happens func(*news.Hub)
		cut     string
	}{
		"nothing is missed":      {func(h *news.Hub) { h.Missed(oak, 3) }, ""},
		"an entry is missed":     {func(h *news.Hub) { h.Missed(oak, 4) }, "at 3 "},
		"two are":                {func(h *news.Hub) { h.Missed(oak, 5) }, "at 3 at 4 "},
		"of a table in doubt":    {func(h *news.Hub) { h.Doubt(oak) }, "at 3 at 4 beside "},
		"of an account in doubt": {func(h *news.Hub) { h.Doubt(anna) }, "anna "},
		"everything is lost":     {func(h *news.Hub) { h.Lost() }, "at 3 at 4 beside anna elm "},
	} {
		hub := news.NewHub()
		readers := []news.Reader{}
		names := []string{"at 3", "at 4", "beside", "anna", "elm"}
		for i, watch := range []struct {
			topic news.Topic
			next  func() (int, error)
		}{{oak, at(3)}, {oak, at(4)}, {oak, nil}, {anna, nil}, {elm, at(0)}} {
			readers = append(readers, hub.Subscribe(2))
			if _, err := readers[i].Watch(watch.topic, watch.next); err != nil {
				t.Fatal(err)
			}
		}
		c.happens(hub)
		got := ""
		for i, r := range readers {
			if errors.Is(r.Err(), news.ErrGap) {
				got += names[i] + " "
			}
		}
		if got != c.cut {
			t.Errorf("%s: %q are cut off, want %q", what, got, c.cut)
		}
		hub.Close()
	}
}

// TestWhoIsAskingHasMissedNothing: they read the log at this moment.
func TestWhoIsAskingHasMissedNothing(t *testing.T) {
	hub := news.NewHub()
	defer hub.Close()
	oak := news.Table("oak")
	r := hub.Subscribe(2)
	if _, err := r.Watch(oak, func() (int, error) {
		if hub.Missed(oak, 9) {
			t.Error("somebody is cut off")
		}
		return 9, nil
	}); err != nil {
		t.Error(err)
	}
}

// TestTheTablesThatAreWatched are listed, each once.
func TestTheTablesThatAreWatched(t *testing.T) {
	hub := news.NewHub()
	defer hub.Close()
	one, two := hub.Subscribe(1), hub.Subscribe(1)
	for _, r := range []news.Reader{one, two} {
		for _, topic := range []news.Topic{news.Table("oak"), news.Account("anna"), news.Table("elm")} {
			if _, err := r.Watch(topic, func() (int, error) { return 0, nil }); err != nil {
				t.Fatal(err)
			}
		}
	}
	two.Ignore(news.Table("elm"))
	one.Close()
	if got := hub.Tables(); len(got) != 1 || got[0] != "oak" {
		t.Errorf("they are %q", got)
	}
}

// TestATopicIsReadAsItIsWritten.
func TestATopicIsReadAsItIsWritten(t *testing.T) {
	for _, topic := range []news.Topic{news.Table("oak"), news.Table(""), news.Account("person.x"), news.Account("table.")} {
		if got, ok := news.ParseTopic(topic.String()); !ok || got != topic {
			t.Errorf("%v is read as %v", topic, got)
		}
	}
	for _, name := range []string{"", "table", "nothing", "tablet.x"} {
		if got, ok := news.ParseTopic(name); ok {
			t.Errorf("%q is the topic %v", name, got)
		}
	}
}
