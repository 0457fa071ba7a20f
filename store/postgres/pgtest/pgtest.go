// Package pgtest starts a real PostgreSQL for tests: one server for a test binary,
// a database for each test. The server is Debian's, run from a folder of its own
// that goes with it; it listens on a socket in that folder and nowhere else.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a PostgreSQL that runs until it is stopped, or until the process that
// has started it ends.
type Server struct {
	folder string
	bin    string
	as     *syscall.SysProcAttr
	more   []string // settings
	cmd    *exec.Cmd
	ended  chan struct{}

	databases atomic.Int64
	templates sync.Map // name → func() (string, error)
}

// Quick are settings for tests that lose nothing if the machine dies.
var Quick = []string{"fsync=off", "full_page_writes=off"}

// missing says what to install.
const missing = "this test needs PostgreSQL: install it (Debian: apt-get install postgresql; tools/postgres.sh does that), or set POSTGRES to the folder of its programs"

// Bin is the folder of PostgreSQL's programs: the one that $POSTGRES names, or that
// of postgres on the path, or Debian's newest.
func Bin() (string, error) {
	folders := []string{os.Getenv("POSTGRES")}
	if folders[0] == "" {
		folders = folders[:0]
		if on, err := exec.LookPath("postgres"); err == nil {
			if real, err := filepath.EvalSymlinks(on); err == nil { // which finds its own files from there
				folders = append(folders, filepath.Dir(real))
			}
		}
		debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
		slices.SortFunc(debian, func(a, b string) int { return version(b) - version(a) })
		folders = append(folders, debian...)
	}
	for _, folder := range folders {
		if there(filepath.Join(folder, "postgres")) && there(filepath.Join(folder, "initdb")) {
			return folder, nil
		}
	}
	return "", errors.New(missing)
}

func there(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// version is that of a folder /usr/lib/postgresql/15/bin.
func version(folder string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder)))
	return n
}

// Start makes a database cluster in a new folder and starts a server for it, with
// settings such as "fsync=off".
func Start(settings ...string) (*Server, error) {
	bin, err := Bin()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "copse-pg")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, bin: bin, more: settings}
	if s.as, err = owner(folder); err == nil {
		err = s.make()
	}
	if err == nil {
		err = s.begin()
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// owner gives a folder to somebody whom PostgreSQL takes for its own: it refuses to
// be run by root.
func owner(folder string) (*syscall.SysProcAttr, error) {
	attr := orphanless()
	if os.Getuid() != 0 {
		return attr, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		if who, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.Atoi(who.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(who.Gid)
	if err != nil {
		return nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(folder, uid, gid)
}

func (s *Server) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	cmd.Dir, cmd.SysProcAttr = s.folder, s.as
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	return cmd
}

// make makes the files of a cluster.
func (s *Server) make() error {
	cmd := s.command("initdb", "-D", s.data(), "-U", "copse", "-A", "trust", "--no-sync", "--encoding=UTF8", "--locale=C")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pgtest: initdb: %w\n%s", err, out)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// Log is the file that the server writes what it has to say to.
func (s *Server) Log() string { return filepath.Join(s.folder, "log") }

// begin starts the server and waits until it answers.
func (s *Server) begin() error {
	log, err := os.OpenFile(s.Log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // it is the child's
	args := []string{"-D", s.data(), "-k", s.folder}
	for _, set := range append([]string{"listen_addresses=", "max_connections=200", "autovacuum_naptime=5"}, s.more...) {
		args = append(args, "-c", set)
	}
	s.cmd, s.ended = s.command("postgres", args...), make(chan struct{})
	s.cmd.Stdout, s.cmd.Stderr = log, log
	started := make(chan error)
	go func() { // the server is told when the thread that has started it ends
		runtime.LockOSThread()
		started <- s.cmd.Start()
		_ = s.cmd.Wait() // the log says why it has ended
		close(s.ended)
	}()
	if err := <-started; err != nil {
		close(s.ended)
		return err
	}
	for {
		conn, err := pgx.Connect(context.Background(), s.url("postgres"))
		if err == nil {
			return conn.Close(context.Background())
		}
		select {
		case <-s.ended:
			said, _ := os.ReadFile(s.Log())
			return fmt.Errorf("pgtest: the server has ended: %w\n%s", err, said)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// URL is how a database of the server is reached.
func (s *Server) URL(database string) string { return s.url(database) }

func (s *Server) url(database string) string {
	return fmt.Sprintf("postgres://copse@/%s?host=%s", database, s.folder)
}

// Socket is the path of the server's socket, for a proxy.
func (s *Server) Socket() string { return filepath.Join(s.folder, ".s.PGSQL.5432") }

// Pid is the server's process.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// Restart ends the server as a crash does (or, asked to be gentle, in order) and
// starts it again from its files.
func (s *Server) Restart(gentle bool) error {
	if err := s.Halt(gentle); err != nil {
		return err
	}
	return s.begin()
}

// Halt ends the server and leaves its files; Resume starts it again.
func (s *Server) Halt(gentle bool) error {
	sign := syscall.SIGQUIT // at once, as after a crash
	if gentle {
		sign = syscall.SIGINT
	}
	if err := s.cmd.Process.Signal(sign); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.ended
	return nil
}

// Resume starts a server that was halted.
func (s *Server) Resume() error { return s.begin() }

// Standby copies a running server into a new folder and starts the copy as its
// standby, which hears from it by the connection that conninfo says, such as
// "host=127.0.0.1 port=5432 user=copse application_name=standby". It returns when
// the copy is whole: everything that the server has acknowledged is in it.
func (s *Server) Standby(conninfo string, settings ...string) (*Server, error) {
	folder, err := os.MkdirTemp("", "copse-pg")
	if err != nil {
		return nil, err
	}
	n := &Server{folder: folder, bin: s.bin, more: append(slices.Clone(settings), "primary_conninfo="+conninfo)}
	if n.as, err = owner(folder); err == nil {
		cmd := n.command("pg_basebackup", "-h", s.folder, "-U", "copse", "-D", n.data(), "--checkpoint=fast", "--no-sync", "--wal-method=stream")
		var out []byte
		if out, err = cmd.CombinedOutput(); err != nil {
			err = fmt.Errorf("pgtest: pg_basebackup: %w\n%s", err, out)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(n.data(), "standby.signal"), nil, 0o600)
	}
	if err == nil && os.Getuid() == 0 {
		err = os.Chown(filepath.Join(n.data(), "standby.signal"), int(n.as.Credential.Uid), int(n.as.Credential.Gid))
	}
	if err == nil {
		err = n.begin()
	}
	if err != nil {
		return nil, errors.Join(err, n.Stop())
	}
	return n, nil
}

// Promote makes a standby a primary, and returns when it takes writes.
func (s *Server) Promote() error {
	return s.Exec(s.URL("postgres"), "SELECT 1 / pg_promote(true, 600)::int")
}

// Stop ends the server and deletes everything.
func (s *Server) Stop() error {
	var err error
	if s.cmd != nil && s.cmd.Process != nil {
		err = s.Halt(false)
	}
	return errors.Join(err, os.RemoveAll(s.folder))
}

// Exec has a server do something in one of its databases.
func (s *Server) Exec(url string, statements ...string) error {
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err := conn.Exec(context.Background(), statement); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", statement, err), conn.Close(context.Background()))
		}
	}
	return conn.Close(context.Background())
}

// Database makes a new database and says how to reach it. It is a copy of the one
// that prepare has filled, which is asked once for each name; with no name it is
// empty. It goes when the test is over.
func (s *Server) Database(tb testing.TB, name string, prepare func(url string) error) string {
	tb.Helper()
	template := "template0"
	if name != "" {
		once, _ := s.templates.LoadOrStore(name, sync.OnceValues(func() (string, error) {
			database := fmt.Sprintf("template_%d_%s", os.Getpid(), name)
			if err := s.Exec(s.url("postgres"), "CREATE DATABASE "+database+" TEMPLATE template0"); err != nil {
				return "", err
			}
			return database, prepare(s.url(database))
		}))
		var err error
		if template, err = once.(func() (string, error))(); err != nil {
			tb.Fatal(err)
		}
	}
	database := fmt.Sprintf("test_%d_%d", os.Getpid(), s.databases.Add(1))
	if err := s.Exec(s.url("postgres"), "CREATE DATABASE "+database+" TEMPLATE "+template); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		select {
		case <-s.ended: // by the test itself
			return
		default:
		}
		if err := s.Exec(s.url("postgres"), "DROP DATABASE "+database+" WITH (FORCE)"); err != nil {
			tb.Error(err)
		}
	})
	return s.url(database)
}

// inherit is the variable of the environment that names the folder of a server that
// another process has started.
const inherit = "COPSE_PGTEST_FOLDER"

// Env is what a process that a test starts needs in its environment to use the same
// server.
func (s *Server) Env() string { return inherit + "=" + s.folder }

// one is the server of this test binary.
var one struct {
	sync.Mutex
	server *Server
	err    error
}

// Shared is the server of this test binary, which is started when it is first
// asked for. A test that cannot have it fails.
func Shared(tb testing.TB) *Server {
	tb.Helper()
	one.Lock()
	defer one.Unlock()
	if folder := os.Getenv(inherit); one.server == nil && folder != "" {
		one.server = &Server{folder: folder, ended: make(chan struct{})}
	}
	if one.server == nil && one.err == nil {
		one.server, one.err = Start(Quick...)
	}
	if one.err != nil {
		tb.Fatal(one.err)
	}
	return one.server
}

// Main runs the tests of a binary and stops its server. It is for TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
func Main(m interface{ Run() int }) int {
	code := m.Run()
	one.Lock()
	defer one.Unlock()
	if one.server != nil && one.server.cmd != nil {
		if err := one.server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, strings.TrimSpace(err.Error()))
			code = max(code, 1)
		}
	}
	return code
}
