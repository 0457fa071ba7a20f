//go:build !linux && !darwin && !freebsd

package sqlite

// freeSpace is not known here: the disk says when it is full.
func freeSpace(string) int64 { return -1 }
