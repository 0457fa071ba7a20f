package pgtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// copies counts how often the test below has run, each time with something else to prepare.
var copies atomic.Int64

// TestADatabaseIsACopy: each test has a database of its own, with what was prepared.
func TestADatabaseIsACopy(t *testing.T) {
	t.Parallel()
	s, kind, prepared := Shared(t), fmt.Sprint("oaks", copies.Add(1)), 0
	prepare := func(url string) error {
		prepared++
		return s.Exec(url, "CREATE TABLE oaks (n int)", "INSERT INTO oaks VALUES (1)")
	}
	for range 2 {
		url := s.Database(t, kind, prepare)
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if err := conn.QueryRow(t.Context(), "INSERT INTO oaks VALUES (2); SELECT count(*) FROM oaks", pgx.QueryExecModeSimpleProtocol).Scan(&n); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			t.Fatal(err)
		}
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM oaks").Scan(&n); err != nil || n != 2 {
			t.Errorf("there are %d oaks, %v", n, err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if prepared != 1 {
		t.Errorf("it was prepared %d times", prepared)
	}
}

// TestAServerIsGoneWithItsFolder, also when it was crashed and started again.
func TestAServerIsGoneWithItsFolder(t *testing.T) {
	t.Parallel()
	s, err := Start(Quick...)
	if err != nil {
		t.Fatal(err)
	}
	pid := s.Pid()
	if err := s.Restart(false); err != nil {
		t.Fatal(err)
	}
	if s.Pid() == pid {
		t.Error("it is the same process")
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if there(s.folder) {
		t.Error("its folder is there")
	}
	if _, err := pgx.Connect(context.Background(), s.url("postgres")); err == nil {
		t.Error("it still answers")
	}
}

// orphan is the variable of the environment in which TestAKilledTestLeavesNoServer
// starts itself.
const orphan = "COPSE_PGTEST_ORPHAN"

// TestAKilledTestLeavesNoServer kills a process that has started a server.
func TestAKilledTestLeavesNoServer(t *testing.T) {
	t.Parallel()
	if os.Getenv(orphan) != "" {
		s, err := Start(Quick...)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("server %d %s\n", s.Pid(), s.folder)
		select {}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^TestAKilledTestLeavesNoServer$")
	cmd.Env = append(os.Environ(), orphan+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	var folder string
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "server ") {
			_, _ = fmt.Sscanf(lines.Text(), "server %d %s", &pid, &folder)
		}
	}
	if pid == 0 {
		t.Fatal("no server was started")
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for syscall.Kill(pid, 0) == nil { // it cleans up first, however long that takes
		time.Sleep(time.Millisecond)
	}
}

// TestWhatIsMissingIsSaid: without PostgreSQL a test says what to install.
func TestWhatIsMissingIsSaid(t *testing.T) {
	t.Setenv("POSTGRES", t.TempDir())
	if _, err := Start(); err == nil || !strings.Contains(err.Error(), "apt-get install postgresql") {
		t.Errorf("it says %v", err)
	}
}

// TestAStandbyTakesOver: what was acknowledged by a server with a synchronous standby
// is there when the server is gone and the standby is promoted.
func TestAStandbyTakesOver(t *testing.T) {
	t.Parallel()
	settings := append([]string{"synchronous_standby_names=standby"}, Quick...)
	first, err := Start(settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = first.Stop() })
	second, err := first.Standby("host="+first.folder+" user=copse application_name=standby", settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Stop() })
	if err := first.Exec(first.URL("postgres"), "CREATE TABLE oaks (n int)", "INSERT INTO oaks VALUES (1)"); err != nil { // it waits for the standby
		t.Fatal(err)
	}
	if err := second.Exec(second.URL("postgres"), "INSERT INTO oaks VALUES (2)"); err == nil {
		t.Error("a standby takes writes")
	}
	if err := first.Halt(false); err != nil {
		t.Fatal(err)
	}
	if err := second.Promote(); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), second.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // the test is over
	var n int
	if err := conn.QueryRow(t.Context(), "SELECT n FROM oaks").Scan(&n); err != nil || n != 1 {
		t.Errorf("there is %d, %v", n, err)
	}
	if _, err := conn.Exec(t.Context(), "SET synchronous_commit = local; INSERT INTO oaks VALUES (3)"); err != nil {
		t.Errorf("what was promoted takes no writes: %v", err)
	}
}
