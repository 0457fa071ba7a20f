package nats

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if a goroutine is left when all tests are done.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
