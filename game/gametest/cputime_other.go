//go:build !unix

package gametest

import "time"

var begun = time.Now()

// cpuTime is wall time, where the system does not say how long it kept cores busy.
func cpuTime() time.Duration { return time.Since(begun) }
