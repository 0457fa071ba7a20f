package server_test

import (
	"errors"
	"testing"

	"go.uber.org/goleak"

	"copse/store/sqlite/disktest"
)

// TestMain fails if a goroutine is left when all tests are done. What a sync
// promises is tested in store/sqlite; here nobody waits for one.
func TestMain(m *testing.M) {
	if err := errors.Join(disktest.Unsynced(), disktest.Wide()); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
