package main

import (
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"
)

// manager is what has started this process as a service, and is told how it does:
// systemd, as sd_notify(3) says. Where none has, everything it is told is lost.
type manager struct {
	log  *slog.Logger
	conn *net.UnixConn // nil for none
	beat time.Duration // how often it wants a sign of life; 0 for never

	stop chan struct{}
}

// newManager finds the manager by the environment.
func newManager(log *slog.Logger) *manager {
	m := &manager{log: log, stop: make(chan struct{})}
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return m
	}
	// A name that begins with @ is one of no file.
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		log.Warn("what has started this server is not told how it does", "err", err)
		return m
	}
	m.conn = conn
	span, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	if pid := os.Getenv("WATCHDOG_PID"); err == nil && span > 0 && (pid == "" || pid == strconv.Itoa(os.Getpid())) {
		m.beat = time.Duration(span) * time.Microsecond / 2
	}
	return m
}

// sayTime is how long a manager is waited for that does not read what it is told: a
// server starts and stops all the same.
const sayTime = time.Second

// say tells the manager something.
func (m *manager) say(what string) {
	if m.conn == nil {
		return
	}
	err := m.conn.SetWriteDeadline(time.Now().Add(sayTime))
	if err == nil {
		_, err = m.conn.Write([]byte(what))
	}
	if err != nil {
		m.log.Warn("what has started this server is not told how it does", "err", err)
	}
}

// ready tells that requests are answered from now on, and from then on gives a sign
// of life as often as it is wanted: each time when alive has returned.
func (m *manager) ready(alive func()) {
	m.say("READY=1")
	if m.beat <= 0 {
		return
	}
	go func() {
		beats := time.NewTicker(m.beat)
		defer beats.Stop()
		for {
			select {
			case <-m.stop:
				return
			case <-beats.C:
				alive()
				m.say("WATCHDOG=1")
			}
		}
	}()
}

// close ends the signs of life. It waits for none: one that is stuck is why the process
// has to go.
func (m *manager) close() { close(m.stop) }
