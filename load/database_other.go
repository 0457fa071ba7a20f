//go:build !linux

package load

// Database tells what a PostgreSQL on this machine uses; nil where that cannot be told.
func Database(int) Meter { return nil }
