package hall_test

import (
	"errors"
	"testing"

	"go.uber.org/goleak"

	"copse/store/postgres/pgtest"
	"copse/store/sqlite/disktest"
)

// TestMain fails if a goroutine is left when all tests are done. Here nothing is
// synced: store/sqlite tests what a sync promises.
func TestMain(m *testing.M) {
	if err := errors.Join(disktest.Unsynced(), disktest.Wide()); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(withDatabase{m})
}

// withDatabase runs the tests, and stops the PostgreSQL that they have started.
type withDatabase struct{ m *testing.M }

func (w withDatabase) Run() int { return pgtest.Main(w.m) }
