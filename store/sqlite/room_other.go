//go:build !linux && !darwin && !freebsd

package sqlite

// freeRoom is not known here: the disk says when it is full.
func freeRoom(string) int64 { return -1 }
