//go:build interop

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// hostName is what both files of contrib/ call the host.
const hostName = "copse.example.org"

// front is a real proxy with TLS before a real server, as contrib/ says.
type front struct {
	*testing.T
	server *served
	url    string // of the page
	addr   string // of the proxy, where that name leads to
	plain  string // likewise without TLS; nginx alone
	roots  *x509.CertPool
}

// program is a proxy that must be there; the error says what to do.
func program(t *testing.T, name, env string) string {
	t.Helper()
	if os.Getenv(env) != "" {
		return os.Getenv(env)
	}
	out, err := exec.Command("../../tools/proxy.sh", name).Output()
	if err != nil {
		t.Fatalf("%s is needed: install it, or set %s to the path of yours (%v)", name, env, err)
	}
	return strings.TrimSpace(string(out))
}

// fitted is a file of contrib with what a host must change in it changed. Whatever is
// to be changed must be there, exactly once.
func fitted(t *testing.T, name string, changes ...string) string {
	t.Helper()
	text := string(read(t, "../../contrib/"+name))
	for i := 0; i < len(changes); i += 2 {
		if n := strings.Count(text, changes[i]); n != 1 {
			t.Fatalf("%s says %q %d times", name, changes[i], n)
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return text
}

// behind starts a server, which listens on a port or a socket, and a proxy before it.
func behind(t *testing.T, kind string, socket bool, args ...string) *front {
	t.Helper()
	f := &front{T: t, roots: x509.NewCertPool()}
	f.server = &served{t: t, addr: ownAddress(t), data: t.TempDir(), back: make(chan struct{}), args: append([]string{"--proxy", "--host=" + hostName, "--open-metrics"}, args...)}
	to := map[string]string{"nginx": f.server.addr, "caddy": f.server.addr}[kind]
	if socket {
		path := inFolder(t, "copse.sock")
		f.server.addr = "unix:" + path
		f.server.args = append([]string{"--host=" + hostName, "--open-metrics"}, args...) // it needs no --proxy
		to = map[string]string{"nginx": "unix:" + path, "caddy": "unix/" + path}[kind]
	}
	f.server.start()
	t.Cleanup(func() { _, _ = f.server.cmd.Process.Kill(), f.server.cmd.Wait() })

	a := newAuthority(t)
	f.roots.AppendCertsFromPEM(read(t, a.file))
	cert, key := a.sign("127.0.0.1", hostName)
	folder := filepath.Dir(inFolder(t, "x"))
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(folder, name)
	}
	certFile, keyFile := write("cert.pem", string(cert)), write("key.pem", string(key))
	for tries := range 20 { // a port may be taken meanwhile
		addr, plain := ownAddress(t), ownAddress(t)
		var cmd *exec.Cmd
		switch kind {
		case "nginx":
			site := fitted(t, "nginx.conf", "server 127.0.0.1:8080;", "server "+to+";",
				"\tlisten 80;\n", "\tlisten "+plain+";\n", "\tlisten [::]:80;\n", "", "\tlisten 443 ssl http2;\n", "\tlisten "+addr+" ssl http2;\n", "\tlisten [::]:443 ssl http2;\n", "",
				"/etc/ssl/copse.example.org.pem", certFile, "/etc/ssl/copse.example.org.key", keyFile)
			user := ""
			if os.Getuid() == 0 { // else those who work for it could not open the socket
				user = "user root;"
			}
			main := fmt.Sprintf("%s daemon off; worker_processes 1; pid %[2]s/pid; error_log stderr warn; events { worker_connections 1024; }\nhttp { access_log off; client_body_temp_path %[2]s/body; proxy_temp_path %[2]s/proxy; fastcgi_temp_path %[2]s/f; uwsgi_temp_path %[2]s/u; scgi_temp_path %[2]s/s;\n%s}\n", user, folder, site)
			cmd = exec.Command(program(t, "nginx", "NGINX_PROGRAM"), "-e", "stderr", "-p", folder, "-c", write("nginx.conf", main))
		case "caddy":
			site := fitted(t, "Caddyfile", "\ncopse.example.org {\n", "\n{\n\tadmin off\n\tauto_https off\n}\nhttps://"+hostName+addr[strings.IndexByte(addr, ':'):]+" {\n\tbind 127.0.0.1\n\ttls "+certFile+" "+keyFile+"\n", "reverse_proxy 127.0.0.1:8080 {", "reverse_proxy "+to+" {",
				"\nhttp://copse.example.org {\n", "\nhttp://"+hostName+plain[strings.IndexByte(plain, ':'):]+" {\n\tbind 127.0.0.1\n")
			if said, err := exec.Command(program(t, "caddy", "CADDY_PROGRAM"), "fmt", "../../contrib/Caddyfile").CombinedOutput(); err != nil || string(said) != string(read(t, "../../contrib/Caddyfile")) {
				t.Errorf("contrib/Caddyfile is not formatted: %v\n%s", err, said)
			}
			cmd = exec.Command(program(t, "caddy", "CADDY_PROGRAM"), "run", "--adapter", "caddyfile", "--config", write("Caddyfile", site))
			cmd.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
		}
		f.url, f.addr, f.plain = "https://"+hostName+addr[strings.IndexByte(addr, ':'):], addr, plain
		if f.starts(cmd, addr) {
			return f
		}
		t.Logf("%s does not start, try %d", kind, tries)
	}
	t.Fatalf("%s does not start", kind)
	return nil
}

// starts starts a proxy and waits until it answers, or ends since its port is taken.
func (f *front) starts(cmd *exec.Cmd, addr string) bool {
	f.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // those who work for it end with it
	if err := cmd.Start(); err != nil {
		f.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // what it said tells why
	}()
	for {
		select {
		case <-ended:
			if !strings.Contains(strings.ToLower(said.String()), "address already in use") {
				f.Fatalf("it ends: %s", said.String())
			}
			return false
		default:
		}
		if conn, err := net.Dial("tcp", addr); err == nil {
			_ = conn.Close()
			f.Cleanup(func() {
				_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
				<-ended
				if f.Failed() {
					f.Logf("the proxy said: %s", said.String())
				}
			})
			return true
		}
	}
}

// client asks the proxy by HTTP/2, from an address of this machine, and counts its
// connections.
func (f *front) client(from string) (*http.Client, *atomic.Int64) {
	count := new(atomic.Int64)
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	way := &http.Transport{ForceAttemptHTTP2: true, DisableCompression: true, TLSClientConfig: &tls.Config{RootCAs: f.roots}, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		count.Add(1)
		return dialer.DialContext(ctx, network, f.addr)
	}}
	f.Cleanup(way.CloseIdleConnections)
	return &http.Client{Transport: way, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, count
}

// becomes makes a guest, and gives the header by which they are known.
func (f *front) becomes(c *http.Client) string {
	f.Helper()
	status, header, said := asks(f.T, c, "POST", f.url+"/api/me", `{"name":"Anna"}`)
	cookie, _, _ := strings.Cut(header.Get("Set-Cookie"), ";")
	if status != 201 || !strings.HasPrefix(cookie, "__Host-copse=") || !strings.Contains(header.Get("Set-Cookie"), "Secure") {
		f.Fatalf("a guest is answered %d %s, and has %q", status, said, header.Get("Set-Cookie"))
	}
	return "Cookie: " + cookie
}

// table sets a table and sits down at it.
func (f *front) table(c *http.Client, cookie string) string {
	f.Helper()
	var made struct{ Table string }
	if _, _, said := asks(f.T, c, "POST", f.url+"/api/tables", `{"game":"bosk","seats":2}`, cookie); json.Unmarshal([]byte(said), &made) != nil || made.Table == "" {
		f.Fatalf("no table is set: %s", said)
	}
	if status, _, said := asks(f.T, c, "POST", f.url+"/api/tables/"+made.Table+"/sit", `{"nonce":"000102030405060708090a0b0c0d0e0f"}`, cookie); status != 200 {
		f.Fatalf("nobody can sit down: %d %s", status, said)
	}
	return made.Table
}

// heardStream is what somebody hears of a table.
type heardStream struct {
	*front
	lines *bufio.Reader
	last  string // the last id
}

func (f *front) listens(c *http.Client, table string, header ...string) *heardStream {
	f.Helper()
	r, err := http.NewRequestWithContext(f.Context(), "GET", f.url+"/api/stream?table="+table, nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	got, err := c.Do(r)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = got.Body.Close() })
	if got.StatusCode != 200 || got.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" || got.ProtoMajor != 2 {
		f.Fatalf("a stream is answered %d by %s: %v", got.StatusCode, got.Proto, got.Header)
	}
	return &heardStream{front: f, lines: bufio.NewReader(got.Body)}
}

// until reads on to an event of that name, and gives its data; an error where the
// stream ends first.
func (s *heardStream) until(want string) (string, error) {
	var name, data string
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return "", err
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "id":
			s.last = value
		case "event":
			name = value
		case "data":
			data = value
		case "":
			if name == want {
				return data, nil
			}
		}
	}
}

// each runs a test with both proxies, and with a port and a socket between them and
// the server.
func each(t *testing.T, args []string, test func(f *front)) {
	t.Parallel()
	for _, kind := range []string{"nginx", "caddy"} {
		for _, socket := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, socket %v", kind, socket), func(t *testing.T) {
				t.Parallel()
				test(behind(t, kind, socket, args...))
			})
		}
	}
}

// TestBehindIsTheSamePage: compressed, cached and guarded as without a proxy.
func TestBehindIsTheSamePage(t *testing.T) {
	each(t, nil, func(f *front) {
		c, _ := f.client("127.0.0.1")
		direct, at := http.DefaultClient, "http://"+f.server.addr
		if path, found := strings.CutPrefix(f.server.addr, "unix:"); found {
			direct, at = over(f.T, path), "http://"+hostName
		}
		_, _, page := asks(f.T, direct, "GET", at+"/", "", "Host: "+hostName)
		script := page[strings.Index(page, `src="`)+5:]
		script = script[:strings.IndexByte(script, '"')]
		for _, path := range []string{"/", script, "/sw.js", "/api/openapi.json", "/api/games", "/nothing-here"} {
			for _, coding := range []string{"br", "gzip", "identity"} {
				host := strings.TrimPrefix(f.url, "https://")
				status, header, body := asks(f.T, c, "GET", f.url+path, "", "Accept-Encoding: "+coding)
				wantStatus, want, wantBody := asks(f.T, direct, "GET", at+path, "", "Accept-Encoding: "+coding, "Host: "+host, "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https")
				if status != wantStatus || body != wantBody {
					f.Errorf("%s in %s is answered %d with %d bytes, without the proxy %d with %d", path, coding, status, len(body), wantStatus, len(wantBody))
				}
				for _, name := range []string{"Content-Encoding", "Content-Type", "Cache-Control", "Etag", "Vary", "Content-Security-Policy", "Strict-Transport-Security"} {
					if header.Get(name) != want.Get(name) {
						f.Errorf("%s in %s: %s is %q, without the proxy %q", path, coding, name, header.Get(name), want.Get(name))
					}
				}
				if path == script && coding != "identity" && header.Get("Content-Encoding") != coding {
					f.Errorf("the page is not compressed: %v", header)
				}
				if tag := header.Get("Etag"); tag != "" && status == 200 {
					if status, _, body := asks(f.T, c, "GET", f.url+path, "", "Accept-Encoding: "+coding, "If-None-Match: "+tag); status != 304 || body != "" {
						f.Errorf("%s in %s, which the browser has, is answered %d with %d bytes", path, coding, status, len(body))
					}
				}
			}
		}
		if _, header, body := asks(f.T, c, "GET", f.url+"/", ""); header.Get("Strict-Transport-Security") == "" || !strings.Contains(body, `content="`+f.url+`/`) {
			f.Errorf("it does not know its own address, %s:\n%s", f.url, body)
		}
		if f.plain != "" {
			if status, header, _ := asks(f.T, &http.Client{CheckRedirect: c.CheckRedirect}, "GET", "http://"+f.plain+"/rules?x=1", "", "Host: "+hostName); status != 308 || header.Get("Location") != "https://"+hostName+"/rules?x=1" {
				f.Errorf("without TLS it answers %d %s", status, header.Get("Location"))
			}
			if status, header, _ := asks(f.T, &http.Client{CheckRedirect: c.CheckRedirect}, "GET", "http://"+f.plain+"/api/me", "", "Host: "+hostName, "Authorization: Bearer copse_x"); status != 403 || header.Get("Location") != "" {
				f.Errorf("a program that speaks without TLS is answered %d %s", status, header.Get("Location"))
			}
		}
	})
}

// TestBehindEveryoneIsWhoTheyAre: whatever a client says of itself.
func TestBehindEveryoneIsWhoTheyAre(t *testing.T) {
	each(t, []string{"--guests=2"}, func(f *front) {
		one, _ := f.client("127.0.0.1")
		two, _ := f.client("127.0.0.2")
		f.becomes(one)
		for n, lie := range []string{"X-Forwarded-For: 203.0.113.1", "Forwarded: for=203.0.113.1", "X-Real-IP: 203.0.113.1", "X-Forwarded-For: 203.0.113.1, 127.0.0.1", "Accept: */*"} {
			if status, _, said := asks(f.T, one, "POST", f.url+"/api/me", `{"name":"Anna"}`, lie); status != 429 {
				f.Errorf("lie %d, %s, is answered %d %s", n, lie, status, said)
			}
		}
		cookie := f.becomes(two)
		// Host keeps its port: so a page of the same origin may ask, and no other.
		for origin, want := range map[string]int{f.url: 200, "https://" + hostName: 403, "http://" + strings.TrimPrefix(f.url, "https://"): 200, "https://evil.example": 403} {
			if status, _, said := asks(f.T, two, "PATCH", f.url+"/api/me", `{"name":"Beech"}`, cookie, "Origin: "+origin); status != want {
				f.Errorf("a page of %s is answered %d %s", origin, status, said)
			}
		}
		for _, lie := range []string{"evil.example", hostName} {
			if status, _, said := asks(f.T, two, "GET", f.url+"/api/games", "", "X-Forwarded-Host: "+lie, "Host: evil.example"); strings.Contains(said, "bosk") {
				f.Errorf("another host that says it is %s is answered %d %s", lie, status, said)
			}
		}
		if status, header, _ := asks(f.T, two, "GET", f.url+"/", "", "X-Forwarded-Proto: http"); status != 200 || header.Get("Strict-Transport-Security") == "" {
			f.Errorf("who says that they come without TLS: %d %v", status, header)
		}
	})
}

// TestBehindFiguresAreShut: by the proxy, also where the server shows them to all.
func TestBehindFiguresAreShut(t *testing.T) {
	each(t, nil, func(f *front) {
		for _, path := range []string{"/metrics", "/metrics?x", "//metrics", "/%6Detrics", "/x/../metrics", "/metrics/", "/./metrics", "/metrics%2f", "/metrics%00"} {
			conn, err := tls.Dial("tcp", f.addr, &tls.Config{RootCAs: f.roots, ServerName: hostName, NextProtos: []string{"http/1.1"}})
			if err != nil {
				f.Fatal(err)
			}
			_, _ = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, strings.TrimPrefix(f.url, "https://"))
			raw, _ := io.ReadAll(conn) // some servers break off
			_ = conn.Close()
			if status, _, _ := strings.Cut(string(raw), "\r\n"); strings.Contains(status, " 200 ") || strings.Contains(string(raw), "copse_build_info") || len(raw) == 0 {
				f.Errorf("%s is answered %.200q", path, raw)
			}
		}
		c, _ := f.client("127.0.0.1")
		for path, want := range map[string]int{"/metrics": 404, "/healthz": 200, "/readyz": 200} {
			if status, _, said := asks(f.T, c, "GET", f.url+path, ""); status != want {
				f.Errorf("%s is answered %d %s", path, status, said)
			}
		}
	})
}

// TestBehindStreamsAreHeardAtOnce: many of them on one connection; each hears what
// happens as it happens.
func TestBehindStreamsAreHeardAtOnce(t *testing.T) {
	const many = 100 // of which each side of HTTP/2 allows so many at once
	each(t, []string{"--streams=-1"}, func(f *front) {
		c, dials := f.client("127.0.0.1")
		cookie := f.becomes(c)
		table := f.table(c, cookie)
		var streams []*heardStream
		for range many {
			s := f.listens(c, table, cookie)
			if _, err := s.until("look"); err != nil {
				f.Fatal(err)
			}
			streams = append(streams, s)
		}
		if n := dials.Load(); n != 1 {
			f.Errorf("%d streams need %d connections", many, n)
		}
		if status, _, said := asks(f.T, c, "POST", f.url+"/api/tables/"+table+"/chat", `{"text":"hello"}`, cookie); status != 201 {
			f.Fatalf("it is answered %d %s", status, said)
		}
		var all sync.WaitGroup
		for _, s := range streams {
			all.Go(func() {
				if said, err := s.until("chat"); err != nil || !strings.Contains(said, `"hello"`) {
					f.Errorf("it hears %s, %v", said, err)
				}
			})
		}
		all.Wait()
		// Where one was may be said at length.
		s := f.listens(c, table, cookie, "Last-Event-ID: "+strings.Repeat("x", 20_000))
		if _, err := s.until("look"); err != nil {
			f.Error(err)
		}
	})
}

// TestBehindAStreamLives: longer than a proxy waits for a server that says nothing,
// 60 seconds by default.
func TestBehindAStreamLives(t *testing.T) {
	each(t, nil, func(f *front) {
		c, _ := f.client("127.0.0.1")
		cookie := f.becomes(c)
		table := f.table(c, cookie)
		s := f.listens(c, table)
		for beats := range 5 { // one every 15 seconds
			if _, err := s.until("beat"); err != nil {
				f.Fatalf("after %d beats: %v", beats, err)
			}
		}
		if status, _, said := asks(f.T, c, "POST", f.url+"/api/tables/"+table+"/chat", `{"text":"hello"}`, cookie); status != 201 {
			f.Fatalf("it is answered %d %s", status, said)
		}
		if _, err := s.until("chat"); err != nil {
			f.Error(err)
		}
	})
}

// TestBehindHalfABodyDoesNothing: and its key is good for the whole one.
func TestBehindHalfABodyDoesNothing(t *testing.T) {
	each(t, nil, func(f *front) {
		c, _ := f.client("127.0.0.1")
		cookie := f.becomes(c)
		table := f.table(c, cookie)
		s := f.listens(c, table, cookie)
		if _, err := s.until("look"); err != nil {
			f.Fatal(err)
		}
		const key, body = "Idempotency-Key: half", `{"text":"hello"}`
		for range 3 {
			conn, err := tls.Dial("tcp", f.addr, &tls.Config{RootCAs: f.roots, ServerName: hostName, NextProtos: []string{"http/1.1"}})
			if err != nil {
				f.Fatal(err)
			}
			if _, err := fmt.Fprintf(conn, "POST /api/tables/%s/chat HTTP/1.1\r\nHost: %s\r\n%s\r\n%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
				table, strings.TrimPrefix(f.url, "https://"), cookie, key, len(body), body[:8]); err != nil {
				f.Fatal(err)
			}
			if err := conn.Close(); err != nil {
				f.Fatal(err)
			}
		}
		if status, _, said := asks(f.T, c, "POST", f.url+"/api/tables/"+table+"/chat", body, cookie, key); status != 201 {
			f.Errorf("the whole is answered %d %s", status, said)
		}
		if status, _, said := asks(f.T, c, "POST", f.url+"/api/tables/"+table+"/leave", "", cookie); status != 200 {
			f.Errorf("it is answered %d %s", status, said)
		}
		if said, err := s.until("chat"); err != nil || !strings.Contains(said, `"hello"`) || !strings.Contains(said, `"n":0`) && strings.Contains(said, `"n":`) {
			f.Errorf("first it hears %s, %v", said, err)
		}
		if status, _, said := asks(f.T, c, "GET", f.url+"/api/tables/"+table+"/chat", "", cookie); status != 200 || strings.Count(said, `"hello"`) != 1 {
			f.Errorf("what was said is %d %s", status, said)
		}
	})
}

// TestBehindANodeThatRestarts: streams end and are gone on with where they were, and
// the proxy finds the server again by itself.
func TestBehindANodeThatRestarts(t *testing.T) {
	each(t, nil, func(f *front) {
		c, _ := f.client("127.0.0.1")
		cookie := f.becomes(c)
		table := f.table(c, cookie)
		says := func(text string) int {
			status, _, _ := asks(f.T, c, "POST", f.url+"/api/tables/"+table+"/chat", fmt.Sprintf(`{"text":%q}`, text), cookie, "Idempotency-Key: "+text)
			return status
		}
		s := f.listens(c, table, cookie)
		if _, err := s.until("look"); err != nil {
			f.Fatal(err)
		}
		if status := says("one"); status != 201 {
			f.Fatalf("it is answered %d", status)
		}
		if _, err := s.until("chat"); err != nil {
			f.Fatal(err)
		}
		f.server.stop()
		if said, err := s.until("chat"); err == nil {
			f.Errorf("from a server that is gone it hears %s", said)
		}
		if status, _, _ := asks(f.T, c, "GET", f.url+"/api/games", ""); status != 502 && status != 503 && status != 504 {
			f.Errorf("while the server is gone it is answered %d", status)
		}
		f.server.start()
		for says("two") != 201 { // until the proxy knows
		}
		s = f.listens(c, table, cookie, "Last-Event-ID: "+s.last)
		if said, err := s.until("chat"); err != nil || !strings.Contains(said, `"two"`) || strings.Contains(said, `"one"`) {
			f.Errorf("after the restart it hears first %s, %v", said, err)
		}
	})
}
