//go:build unix

package load

import (
	"syscall"
	"time"
)

// cpuTime is how long this process has been at work, in the kernel too.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
