package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestLoadPlaysRealGames: at a server of its own and at one that runs.
func TestLoadPlaysRealGames(t *testing.T) {
	t.Parallel()
	s := serveHere(t)
	for _, how := range [][]string{{"bosk", "--bare"}, {"grandbois"}, {"treesociety", "--url", s.url}, {"bosk", "--rate", "20"}} {
		var r loadResult
		idle := func() bool { return r.Copse == nil || r.Copse.Moves == 0 || r.Bare != nil && r.Bare.Moves == 0 }
		for long := 400 * time.Millisecond; idle() && long < time.Minute; long *= 2 { // a busy machine gets little done in a short time
			args := append([]string{"load", "--tables", "3", "--rate", "0", "--for", long.String(), "--warm", "0s", "--json"}, how...)
			r = loadResult{}
			if err := json.Unmarshal([]byte(runs(t, args...)), &r); err != nil {
				t.Fatal(err)
			}
		}
		if r.Game != how[0] || r.Copse.Moves == 0 || r.Copse.Errors != 0 || r.Copse.ServerCPU < 0 || r.Copse.P99 <= 0 {
			t.Errorf("%v: %+v", how, r.Copse)
		}
		if bare := len(how) == 2 && how[1] == "--bare"; bare != (r.Bare != nil) || bare && (r.Bare.Moves == 0 || r.Bare.Errors != 0) {
			t.Errorf("%v: %+v", how, r.Bare)
		}
	}
	if said := runs(t, "load", "--tables", "1", "--rate", "0", "--for", "100ms", "--warm", "0s"); !strings.Contains(said, "work of the server a move") {
		t.Errorf("load says %s", said)
	}
	fails(t, "no game is called", "load", "chess")
	fails(t, "--tables 0: between 1 and", "load", "--tables", "0")
	fails(t, "--rate -1: between", "load", "--rate=-1")
	fails(t, "--for and --warm are times", "load", "--for", "0s")
	fails(t, "a table cannot be set", "load", "--url", "http://127.0.0.1:1", "--tables", "1")
}
