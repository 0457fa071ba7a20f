package server_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"copse/server"
	"copse/server/hall"
	"copse/store"
)

// failed is a store whose appends end with an error; failure says whether the disk
// has failed for good.
type failed struct {
	store.Store
	append, failure error
}

func (f *failed) Append(ctx context.Context, a store.Append) (store.Receipt, error) {
	if f.append != nil {
		return store.Receipt{}, f.append
	}
	return f.Store.Append(ctx, a)
}

func (f *failed) Failure() error { return f.failure }

// TestWhatMayHaveBeenWrittenIsNotRefused: the client is told to try again, and
// nobody is sent to a server whose disk has failed.
func TestWhatMayHaveBeenWrittenIsNotRefused(t *testing.T) {
	f := &failed{}
	w := newWorld(t, func(ho *hall.Options, _ *server.Options) {
		f.Store = ho.Store
		ho.Store = f
	})
	anna := w.guest("Anna")
	broken := errors.New("input/output error")
	for _, c := range []struct {
		err error
		key string
	}{
		{fmt.Errorf("%w: %w (%w)", store.ErrUnknown, store.ErrFailed, broken), "server.unsure"},
		{fmt.Errorf("%w: %w (%w)", store.ErrUnwritten, store.ErrFailed, broken), "server.stops"},
		{fmt.Errorf("%w (%w)", store.ErrUnknown, broken), "server.unsure"},
		{fmt.Errorf("%w: %w", store.ErrUnwritten, store.ErrFull), "server.disk"},
	} {
		f.append = c.err
		anna.ask("POST", "/api/tables", `{"game":"bosk","seats":2}`).refuses(t, 503, c.key)
	}
	f.append = nil
	anna.ask("GET", "/readyz", "").is(t, 200)
	f.failure = store.ErrFailed
	anna.ask("GET", "/readyz", "").is(t, 503)
	anna.ask("GET", "/healthz", "").is(t, 200)
}
