package cluster

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"copse/store/postgres"
	"copse/store/postgres/pgtest"
)

// binary is copse as it is tested here, built once: the real one, but that its clock
// can be set wrong, and that it makes a mistake where a test asks for one.
var binary = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "copse-cluster")
	if err != nil {
		return "", err
	}
	built = folder
	file := filepath.Join(folder, "copse")
	out, err := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "planted", "-o", file, "copse/cmd/copse").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("copse cannot be built: %w\n%s", err, out)
	}
	return file, sources()
})

// sources looks at all files that copse is made of. So `go test` knows that these
// tests are about them, and takes no earlier result when one has changed.
func sources() error {
	out, err := exec.Command("go", "list", "-deps", "-tags", "planted", "-f", `{{if not .Standard}}{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}`, "copse/cmd/copse").Output()
	if err != nil {
		return err
	}
	files := strings.Fields(string(out))
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	if len(files) < 100 {
		return fmt.Errorf("copse is made of %d files: that cannot be", len(files))
	}
	return nil
}

// built is the folder that copse lies in; "" where nobody needed it.
var built string

// house is all parts of one house.
type house struct {
	t       *testing.T
	folder  string
	mistake string // that its nodes make

	mu      sync.Mutex // held while the database changes
	primary *pgtest.Server
	standby *pgtest.Server
	at      atomic.Pointer[string] // the socket of the primary
	replica *link                  // from the standby to the primary

	news   atomic.Pointer[server.Server]
	losing sync.Mutex // held while there is none
	nodes  []*node

	pace     time.Duration // between two moves of a person
	tables   sync.Mutex
	sittings []*sitting
	finished atomic.Int64 // games
	followed atomic.Int64 // of them, those that have followed another of both sides
	moved    atomic.Int64 // answers
	acked    atomic.Int64 // moves
	joins    atomic.Int64 // streams
	longest  atomic.Int64 // time that a player was without a stream
	gate     sync.RWMutex // held while somebody waits for the answer to a draft
	cuts     atomic.Int64 // above 0: the standby is cut off
	late     atomic.Int64 // moves that were sent since, and acknowledged
	troubles troubles
	wrongs   wrongs
}

// settings are those of both databases. What waits for the other is soon given up.
var settings = append([]string{
	"synchronous_standby_names=standby", "wal_sender_timeout=5s", "wal_receiver_timeout=5s", "wal_retrieve_retry_interval=200ms", "max_wal_size=64MB",
}, pgtest.Quick...)

const database = "copse"

func newHouse(t *testing.T, nodes int, mistake string) *house {
	t.Helper()
	h := &house{t: t, folder: t.TempDir(), mistake: mistake, pace: 40 * time.Millisecond}
	var err error
	if h.primary, err = pgtest.Start(settings...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.stop)
	h.lead(h.primary)
	h.replica = newLink(t, "standby", h.leader)
	h.mu.Lock()
	err = h.follow()
	h.mu.Unlock()
	if err == nil {
		err = h.primary.Exec(h.primary.URL("postgres"), "CREATE DATABASE "+database)
	}
	if err == nil {
		err = h.startNews(server.RANDOM_PORT)
	}
	if err != nil {
		t.Fatal(err)
	}
	for n := range nodes {
		h.nodes = append(h.nodes, h.newNode(n))
	}
	for _, n := range h.nodes {
		n.await()
	}
	return h
}

func (h *house) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range []*pgtest.Server{h.standby, h.primary} {
		if s != nil {
			_ = s.Stop() // the test may have ended it
		}
	}
	if news := h.news.Load(); news != nil {
		news.Shutdown()
	}
}

// lead has the links to the database lead to a server.
func (h *house) lead(s *pgtest.Server) {
	socket := s.Socket()
	h.at.Store(&socket)
}

func (h *house) leader() (network, address string) { return "unix", *h.at.Load() }

// follow gives the primary a standby. The caller holds the lock.
func (h *house) follow() (err error) {
	h.standby, err = h.primary.Standby(fmt.Sprintf("host=127.0.0.1 port=%d user=copse application_name=standby sslmode=disable", h.replica.port()), settings...)
	return err
}

// crash ends the primary as a crash does, and starts it again from its files.
func (h *house) crash(gentle bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.primary.Restart(gentle)
}

// failOver crashes the primary for good. Its standby takes over, and gets a standby
// of its own.
func (h *house) failOver() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.primary.Halt(false); err != nil {
		return err
	}
	if err := h.standby.Promote(); err != nil {
		return err
	}
	old := h.primary
	h.primary = h.standby
	h.lead(h.primary)
	h.replica.reset()
	for _, n := range h.nodes {
		n.db.reset()
	}
	return errors.Join(old.Stop(), h.follow())
}

func (h *house) startNews(port int) error {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, NoSigs: true})
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		return errors.New("the NATS server does not start")
	}
	h.news.Store(s)
	return nil
}

// newsAt is where the NATS server is, also while it is away.
func (h *house) newsAt() (network, address string) {
	u, _ := url.Parse(h.news.Load().ClientURL()) // it is its own
	return "tcp", u.Host
}

// look reads the database without a node.
func (h *house) look(do func(*postgres.Store) error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, err := postgres.Open(context.Background(), h.primary.URL(database), postgres.Options{})
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

// node is a process that serves the house, and that is started again whenever it
// ends.
type node struct {
	*house
	n                  int
	folder             string
	front, db, carrier *link // to the node, and from it to the database and to NATS

	mu    sync.Mutex
	cmd   *exec.Cmd
	at    string        // where it listens; "" while it does not
	up    chan struct{} // closed while it listens
	down  int           // mishaps that want it dead
	next  bool          // it is of the version after this one
	woken chan struct{} // there is none any more
	over  bool
	ended sync.WaitGroup
	born  atomic.Int64 // how often it was started

	listened  bool          // or its first start failed
	stillborn chan struct{} // closed where its first start failed
}

func (h *house) newNode(n int) *node {
	h.t.Helper()
	x := &node{house: h, n: n, folder: filepath.Join(h.folder, fmt.Sprint("node-", n)), up: make(chan struct{}), woken: make(chan struct{}, 1), stillborn: make(chan struct{})}
	key := sha256.Sum256([]byte(h.t.Name()))
	if err := errors.Join(os.Mkdir(x.folder, 0o700), os.WriteFile(filepath.Join(x.folder, "key"), []byte(hex.EncodeToString(key[:])+"\n"), 0o600), x.setClock(0)); err != nil {
		h.t.Fatal(err)
	}
	x.front = newLink(h.t, fmt.Sprintf("people–node %d", n), func() (string, string) {
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.at == "" {
			return "tcp", "127.0.0.1:1" // nobody is there
		}
		return "tcp", x.at
	})
	x.db = newLink(h.t, fmt.Sprintf("node %d–database", n), h.leader)
	x.carrier = newLink(h.t, fmt.Sprintf("node %d–NATS", n), h.newsAt)
	x.ended.Go(x.live)
	h.t.Cleanup(x.end)
	return x
}

// setClock has the wall clock of the node be wrong.
func (x *node) setClock(by time.Duration) error {
	part := filepath.Join(x.folder, "clock.part")
	if err := os.WriteFile(part, []byte(fmt.Sprint(by.Milliseconds())), 0o600); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(x.folder, "clock"))
}

// live starts the node again and again.
func (x *node) live() {
	runtime.LockOSThread() // the process is told when the thread that has started it ends
	defer x.died()
	exe, err := binary()
	if err != nil {
		x.t.Error(err)
		return
	}
	log, err := os.Create(filepath.Join(x.folder, "log"))
	if err != nil {
		x.t.Error(err)
		return
	}
	defer log.Close() //nolint:errcheck // it was the node's
	for {
		x.mu.Lock()
		down, over := x.down > 0, x.over
		x.mu.Unlock()
		if over {
			return
		}
		if down {
			<-x.woken
			continue
		}
		x.once(exe, log)
		x.died()
		time.Sleep(50 * time.Millisecond) // as whoever starts it again does
	}
}

// died says so where the node has never listened.
func (x *node) died() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.listened {
		x.listened = true
		close(x.stillborn)
	}
}

// once starts the node and waits until it has ended.
func (x *node) once(exe string, log *os.File) {
	cmd := exec.Command(exe, "serve", "--addr", "127.0.0.1:0", "--data", x.folder, "--store", fmt.Sprintf("postgres://copse@127.0.0.1:%d/%s?sslmode=disable", x.db.port(), database),
		"--news", fmt.Sprintf("nats://127.0.0.1:%d", x.carrier.port()), "--drain=500ms", "--requests=-1", "--streams=-1", "--creates=-1", "--guests=-1", "--asks=-1", "--tables=-1", "--bots=1")
	cmd.Env = append(os.Environ(), "COPSE_PLANTED="+x.mistake, "COPSE_PLANTED_CLOCK="+filepath.Join(x.folder, "clock"), "GOMAXPROCS=2")
	cmd.Stderr, cmd.SysProcAttr = log, childOf()
	out, err := cmd.StdoutPipe()
	if err != nil {
		x.t.Error(err)
		return
	}
	x.mu.Lock()
	if x.over || x.down > 0 {
		x.mu.Unlock()
		return
	}
	if x.next {
		cmd.Env = append(cmd.Env, "COPSE_PLANTED_NEXT=1")
	}
	if err := cmd.Start(); err != nil {
		x.mu.Unlock()
		x.t.Error(err)
		return
	}
	x.cmd = cmd
	x.mu.Unlock()
	x.born.Add(1)
	lines := bufio.NewReader(out)
	said, err := lines.ReadString('\n')
	at, ok := strings.CutPrefix(strings.TrimSpace(said), "Copse is at http://")
	if ok && err == nil {
		x.mu.Lock()
		x.at, x.listened = at, true
		close(x.up)
		x.mu.Unlock()
	}
	_, _ = lines.ReadString(0) // until it ends
	wrong := cmd.Wait()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.at != "" {
		x.at, x.up = "", make(chan struct{})
		if x.down == 0 && !x.over && !killed(wrong) { // one that cannot be started, since the database is away, is started again
			x.wrongs.add("alive", "node %d has ended by itself: %v", x.n, wrong)
		}
	}
	x.cmd = nil
}

// killed tells whether a process was ended from outside.
func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// await waits until the node listens for the first time.
func (x *node) await() {
	x.t.Helper()
	x.mu.Lock()
	up := x.up
	x.mu.Unlock()
	select {
	case <-up:
	case <-x.stillborn:
		said, err := os.ReadFile(filepath.Join(x.folder, "log"))
		x.t.Fatalf("node %d ends before it listens: %s %v", x.n, said, err)
	}
}

// listens tells whether the node listens.
func (x *node) listens() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.at != ""
}

func (x *node) signal(s syscall.Signal) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.cmd != nil {
		_ = x.cmd.Process.Signal(s) // it may just have ended
	}
}

// kill kills the node, which stays dead until the mishap ends.
func (x *node) kill() (end func()) { return x.stopBy(syscall.SIGKILL) }

// stopBy ends the node by a signal; it stays down until the mishap ends.
func (x *node) stopBy(by syscall.Signal) (end func()) {
	x.mu.Lock()
	x.down++
	x.mu.Unlock()
	x.signal(by)
	return func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.down--; x.down == 0 {
			select {
			case x.woken <- struct{}{}:
			default:
			}
		}
	}
}

// patience is how long whoever deploys waits for a node to stop in peace.
const patience = 20 * time.Second

// deploy stops the node in peace, and starts it as the other version: the one after
// this, or this one again. A node that does not stop is killed.
func (x *node) deploy() {
	defer x.stopBy(syscall.SIGTERM)()
	for late := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		x.mu.Lock()
		ended := x.cmd == nil
		if ended {
			x.next = !x.next
		}
		x.mu.Unlock()
		if ended {
			return
		}
		if time.Now().After(late) {
			x.signal(syscall.SIGKILL)
		}
	}
}

// pause has the node stand still until the mishap ends.
func (x *node) pause() (end func()) {
	x.signal(syscall.SIGSTOP)
	return func() { x.signal(syscall.SIGCONT) }
}

// end ends the node for good.
func (x *node) end() {
	x.mu.Lock()
	x.over = true
	select {
	case x.woken <- struct{}{}:
	default:
	}
	x.mu.Unlock()
	x.signal(syscall.SIGKILL)
	x.ended.Wait()
}

// wrongs are what the checks have found.
type wrongs struct {
	mu    sync.Mutex
	list  []string
	first chan struct{} // closed when there is one
	by    map[string]int
}

// mostWrongs is how many of them are told.
const mostWrongs = 40

func (w *wrongs) add(check, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.by == nil {
		w.by = map[string]int{}
	}
	w.by[check]++
	if len(w.list) < mostWrongs {
		w.list = append(w.list, check+": "+fmt.Sprintf(format, args...))
	}
	if len(w.list) == 1 && w.first != nil {
		close(w.first)
	}
}

func (w *wrongs) found(check string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.by[check]
}

func (w *wrongs) all() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.list, "\n")
}
