//go:build unix

package gametest

import (
	"syscall"
	"time"
)

// cpuTime is the time that this process has kept cores busy.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // it fails only for a wrong argument
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
