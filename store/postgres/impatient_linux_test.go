package postgres

import (
	"net"
	"syscall"
	"testing"
)

// TestALineThatIsGoneIsGivenUp: TCP gives up a connection on which nothing is
// acknowledged for ten seconds.
func TestALineThatIsGoneIsGivenUp(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // the test is over
	c, err := (&net.Dialer{Control: impatient}).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // the test is over
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) {
		if ms, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout); err != nil || ms != 10_000 {
			t.Errorf("it is given up after %d ms, %v", ms, err)
		}
	}); err != nil {
		t.Fatal(err)
	}
}
