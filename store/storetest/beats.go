package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"copse/store"
)

// gap is how long the house of the tests may be silent.
const gap = 15 * time.Second

// outages compares the outages that are kept, in seconds since day.
func (h *trial) outages(after time.Time, want string) {
	h.Helper()
	list, err := h.Outages(h.ctx, after)
	h.good(err)
	got := ""
	for _, o := range list {
		got += fmt.Sprintf("%g-%g ", o.From.Sub(day).Seconds(), o.Until.Sub(day).Seconds())
	}
	if got != want {
		h.Errorf("the outages are %q, want %q", got, want)
	}
}

func (h *trial) beat(seconds float64, want float64) {
	h.Helper()
	last, err := h.Beat(h.ctx, day.Add(time.Duration(seconds*float64(time.Second))), gap)
	h.good(err)
	if got := last.Sub(day).Seconds(); got != want {
		h.Errorf("a beat at %g is answered by %g, want %g", seconds, got, want)
	}
}

// away compares how long the house was away in all, in seconds.
func (h *trial) away(want float64) {
	h.Helper()
	if away, err := h.Away(h.ctx); err != nil || away.Seconds() != want {
		h.Errorf("it was away for %g s, want %g: %v", away.Seconds(), want, err)
	}
}

// timeAway: what is away in all is the sum of the outages, though they go, and of
// what was before the first beat.
func timeAway(t *testing.T, h *trial) {
	h.away(0)
	h.account("anna") // who was never seen
	h.good(h.AddAccount(h.ctx, store.Account{ID: "ben", Born: day, Seen: day.Add(-gap)}))
	h.beat(0, 0)
	h.beat(15, 15)
	h.away(0)
	h.beat(30.001, 30.001)
	h.away(15.001)
	h.beat(20, 30.001) // of another node that is behind
	h.away(15.001)
	for n := range 4 { // which no table needs
		h.beat(float64(100*(n+1)), float64(100*(n+1)))
	}
	h.outages(after(3), "300-400 ")
	h.away(15.001 + 400 - 30.001)
	h.leave()
	h.enter()
	h.away(15.001 + 400 - 30.001)
	checkedWhole(t, h)
}

// awayBeforeTheFirstBeat: a store from before there were beats, or whose server never
// gave one.
func awayBeforeTheFirstBeat(t *testing.T, h *trial) {
	h.good(h.AddAccount(h.ctx, store.Account{ID: "anna", Born: day, Seen: after(1)}))
	h.found("oak", 1, store.Row{Game: "bosk"})
	h.beat(3600, 3600)
	h.away(3540)
	h.beat(3605, 3605)
	h.away(3540)
	h.outages(time.Time{}, "") // no table is told
	checkedWhole(t, h)
}

func beats(t *testing.T, h *trial) {
	if last, err := h.LastBeat(h.ctx); err != nil || !last.IsZero() {
		t.Errorf("before the first beat the last is %v, %v", last, err)
	}
	h.outages(time.Time{}, "")
	h.beat(0, 0)
	h.beat(5, 5)
	h.beat(20, 20) // just in time
	h.beat(12, 20) // a beat of another node whose clock is behind
	h.outages(time.Time{}, "")
	h.beat(35.001, 35.001)
	h.beat(35.001, 35.001) // the same beat twice is one
	h.beat(21, 35.001)
	h.found("oak", 1, store.Row{Game: "bosk", Wake: after(5)}) // changed at 0: it may need all outages since
	h.beat(100, 100)
	h.beat(105, 105)
	for range 2 {
		h.outages(time.Time{}, "20-35.001 35.001-100 ")
		h.outages(day.Add(35*time.Second), "20-35.001 35.001-100 ")
		h.outages(day.Add(35_001*time.Millisecond), "35.001-100 ")
		h.outages(day.Add(100*time.Second), "")
		if last, err := h.LastBeat(h.ctx); err != nil || !last.Equal(day.Add(105*time.Second)) {
			t.Errorf("the last beat is %v, %v", last, err)
		}
		h.leave()
		h.enter()
	}
	checkedWhole(t, h)
}

// manyBeats: of many nodes that come back at the same time, one finds the outage.
func manyBeats(t *testing.T, h *trial) {
	h.found("oak", 1, store.Row{Game: "bosk", Wake: after(5)})
	h.beat(0, 0)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			if _, err := h.Beat(h.ctx, day.Add(time.Duration(60+n)*time.Second), gap); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	list, err := h.Outages(h.ctx, time.Time{})
	h.good(err)
	if len(list) != 1 || !list[0].From.Equal(day) || list[0].Until.Before(after(1)) {
		t.Errorf("the outages are %v", list)
	}
	if last, err := h.LastBeat(h.ctx); err != nil || !last.Equal(day.Add(67*time.Second)) {
		t.Errorf("the last beat is %v, %v", last, err)
	}
}

func outagesAreBounded(t *testing.T, h *trial) {
	h.found("oak", 1, store.Row{Game: "bosk", Wake: after(5)})
	for n := range store.MostOutages + 4 {
		h.beat(float64(n*20), float64(n*20))
	}
	list, err := h.Outages(h.ctx, time.Time{})
	h.good(err)
	if len(list) != store.MostOutages {
		t.Fatalf("%d are kept", len(list))
	}
	for i, o := range list { // no moment of the outages is lost
		from := 0
		if i > 0 {
			from = (i + 3) * 20
		}
		if o.From != day.Add(time.Duration(from)*time.Second) || o.Until != day.Add(time.Duration((i+4)*20)*time.Second) {
			t.Fatalf("outage %d is from %v to %v", i, o.From.Sub(day), o.Until.Sub(day))
		}
	}
	// An outage that no table can need any more goes, and one that a table can need
	// stays.
	_, err = h.Append(h.ctx, store.Append{Table: "oak", Next: 1, At: day.Add(20 * (store.MostOutages + 2) * time.Second), Entries: [][]byte{body("oak", 1)}})
	h.good(err)
	h.found("elm", 1, store.Row{Game: "bosk", Over: true}) // changed at 0, and over
	end := float64(20 * (store.MostOutages + 3))
	h.beat(end+20, end+20)
	h.outages(time.Time{}, fmt.Sprintf("%g-%g %g-%g ", end-20, end, end, end+20))
	checkedWhole(t, h)
}
