package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// bar shows on a terminal how far a long job is. Without a terminal it shows
// nothing.
type bar struct {
	out   *os.File // nil where there is no terminal
	total int
	noun  string

	mu    sync.Mutex
	begun time.Time
	last  time.Time
	most  int
}

func newBar(out *os.File, total int, noun string) *bar {
	b := &bar{total: total, noun: noun, begun: time.Now()}
	if isTerminal(out) {
		b.out = out
	}
	return b
}

// isTerminal tells whether a file is a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// show draws the bar, at most ten times a second. Any goroutine may call it.
func (b *bar) show(done int) {
	if b.out == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if done <= b.most || now.Sub(b.last) < 100*time.Millisecond {
		return
	}
	b.last, b.most = now, done
	const width = 30
	filled := width * done / b.total
	left := time.Duration(float64(now.Sub(b.begun)) / float64(done) * float64(b.total-done)).Round(time.Second)
	_, _ = fmt.Fprintf(b.out, "\r[%s%s] %3d %%  %d of %d %s, %s left ", // a bar that cannot be drawn stops nothing
		strings.Repeat("#", filled), strings.Repeat("·", width-filled), 100*done/b.total, done, b.total, b.noun, left)
}

// clear takes the bar away.
func (b *bar) clear() {
	if b.out != nil && b.most > 0 {
		_, _ = fmt.Fprint(b.out, "\r\x1b[K")
	}
}
