package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	broker "github.com/nats-io/nats-server/v2/server"

	"copse/store/postgres/pgtest"
)

// postgresHere starts a PostgreSQL of its own, which is gone after the test.
func postgresHere(tb testing.TB, settings ...string) (address string) {
	tb.Helper()
	s, err := pgtest.Start(settings...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Stop(); err != nil {
			tb.Error(err)
		}
	})
	return s.Database(tb, "", nil)
}

// natsHere starts a NATS server, which is gone after the test.
func natsHere(tb testing.TB) (address string) {
	tb.Helper()
	s, err := broker.NewServer(&broker.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		tb.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		tb.Fatal("the NATS server does not start")
	}
	tb.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s.ClientURL()
}

// TestLoadOfNodes: real games, the two at a table at different nodes.
func TestLoadOfNodes(t *testing.T) {
	t.Parallel()
	store, news := postgresHere(t, pgtest.Quick...), natsHere(t)
	var r loadResult
	short := func() bool { return len(r.Nodes) != 2 || r.Nodes[0].Copse.Moves == 0 || r.Nodes[1].Copse.Moves == 0 }
	for long := 400 * time.Millisecond; short() && long < time.Minute; long *= 2 { // a busy machine gets little done in a short time
		r = loadResult{}
		if err := json.Unmarshal([]byte(runs(t, "load", "treesociety", "--nodes", "1,3", "--store", store, "--news", news, "--tables", "3", "--rate", "0", "--for", long.String(), "--warm", "0s", "--json")), &r); err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range r.Nodes {
		if f := n.Copse; n.Nodes != []int{1, 3}[i] || f.Errors != 0 || f.Appends < 1 {
			t.Errorf("%d nodes: %+v", n.Nodes, f)
		}
	}
	fails(t, "--nodes are over a PostgreSQL and NATS", "load", "--nodes", "2")
	fails(t, "--nodes 0: between 1 and", "load", "--nodes", "0", "--store", store, "--news", news)
	fails(t, "are for --nodes", "load", "--store", store, "--news", news)
}

// BenchmarkNodes prints what one, two and three nodes over a PostgreSQL that syncs
// cost, with one file beside it: paced, and as fast as it goes.
func BenchmarkNodes(b *testing.B) {
	store, news := postgresHere(b, "shared_buffers=256MB"), natsHere(b)
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, rate := range []string{"1", "0"} {
			cmd := exec.Command(exe, "load", "--nodes", "1,2,3", "--store", store, "--news", news, "--rate", rate, "--for", "10s", "--warm", "3s")
			cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
			out, err := cmd.CombinedOutput()
			if err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			for line := range strings.Lines(string(out)) {
				b.Log(strings.TrimRight(line, "\n"))
			}
		}
	}
}
