package hall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"copse/store"
)

// said is what a hall has told its operator.
type said struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(b)
}

// lines are those with a text since they were last asked for.
func (s *said) lines(text string) (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(s.buf.String()) {
		if strings.Contains(line, text) {
			list = append(list, line)
		}
	}
	s.buf.Reset()
	return list
}

// told has a hall tell what goes wrong.
func (h *testHall) told() *said {
	s := &said{}
	h.log = slog.New(slog.NewTextHandler(s, nil))
	return s
}

// jobless is a store that hands out no jobs, and does not say which tables are due.
type jobless struct {
	store.Store
	err error
}

func (j *jobless) Claim(ctx context.Context, kind string, now, until time.Time, most int) ([]store.Job, error) {
	if j.err != nil {
		return nil, j.err
	}
	return j.Store.Claim(ctx, kind, now, until, most)
}

func (j *jobless) Due(ctx context.Context, by time.Time, most int) ([]store.Listing, error) {
	if j.err != nil {
		return nil, j.err
	}
	return j.Store.Due(ctx, by, most)
}

// TestTroubleIsToldOnce: a disk that stays full is told of at once, then ever more
// rarely, and when it is over; and the next time at once again.
func TestTroubleIsToldOnce(t *testing.T) {
	h := newTestHall(t)
	log := h.told()
	full := fmt.Errorf("%w: %w", store.ErrUnwritten, store.ErrFull)
	broken := &jobless{Store: h.db}
	h.store = broken
	tend := func(d time.Duration) {
		for range d / tendEvery {
			h.Tend(t.Context())
			h.away(tendEvery)
		}
	}
	for _, what := range []string{"no jobs can be had", "nobody knows which tables are due"} {
		for range 2 {
			broken.err = full
			tend(tendEvery)
			if list := log.lines(what); len(list) != 1 || !strings.Contains(list[0], "times=1") {
				t.Errorf("%s: at once it is told %q", what, list)
			}
			tend(59 * time.Second)
			if list := log.lines(what); len(list) != 0 {
				t.Errorf("%s: in the first minute it is told again: %q", what, list)
			}
			tend(3 * time.Hour)
			// After 1, 3, 7, 15, 31 and 63 minutes, and then every hour.
			list := log.lines(what)
			if len(list) != 7 || !strings.Contains(list[0], "times=60") || !strings.Contains(list[6], "times=3600") {
				t.Errorf("%s: in three hours it is told %d times: %q", what, len(list), list)
			}
			broken.err = nil
			tend(5 * time.Second)
			if list := log.lines(what); len(list) != 1 || !strings.Contains(list[0], "it is over") {
				t.Errorf("%s: when it is over it is told %q", what, list)
			}
		}
	}
}

// TestTroubleOfEachTableIsTold, but for that of a store that writes nothing at all;
// and what has not gone wrong for long is told at once.
func TestTroubleOfEachTableIsTold(t *testing.T) {
	h := newTestHall(t)
	log := h.told()
	const what = "a table cannot be looked at"
	tell := func(err error) int {
		for range 3 {
			for _, id := range []string{"oak", "elm"} {
				h.trouble(t.Context(), what, err, "table", id)
			}
		}
		return len(log.lines(what))
	}
	if n := tell(errors.New("its log is damaged")); n != 2 {
		t.Errorf("of two damaged tables it is told %d times", n)
	}
	if n := tell(store.ErrUnwritten); n != 1 {
		t.Errorf("of a full disk it is told %d times", n)
	}
	h.away(time.Minute)
	if n := tell(store.ErrUnwritten); n != 1 {
		t.Errorf("a minute later it is told %d times", n)
	}
	h.away(2*time.Minute + 1)
	h.trouble(t.Context(), what, store.ErrUnwritten)
	if list := log.lines(what); len(list) != 1 || !strings.Contains(list[0], "times=1") {
		t.Errorf("after a long time without it is told %q", list)
	}
	for n := range 3 * mostTroubles {
		h.trouble(t.Context(), what, errors.New("damaged"), "table", n)
	}
	if n := len(h.troubles.known); n > mostTroubles {
		t.Errorf("%d are remembered", n)
	}
}

// TestAHouseThatCannotBeatSaysSoOnce, and when it can again.
func TestAHouseThatCannotBeatSaysSoOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTestHall(t)
		log := h.told()
		broken := &full{Store: h.db}
		broken.fall(store.ErrUnwritten)
		h.store = broken
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { h.beats(ctx) })
		time.Sleep(10 * beatEvery)
		synctest.Wait()
		if list := log.lines("at work"); len(list) != 1 || !strings.Contains(list[0], "level=ERROR") {
			t.Errorf("it says %q", list)
		}
		broken.fall(nil)
		time.Sleep(3 * beatEvery)
		synctest.Wait()
		if list := log.lines("at work"); len(list) != 1 || !strings.Contains(list[0], "it is over") {
			t.Errorf("then it says %q", list)
		}
		stop()
		running.Wait()
		h.Stop()
	})
}
