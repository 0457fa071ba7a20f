//go:build !linux

package postgres

import "syscall"

// impatient does nothing: elsewhere than on Linux a connection that is gone is
// noticed by its keep-alives.
func impatient(string, string, syscall.RawConn) error { return nil }
