//go:build linux || darwin

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// windowOf asks a terminal for its columns and rows. Both are 0 where a file is no
// terminal.
func windowOf(f *os.File) (columns, rows int) {
	var size struct{ rows, columns, width, height uint16 }
	_, _, failed := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if failed != 0 {
		return 0, 0
	}
	return int(size.columns), int(size.rows)
}
