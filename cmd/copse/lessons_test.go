package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhoIsRefusedKeepsTheFile: lessons that cannot be leave a file that was there as it was,
// and none where there was none.
func TestWhoIsRefusedKeepsTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.lessons")
	if err := os.WriteFile(file, []byte("oak"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said, code := copse(t, "", "lessons", "bosk", "--player", "nobody", "--games", "1", "--out", file)
	if raw, err := os.ReadFile(file); code != exitUsage || err != nil || string(raw) != "oak" || !strings.Contains(said, "nobody") {
		t.Errorf("%d, %q, %v: %s", code, raw, err, said)
	}
	other := filepath.Join(t.TempDir(), "new.lessons")
	if _, said, code := copse(t, "", "lessons", "bosk", "--player", "level:9/former=1", "--games", "1", "--out", other); code != exitUsage || !strings.Contains(said, "--net") {
		t.Errorf("%d: %s", code, said)
	}
	if _, err := os.Stat(other); !os.IsNotExist(err) {
		t.Errorf("there is a file: %v", err)
	}
	if _, said, code := copse(t, "", "lessons", "bosk", "--player", "random", "--games", "1", "--playouts", "1", "--out", other); code != 0 {
		t.Errorf("%d: %s", code, said)
	}
	if raw, err := os.ReadFile(other); err != nil || len(raw) == 0 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
}

// TestWhoCannotPlayAtTheTerminal is told before the first turn, and that the command line is
// to blame. Where no bot sits nobody is asked whether it can.
func TestWhoCannotPlayAtTheTerminal(t *testing.T) {
	out, said, code := copse(t, "", "play", "grandbois", "--humans", "0", "--bots", "level:9/former=1", "--lang", "en")
	if code != 2 || out != "" || !strings.Contains(said, "copse arena --net") {
		t.Errorf("%d: %s%s", code, out, said)
	}
	out, said, _ = copse(t, "", "play", "grandbois", "--seats", "2", "--humans", "2", "--bots", "level:9/former=1", "--lang", "en")
	if strings.Contains(said, "--net") || out == "" {
		t.Errorf("two people play without a bot, and %s%s", out, said)
	}
}
