//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// inFolder is a path in a folder whose name is short enough for a socket.
func inFolder(t *testing.T, name string) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "copse")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return filepath.Join(folder, name)
}

// over is a client that asks over a Unix socket, whatever the address says.
func over(t *testing.T, socket string) *http.Client {
	way := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}
	t.Cleanup(way.CloseIdleConnections)
	return &http.Client{Transport: way}
}

// asks asks for a path with headers, and gives the status, the headers and the body.
func asks(t *testing.T, c *http.Client, method, url, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Add(name, value)
	}
	got, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(got.Body)
	if err = joined(err, got.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, got.Header, string(raw)
}

// TestAUnixSocket: whoever may open it is the proxy; it is there as long as the server
// is, and what a server that was killed has left is taken away.
func TestAUnixSocket(t *testing.T) {
	t.Parallel()
	path := inFolder(t, "copse.sock")
	s := &served{t: t, addr: "unix:" + path, data: t.TempDir(), back: make(chan struct{}), args: []string{"--guests=2"}}
	s.start()
	t.Cleanup(func() { _, _ = s.cmd.Process.Kill(), s.cmd.Wait() })
	mode := func(want os.FileMode) {
		t.Helper()
		if file, err := os.Lstat(path); err != nil || file.Mode() != os.ModeSocket|want {
			t.Errorf("the socket is %v, %v", file, err)
		}
	}
	mode(0o660)
	c := over(t, path)
	for n := range 3 { // each from a network of its own
		status, header, _ := asks(t, c, "POST", "http://localhost/api/me", `{"name":"Anna"}`, fmt.Sprintf("X-Forwarded-For: 203.0.%d.1", n), "X-Forwarded-Proto: https", "X-Forwarded-Host: copse.example")
		if cookie := header.Get("Set-Cookie"); status != 201 || !strings.HasPrefix(cookie, "__Host-copse=") {
			t.Errorf("guest %d through the socket is answered %d, with the cookie %s", n, status, cookie)
		}
	}
	if status, _, _ := asks(t, c, "POST", "http://localhost/api/me", `{"name":"Anna"}`, "X-Forwarded-For: 203.0.1.1"); status != 429 {
		t.Errorf("a second guest from one address is answered %d", status)
	}
	if status, _, said := asks(t, c, "GET", "http://localhost/metrics", ""); status != 200 || !strings.Contains(said, "copse_build_info") {
		t.Errorf("figures for this machine: %d %s", status, said)
	}
	if status, _, _ := asks(t, c, "GET", "http://localhost/metrics", "", "X-Forwarded-For: 203.0.1.1"); status != 403 {
		t.Errorf("figures for others: %d", status)
	}

	// A name that the other end has given itself is none.
	named := over(t, path)
	named.Transport.(*http.Transport).DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		dialer := &net.Dialer{LocalAddr: &net.UnixAddr{Name: path + ".client", Net: "unix"}}
		return dialer.DialContext(ctx, "unix", path)
	}
	if _, header, _ := asks(t, named, "POST", "http://localhost/api/me", `{"name":"Anna"}`, "X-Forwarded-For: 203.0.113.1", "X-Forwarded-Proto: https"); !strings.Contains(header.Get("Set-Cookie"), "Secure") {
		t.Errorf("the proxy has a name, and is not believed: %v", header)
	}

	// Somebody is there: another does not take the socket away.
	if _, told, code := copse(t, "", "serve", "--addr", s.addr, "--data", t.TempDir()); code != exitFailed || !strings.Contains(told, "somebody listens on "+path+": stop what does, or choose another path with --addr") {
		t.Errorf("a second server ends with %d: %s", code, told)
	}
	if status, _, _ := asks(t, c, "GET", "http://localhost/readyz", ""); status != 200 {
		t.Errorf("and the first answers %d", status)
	}

	s.args = []string{"--socket-mode=600"}
	s.kill() // and started again, where the socket still lies
	mode(0o600)
	if status, _, _ := asks(t, c, "GET", "http://localhost/readyz", ""); status != 200 {
		t.Errorf("after a kill it answers %d", status)
	}
	s.stop()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left behind: %v", err)
	}
}

// TestAPathThatIsTaken: nothing is removed that is no dead socket.
func TestAPathThatIsTaken(t *testing.T) {
	t.Parallel()
	file := inFolder(t, "precious")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := inFolder(t, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		code int
		want string
		args []string
	}{
		{exitFailed, file + " is there and is no socket: move it away", []string{"--addr", "unix:" + file}},
		{exitFailed, link + " is there and is no socket", []string{"--addr", "unix:" + link}},
		{exitFailed, "make the folder, or choose another path with --addr", []string{"--addr", "unix:" + file + ".d/copse.sock"}},
		{exitFailed, "choose another path with --addr", []string{"--addr", "unix:" + filepath.Dir(file) + "/" + strings.Repeat("x", 200)}},
		{exitUsage, `"copse.sock" is no path of a socket: give --addr the whole of it, such as unix:/run/copse/copse.sock`, []string{"--addr", "unix:copse.sock"}},
		{exitUsage, `"@copse" is no path of a socket`, []string{"--addr", "unix:@copse"}},
		{exitUsage, `"" is no path of a socket`, []string{"--addr", "unix:"}},
		{exitUsage, `"rw" is no mode`, []string{"--addr", "unix:" + file, "--socket-mode=rw"}},
		{exitUsage, `"1777" is no mode`, []string{"--addr", "unix:" + file, "--socket-mode=1777"}},
		{exitUsage, `"888" is no mode`, []string{"--addr", "unix:" + file, "--socket-mode=888"}},
	} {
		if _, told, code := copse(t, "", append([]string{"serve", "--data", t.TempDir()}, x.args...)...); code != x.code || !strings.Contains(told, x.want) {
			t.Errorf("%q ends with %d: %s", x.args, code, told)
		}
	}
	if raw, err := os.ReadFile(file); err != nil || string(raw) != "precious" {
		t.Errorf("the file in the way is %q, %v", raw, err)
	}
}

// TestOneOfManyThatStartHasTheSocket: they find a dead one at the same time, and none
// takes away what another has made of it. Modes of files are the whole process's while
// a socket is made, so this runs beside no other test.
func TestOneOfManyThatStartHasTheSocket(t *testing.T) {
	path := inFolder(t, "copse.sock")
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX); err != nil { // as one does that looks at what is there
		t.Fatal(err)
	}
	waits := make(chan net.Listener, 1)
	go func() {
		on, err := listenUnix(path, 0o600)
		if err != nil {
			t.Error(err)
		}
		waits <- on
	}()
	for range 1000 {
		runtime.Gosched()
	}
	select {
	case <-waits:
		t.Fatal("two look at what is there at the same time")
	default:
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	if err := (<-waits).Close(); err != nil {
		t.Error(err)
	}
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX); err != nil { // for ever, as anybody can who may read the folder
		t.Fatal(err)
	}
	usual := lockTime
	lockTime = 50 * time.Millisecond
	if on, err := listenUnix(path, 0o600); err == nil || !strings.Contains(err.Error(), "somebody else has locked") {
		t.Errorf("where the folder is locked for ever: %v, %v", on, err)
	}
	lockTime = usual
	if err := syscall.Flock(int(folder.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		dead.SetUnlinkOnClose(false)
		if err := dead.Close(); err != nil {
			t.Fatal(err)
		}
		got := make(chan net.Listener, 8)
		var all sync.WaitGroup
		for range cap(got) {
			all.Go(func() {
				if on, err := listenUnix(path, 0o600); err == nil {
					got <- on
				}
			})
		}
		all.Wait()
		close(got)
		n := 0
		for on := range got {
			n++
			if n > 1 {
				t.Errorf("%d listen on one socket", n)
			}
			if err := on.Close(); err != nil {
				t.Error(err)
			}
		}
		if n == 0 {
			t.Error("nobody listens")
		}
	}
}

// TestASocketThatIsAnothersStays: the end of a server removes its own alone.
func TestASocketThatIsAnothersStays(t *testing.T) {
	path := inFolder(t, "copse.sock")
	first, err := listenUnix(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".old"); err != nil { // so that the next cannot get its number
		t.Fatal(err)
	}
	second, err := listenUnix(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("the socket of the second: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket of the second is left behind: %v", err)
	}
}

// hears is a service manager that listens for what it is told, and its address.
func hears(t *testing.T) (*net.UnixConn, string) {
	t.Helper()
	path := inFolder(t, "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn, path
}

// next is what a service manager is told next.
func next(t *testing.T, conn *net.UnixConn) string {
	t.Helper()
	buf := make([]byte, 1000)
	n, err := conn.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	return string(buf[:n])
}

// TestWhatHasStartedAServiceIsTold: that it is ready, that it lives, and that it
// stops; on the socket that was handed over, if one was.
func TestWhatHasStartedAServiceIsTold(t *testing.T) {
	t.Parallel()
	conn, path := hears(t)
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	handed, err := on.(*net.TCPListener).File()
	if err = joined(err, on.Close()); err != nil { // the file stays open
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `LISTEN_PID=$$ WATCHDOG_PID=$$ exec "$0" serve --addr=192.0.2.1:80 --data "$1"`, exe, t.TempDir())
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1", "NOTIFY_SOCKET="+path, "WATCHDOG_USEC=20000", "LISTEN_FDS=1", "LISTEN_FDNAMES=copse.socket")
	cmd.ExtraFiles = []*os.File{handed}
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if err := handed.Close(); err != nil {
		t.Fatal(err)
	}
	// Whoever comes before it is ready waits on the socket.
	url := "http://" + on.Addr().String()
	if status, _, _ := asks(t, http.DefaultClient, "GET", url+"/readyz", ""); status != 200 {
		t.Errorf("on the socket that was handed over it answers %d", status)
	}
	http.DefaultClient.CloseIdleConnections()
	if said := next(t, conn); said != "READY=1" {
		t.Errorf("first it says %q", said)
	}
	for range 3 {
		if said := next(t, conn); said != "WATCHDOG=1" {
			t.Errorf("as a sign of life it says %q", said)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for said := "WATCHDOG=1"; said != "STOPPING=1"; {
		if said = next(t, conn); said != "WATCHDOG=1" && said != "STOPPING=1" {
			t.Errorf("at the end it says %q", said)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it did not stop in peace: %v\n%s", err, told.String())
	}
	if out.String() != "Copse is at "+url+"\n" {
		t.Errorf("it said %q", out.String())
	}
}

// TestWhatSystemdHandsOver: one socket, to the process for which it is meant.
func TestWhatSystemdHandsOver(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		script string
		code   int
		want   string
	}{
		{`LISTEN_PID=$$ LISTEN_FDS=2 exec "$0" serve`, exitUsage, "systemd hands over 2 sockets, and Copse listens on one: leave one ListenStream= in its socket unit"},
		{`LISTEN_PID=$$ LISTEN_FDS=many exec "$0" serve`, exitUsage, "systemd hands over many sockets"},
		{`LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" serve 3</dev/null`, exitFailed, "what systemd hands over is no socket to listen on"},
		{`LISTEN_PID=1 LISTEN_FDS=2 exec "$0" serve --addr 8080`, exitUsage, `"8080" is no address`},
		{`LISTEN_PID=$$ LISTEN_FDS=0 exec "$0" serve --addr 8080`, exitUsage, `"8080" is no address`},
		{`LISTEN_PID=$$ LISTEN_FDS= exec "$0" serve --addr 8080`, exitUsage, `"8080" is no address`},
	} {
		cmd := exec.Command("sh", "-c", x.script, exe)
		cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1", "COPSE_DATA="+t.TempDir())
		told, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != x.code || !strings.Contains(string(told), x.want) {
			t.Errorf("%s: %v, %s", x.script, err, told)
		}
	}
}

// TestASignOfLifeIsOne: none is given while the server stands still.
func TestASignOfLifeIsOne(t *testing.T) {
	conn, path := hears(t)
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "2000")
	m := newManager(slog.New(slog.DiscardHandler))
	asked, goes := make(chan struct{}), make(chan struct{})
	m.ready(func() {
		select {
		case asked <- struct{}{}:
			<-goes
		case <-m.stop:
		}
	})
	if said := next(t, conn); said != "READY=1" {
		t.Errorf("first it says %q", said)
	}
	for range 3 {
		<-asked
		if err := conn.SetReadDeadline(time.Now()); err != nil {
			t.Fatal(err)
		}
		if n, err := conn.Read(make([]byte, 100)); err == nil {
			t.Errorf("it stands still, and says %d bytes", n)
		}
		if err := conn.SetReadDeadline(time.Time{}); err != nil {
			t.Fatal(err)
		}
		goes <- struct{}{}
		if said := next(t, conn); said != "WATCHDOG=1" {
			t.Errorf("as a sign of life it says %q", said)
		}
	}
	m.close()
	for name, value := range map[string]string{"WATCHDOG_PID": "1", "WATCHDOG_USEC": "soon", "NOTIFY_SOCKET": ""} {
		t.Setenv(name, value)
		if m := newManager(slog.New(slog.DiscardHandler)); m.beat != 0 || m.conn == nil != (name == "NOTIFY_SOCKET") {
			t.Errorf("with %s=%s: %+v", name, value, m)
		}
		_ = os.Unsetenv(name)
		t.Setenv("NOTIFY_SOCKET", path)
		t.Setenv("WATCHDOG_USEC", "2000")
	}
	t.Setenv("NOTIFY_SOCKET", path+".none")
	newManager(slog.New(slog.DiscardHandler)).say("READY=1") // nobody is there, which stops nothing
}

// TestAManagerThatHearsNothing keeps nobody from starting or stopping.
func TestAManagerThatHearsNothing(t *testing.T) {
	t.Parallel()
	_, path := hears(t)
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var full error
	for full == nil { // until nothing more fits
		if err := raw.Write(func(fd uintptr) bool {
			_, full = syscall.Write(int(fd), []byte("full"))
			return true
		}); err != nil {
			t.Fatal(err)
		}
	}
	if !errors.Is(full, syscall.EAGAIN) {
		t.Fatal(full)
	}
	var told bytes.Buffer
	m := &manager{log: slog.New(slog.NewTextHandler(&told, nil)), conn: conn, stop: make(chan struct{})}
	m.say("READY=1") // or it hangs here
	if !strings.Contains(told.String(), "is not told") {
		t.Errorf("the log says %q", told.String())
	}
}
