package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/store/sqlite/disktest"

	lib "modernc.org/sqlite/lib"
)

// badDisk is the variable of the environment that names a file, for a server that a
// test has started. While that file exists, every sync of the log file fails.
const badDisk = "COPSE_TEST_BAD_DISK"

// failBy puts a disk that fails under everything that this process keeps.
func failBy(sign string) {
	d, err := disktest.Default()
	if err != nil {
		panic(err)
	}
	d.Set(func(op, file string) int32 {
		if _, err := os.Stat(sign); err == nil && op == "sync" && strings.HasSuffix(file, "-wal") {
			return lib.SQLITE_IOERR_FSYNC
		}
		return 0
	})
}

// TestAServerWhoseDiskFailsEndsItself: a client that waits for a move is told to
// try again, never that it was done or refused. The process ends with one clear
// line in its log and a code by which it is started again, and then what was
// acknowledged is there.
func TestAServerWhoseDiskFailsEndsItself(t *testing.T) {
	sign := filepath.Join(t.TempDir(), "fail")
	t.Setenv(badDisk, sign)
	s := serveHere(t)
	people := []*guest{{served: s}, {served: s}}
	at := "/api/tables/" + together(t, "bosk", people...)
	people[0].try("POST", at+"/start", "", "start")
	next := func() (mover *guest, draft string, after int) {
		var m struct {
			After int
			ToAct []int
			Moves []json.RawMessage
		}
		if err := json.Unmarshal(people[0].try("GET", at+"/moves", "", ""), &m); err != nil {
			t.Fatal(err)
		}
		return people[m.ToAct[0]], fmt.Sprintf(`{"after":%d,"moves":[%s]}`, m.After, m.Moves[0]), m.After
	}
	mover, draft, first := next()
	mover.try("POST", at+"/moves", draft, "first")
	mover, draft, before := next()
	if before <= first {
		t.Fatalf("a move after %d leads to %d", first, before)
	}

	if err := os.WriteFile(sign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, s.url+at+"/moves", strings.NewReader(draft))
	if err != nil {
		t.Fatal(err)
	}
	req.AddCookie(&http.Cookie{Name: "copse", Value: mover.cookie})
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", "second")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	var problem struct{ Key string }
	if err := json.NewDecoder(res.Body).Decode(&problem); err != nil || res.StatusCode != http.StatusServiceUnavailable || problem.Key != "server.unsure" {
		t.Errorf("a move that cannot be synced is answered %d %s, %v", res.StatusCode, problem.Key, err)
	}
	_ = res.Body.Close()
	if err := s.cmd.Wait(); err == nil || s.cmd.ProcessState.ExitCode() <= 0 {
		t.Errorf("it ends with %v", err)
	}
	if told := s.cmd.Stderr.(*bytes.Buffer).String(); strings.Count(told, "the disk has failed, and the server stops: check the disk") != 1 {
		t.Errorf("its log says %s", told)
	}

	if err := os.Remove(sign); err != nil {
		t.Fatal(err)
	}
	s.start()
	if _, _, now := next(); now < before {
		t.Errorf("after %d moves it goes on after %d", before, now)
	}
	again := mover.try("POST", at+"/moves", draft, "second") // it was done before the disk failed, or is done now
	var done struct{ Number int }
	if err := json.Unmarshal(again, &done); err != nil || done.Number <= before {
		t.Errorf("sent again, it is answered %s", again)
	}
}
