//go:build planted

package main

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"copse/server/hall"
	"copse/store"
	"copse/store/postgres"
)

// This file is in the binary that package cluster builds for its tests, and in no
// other. It sets a node's clock wrong, and makes one of the mistakes that the checks
// of that package must catch.

// planted makes the mistake that COPSE_PLANTED names.
func planted(s *postgres.Store, address string) store.Store {
	switch os.Getenv("COPSE_PLANTED") {
	case "memory":
		return &forgetful{Store: s, heads: map[string]store.Head{}}
	case "lease":
		return &unfenced{s}
	case "cancel":
		return &impatient{s, address}
	}
	return s
}

// plantedClock has the wall clock of a node be wrong by as many milliseconds as the
// file says that COPSE_PLANTED_CLOCK names.
func plantedClock(o hall.Options) hall.Options {
	file, begun := os.Getenv("COPSE_PLANTED_CLOCK"), time.Now()
	if file == "" {
		return o
	}
	o.Now = func() time.Time {
		raw, _ := os.ReadFile(file)
		wrong, _ := strconv.Atoi(strings.TrimSpace(string(raw)))
		return time.Now().Round(0).Add(time.Duration(wrong) * time.Millisecond)
	}
	o.Mono = func() time.Duration { return time.Since(begun) }
	return o
}

// forgetful looks from memory: how far a log goes it knows from when it last read or
// wrote there itself.
type forgetful struct {
	*postgres.Store
	mu    sync.Mutex
	heads map[string]store.Head
}

func (f *forgetful) note(table string, next int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.heads[table]
	h.Next = max(h.Next, next)
	f.heads[table] = h
}

func (f *forgetful) Table(ctx context.Context, table string) (store.Listing, error) {
	l, err := f.Store.Table(ctx, table)
	if err == nil {
		f.note(table, l.Next)
	}
	return l, err
}

func (f *forgetful) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	r, err := f.Store.Append(ctx, a)
	if err == nil && !r.Repeated {
		f.note(a.Table, r.Next)
	}
	return r, err
}

func (f *forgetful) Heads(ctx context.Context, tables []string) (map[string]store.Head, error) {
	heads, err := f.Store.Heads(ctx, tables)
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, h := range heads {
		if known, ok := f.heads[id]; ok {
			h.Next = known.Next
			heads[id] = h
		}
	}
	return heads, err
}

// unfenced believes that each table is its own, as the holder of a lease does who was
// held up: what it has decided it writes wherever the log goes on.
type unfenced struct{ *postgres.Store }

func (u *unfenced) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	for {
		r, err := u.Store.Append(ctx, a)
		var conflict *store.Conflict
		if !errors.As(err, &conflict) || len(a.Entries) == 0 {
			return r, err
		}
		a.Next = conflict.Next
	}
}

// impatient gives an append a deadline, after which it is cancelled as pgx would: it
// and all others that wait, but nobody who only connects, as the one who checks does.
type impatient struct {
	*postgres.Store
	address string
}

func (i *impatient) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	late := time.AfterFunc(300*time.Millisecond, func() {
		ctx, done := context.WithTimeout(context.Background(), 5*time.Second)
		defer done()
		conn, err := pgx.Connect(ctx, i.address)
		if err != nil {
			return
		}
		_, _ = conn.Exec(ctx, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'copse' AND query NOT LIKE '%pg_logical_emit_message%'")
		_ = conn.Close(ctx)
	})
	defer late.Stop()
	return i.Store.Append(ctx, a)
}
