package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"copse/store/postgres/pgtest"
)

// TestLoadOfNodes: real games, the two at a table at different nodes.
func TestLoadOfNodes(t *testing.T) {
	t.Parallel()
	q := newQuarter(t)
	store, news := q.store, "nats://"+q.news
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
	server, err := pgtest.Start("shared_buffers=256MB")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := server.Stop(); err != nil {
			b.Error(err)
		}
	})
	store, news := server.Database(b, "", nil), "nats://"+carrierHere(b)
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
