package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"copse/store"
)

// TestClosingWhileManyWrite: whoever comes while a node is closed is written or
// refused, at whatever moment. A row of nodes is closed, each while many append.
func TestClosingWhileManyWrite(t *testing.T) {
	t.Parallel()
	url := database(t)
	for round := range 15 {
		s, err := Open(context.Background(), url, Options{Key: houseKey})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		begun := make(chan struct{}, 16)
		for i := range 16 {
			wg.Go(func() {
				for n := 0; ; n++ {
					err := appended(s, fmt.Sprintf("oak-%d-%d-%d", round, i, n), 0)
					if n == 0 {
						begun <- struct{}{}
					}
					if errors.Is(err, store.ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for range 16 - round%16 {
			<-begun
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
	}
}

// TestTheDatabaseHasATime that does not go back between two questions.
func TestTheDatabaseHasATime(t *testing.T) {
	t.Parallel()
	s := node(t, database(t), Options{})
	var last time.Time
	for range 3 {
		now, err := s.Time(t.Context())
		if err != nil || now.Before(last) || now.IsZero() {
			t.Errorf("after %v it is %v, %v", last, now, err)
		}
		last = now
	}
}
