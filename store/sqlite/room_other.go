//go:build !linux && !darwin && !freebsd

package sqlite

// freeRoom is not known here: what the disk refuses is met then.
func freeRoom(string) int64 { return -1 }
