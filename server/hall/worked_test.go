package hall

import (
	"syscall"
	"testing"
	"time"
)

// worked is how long this process was at work, whatever else the machine does
// meanwhile. A test that asks is not parallel: what runs beside it counts too.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
