package server

import (
	"net/http"
	"sync"
	"testing"
	"time"
)

// TestCountingAnAnswerCostsNothing: no memory, once the status was seen; it is done
// with every move.
func TestCountingAnAnswerCostsNothing(t *testing.T) {
	op := NewFigures().operation("play", true)
	op.count(http.StatusOK, time.Millisecond)
	op.count(http.StatusBadRequest, time.Millisecond)
	if n := testing.AllocsPerRun(100, func() { op.count(http.StatusOK, time.Millisecond) }); n != 0 {
		t.Errorf("it takes %v pieces of memory", n)
	}
	if n := testing.AllocsPerRun(100, func() { op.count(http.StatusBadRequest, time.Millisecond) }); n != 0 {
		t.Errorf("another status takes %v pieces of memory", n)
	}
}

// TestEveryStatusIsKeptOnce: whoever meets one first, from however many sides.
func TestEveryStatusIsKeptOnce(t *testing.T) {
	op := NewFigures().operation("play", false)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for status := 200; status < 230; status++ {
				op.count(status, time.Millisecond)
			}
		})
	}
	all.Wait()
	if seen := *op.seen.Load(); len(seen) != 30 {
		t.Errorf("of 30 statuses %d are kept", len(seen))
	}
	if op.find(200).took != nil {
		t.Error("a stream is timed")
	}
}

func BenchmarkCount(b *testing.B) {
	op := NewFigures().operation("play", true)
	for b.Loop() {
		op.count(http.StatusOK, time.Millisecond)
	}
}
