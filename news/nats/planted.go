//go:build planted

package nats

import "os"

// This file is in the binary that package cluster builds for its tests, and in no
// other: with COPSE_PLANTED_NEXT it says what it has to say in a form that only the
// version after this one can read.
func init() {
	if os.Getenv("COPSE_PLANTED_NEXT") != "" {
		newestForm = versionRaw + 1
	}
}
