package postgres

import (
	"strings"
	"syscall"
)

// tcpUserTimeout is TCP_USER_TIMEOUT.
const tcpUserTimeout = 0x12

// impatient has a connection end when what was sent is not acknowledged for some
// seconds. Without it a writer would wait for a quarter of an hour for a database
// that cannot be reached any more; a deadline in its place would cancel a commit that
// only takes long.
func impatient(network, _ string, c syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	var refused error
	if err := c.Control(func(fd uintptr) {
		refused = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(deadLine.Milliseconds()))
	}); err != nil {
		return err
	}
	return refused
}
