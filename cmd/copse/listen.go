package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// listen listens on the socket that systemd has opened for us, or where the flag says,
// and tells where that is. The error says what to do where it cannot.
func (c serveCommand) listen() (on net.Listener, where string, err error) {
	asked := c.Addr
	if on, err = handed(); on == nil && err == nil {
		on, err = c.listenWhere()
	} else if on != nil {
		asked = on.Addr().String()
	}
	switch {
	case err != nil:
		return nil, "", err
	case on.Addr().Network() == "unix":
		return on, "unix:" + on.Addr().String(), nil
	}
	return on, address(asked, on.Addr()), nil
}

// listenWhere listens where the flag says.
func (c serveCommand) listenWhere() (net.Listener, error) {
	if path, found := strings.CutPrefix(c.Addr, "unix:"); found {
		mode, err := strconv.ParseUint(c.SocketMode, 8, 32)
		if err != nil || mode > 0o777 {
			return nil, misused("%q is no mode: give --socket-mode three digits from 0 to 7, such as 0660", c.SocketMode)
		}
		if !filepath.IsAbs(path) {
			return nil, misused("%q is no path of a socket: give --addr the whole of it, such as unix:/run/copse/copse.sock", path)
		}
		return listenUnix(path, os.FileMode(mode))
	}
	return listenTCP(c.Addr)
}

// handed is the socket that systemd has opened for this process, as sd_listen_fds(3)
// says; nil where there is none. Processes that this one starts get none.
func handed() (net.Listener, error) {
	pid, many := os.Getenv("LISTEN_PID"), os.Getenv("LISTEN_FDS")
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} {
		if err := os.Unsetenv(name); err != nil {
			return nil, err
		}
	}
	switch {
	case pid != strconv.Itoa(os.Getpid()) || many == "" || many == "0":
		return nil, nil
	case many != "1":
		return nil, misused("systemd hands over %s sockets, and Copse listens on one: leave one ListenStream= in its socket unit", many)
	}
	const first = 3 // behind standard input, output and error
	file := os.NewFile(first, "the socket of systemd")
	on, err := net.FileListener(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("what systemd hands over is no socket to listen on: %w", err)
	}
	return on, nil
}

// listenTCP listens on an address.
func listenTCP(addr string) (net.Listener, error) {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, misused("%q is no address: give --addr a host and a port, such as localhost:8080, or :8080 for everyone who can reach this machine", addr)
	}
	on, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, takenOnWindows):
		return nil, fmt.Errorf("port %s is taken: stop what listens there or choose another with --addr", port)
	case err != nil:
		return nil, fmt.Errorf("cannot listen: %w; choose another address with --addr", err)
	}
	return on, nil
}

// forHere tells whether only this machine can reach an address.
func forHere(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// takenOnWindows is WSAEADDRINUSE, which Go does not take for EADDRINUSE.
const takenOnWindows = syscall.Errno(10048)

// address is what to type into a browser: the host that was asked for, or this
// machine where that was every address; and the port that the server got.
func address(asked string, got net.Addr) string {
	host, _, _ := net.SplitHostPort(asked) // it was listened on, so it is well formed
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(got.String())
	return "http://" + net.JoinHostPort(host, port)
}
