package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// interrupted runs a command and interrupts it once it is time, unless it is done by then.
func interrupted(t *testing.T, time func() bool, args ...string) (out, told string, err error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
	var said, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &complained
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for len(ended) == 0 && !time() {
		runtime.Gosched()
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	err = <-ended
	return said.String(), complained.String(), err
}

// TestAnInterruptedMatchGoesOn: an interrupt prints what is known, the same command
// goes on from there, and in the end the result is as if there had been no
// interrupt.
func TestAnInterruptedMatchGoesOn(t *testing.T) {
	t.Parallel()
	save := filepath.Join(t.TempDir(), "games.jsonl")
	args := strings.Fields("arena bosk --players greedy,easy --games 60 --seed oak --cores 1 --json")
	saving := slices.Concat(args, []string{"--save", save})
	out, told, err := interrupted(t, func() bool { // the header and some games
		raw, _ := os.ReadFile(save)
		return bytes.Count(raw, []byte("\n")) >= 10
	}, saving...)
	part := readMatch(t, []byte(out))
	if part["interrupted"] == true {
		if err == nil || !strings.Contains(told, "the same command goes on from "+save) {
			t.Errorf("after an interrupt: %v, %s", err, told)
		}
		if part["games"].(float64) < 2 || part["games"].(float64) >= 60 {
			t.Errorf("after an interrupt %v games are known", part["games"])
		}
	} // else the match was done before the interrupt came
	rest, told2, code := copse(t, "", saving...)
	whole, _, _ := copse(t, "", args...)
	if got, want := string(timeless(t, rest)), string(timeless(t, whole)); got != want || code != 0 {
		t.Errorf("interrupted, exit code %d, %s:\n%s\nnever interrupted:\n%s", code, told2, got, want)
	}
}

func readMatch(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return m
}

// timeless is a match without what depends on time.
func timeless(t *testing.T, out string) []byte {
	t.Helper()
	m := readMatch(t, []byte(out))
	delete(m, "seconds")
	for _, p := range m["byPlayer"].([]any) {
		delete(p.(map[string]any), "turnMs")
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestALadderWritesItsReports: a page and JSON, besides what it prints.
func TestALadderWritesItsReports(t *testing.T) {
	name := filepath.Join(t.TempDir(), "climb")
	out, told, code := copse(t, "", "ladder", "grandbois", "--players", "random,easy", "--games", "2", "--seats", "2", "--out", name)
	if code != 0 || !strings.Contains(out, "rating") {
		t.Fatalf("exit code %d, %s, %s", code, told, out)
	}
	page, err := os.ReadFile(name + ".html")
	if err != nil || !bytes.Contains(page, []byte("The ladder of grandbois")) {
		t.Errorf("%v: %.200s", err, page)
	}
	raw, err := os.ReadFile(name + ".json")
	if err != nil || readMatch(t, raw)["game"] != "grandbois" {
		t.Errorf("%v: %.200s", err, raw)
	}
}
