package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"copse/games"
)

// TestServeUntilASignal starts the real command, asks it over the wire, and
// tells it to stop as a service manager would.
func TestServeUntilASignal(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "serve")
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1", "COPSE_ADDR=localhost:0", "COPSE_DATA="+t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }() // for a test that fails; else the process is gone
	said, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(said), "Copse is at ")
	if err != nil || !ok || !strings.HasPrefix(url, "http://localhost:") {
		t.Fatalf("it said %q, %v", said, err)
	}
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusOK, "/metrics": http.StatusOK, "/api/games": http.StatusOK, "/no-such.js": 0} {
		r, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
		if want != 0 && r.StatusCode != want || r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
	}
	watched(t, url)
	other, err := http.NewRequest(http.MethodGet, url+"/api/games", nil)
	if err != nil {
		t.Fatal(err)
	}
	other.Host = "elsewhere.example" // as a site asks that has its name lead here
	r, err := http.DefaultClient.Do(other)
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close()
	if r.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("to another host it answers %d", r.StatusCode)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it did not stop in peace: %v", err)
	}
}

// watched asks a server for its figures: how large its files are, which Copse it is,
// and everything of which the alerts and the dashboard in contrib/ speak.
func watched(t *testing.T, url string) {
	t.Helper()
	r, err := http.Get(url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	figures := string(raw)
	for _, want := range []string{`copse_database_bytes [1-9]`, `copse_wal_bytes [1-9]`, `copse_build_info\{.*version="` + regexp.QuoteMeta(release) + `"\} 1`} {
		if !regexp.MustCompile(`(?m)^` + want).MatchString(figures) {
			t.Errorf("the figures lack %s", want)
		}
	}
	names := 0
	for _, file := range []string{"../../contrib/prometheus/copse.rules.yml", "../../contrib/grafana/copse.json"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\b(copse|process|go)_[a-z_]+`).FindAllString(string(raw), -1) {
			names++
			for _, end := range []string{"_bucket", "_count", "_sum"} {
				name = strings.TrimSuffix(name, end)
			}
			if !strings.Contains(figures, "# TYPE "+name+" ") {
				t.Errorf("%s speaks of %s, which no server tells", file, name)
			}
		}
	}
	if names < 40 {
		t.Errorf("only %d figures are named in contrib/", names)
	}
}

func TestAPortThatIsTaken(t *testing.T) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = on.Close() }()
	addr := on.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	_, told, code := copse(t, "", "serve", "--addr", addr)
	if want := "port " + port + " is taken: stop what listens there or choose another with --addr"; code == 0 || !strings.Contains(told, want) {
		t.Errorf("exit code %d, %s", code, told)
	}
	for wrong, want := range map[string]string{
		"8080":          `"8080" is no address: give --addr a host and a port`,
		"localhost":     `"localhost" is no address`,
		"127.0.0.1:x":   "choose another address with --addr",
		"127.0.0.1:1e9": "choose another address with --addr",
		"192.0.2.1:80":  "choose another address with --addr", // an address for documentation, which nobody has
	} {
		if _, told, code := copse(t, "", "serve", "--addr", wrong); code == 0 || !strings.Contains(told, want) {
			t.Errorf("--addr %s: exit code %d, %s", wrong, code, told)
		}
	}
}

func TestWhatToTypeIntoABrowser(t *testing.T) {
	got := &net.TCPAddr{IP: net.IPv4zero, Port: 7}
	for asked, want := range map[string]string{
		"localhost:0":     "http://localhost:7",
		":0":              "http://localhost:7",
		"0.0.0.0:0":       "http://localhost:7",
		"[::]:0":          "http://localhost:7",
		"[::1]:0":         "http://[::1]:7",
		"192.168.0.5:0":   "http://192.168.0.5:7",
		"forest.local:80": "http://forest.local:7",
	} {
		if url := address(asked, got); url != want {
			t.Errorf("%s: %s, want %s", asked, url, want)
		}
	}
}

// TestEveryGameIsEntered: the commands know the same games, in the same order, as
// the engine and the page.
func TestEveryGameIsEntered(t *testing.T) {
	var here, there []string
	for _, e := range registry() {
		here = append(here, e.game.About().Name)
	}
	for _, g := range games.All() {
		there = append(there, g.About().Name)
	}
	if !slices.Equal(here, there) {
		t.Errorf("registry has %v, package games %v", here, there)
	}
}

// TestEveryFlagIsInTheTable: in the table of the document for operators.
func TestEveryFlagIsInTheTable(t *testing.T) {
	page, err := os.ReadFile("../../docs/host.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[serveCommand]()) {
		if f.Anonymous {
			continue
		}
		flag := "--" + strings.ToLower(regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(f.Name, "$1-$2"))
		if row := "| `" + flag + "` | `" + f.Tag.Get("env") + "` |"; !strings.Contains(string(page), row) {
			t.Errorf("docs/host.md has no row %s", row)
		}
	}
}

// TestHowLongGuestsAreKept: 0 is the usual time, and a negative number is for ever.
func TestHowLongGuestsAreKept(t *testing.T) {
	for days, want := range map[int]time.Duration{0: 90 * 24 * time.Hour, 7: 7 * 24 * time.Hour, -1: 0, 1 << 40: 36_500 * 24 * time.Hour} {
		if got := (serveCommand{GuestDays: days}).forget(); got != want {
			t.Errorf("%d days are %v, want %v", days, got, want)
		}
	}
}
