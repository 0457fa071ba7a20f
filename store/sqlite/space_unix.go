//go:build linux || darwin || freebsd

package sqlite

import "syscall"

// freeSpace is how many bytes a disk has left for this user, -1 where that is not
// known.
func freeSpace(folder string) int64 {
	var about syscall.Statfs_t
	if err := syscall.Statfs(folder, &about); err != nil {
		return -1
	}
	return int64(about.Bavail) * int64(about.Bsize) //nolint:unconvert // of other types elsewhere
}
