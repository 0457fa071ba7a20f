package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"copse/store"
	"copse/store/sqlite/disktest"
)

// victim is the variable of the environment that names, for a process that the test
// below has started, the database to which it writes until it is killed.
const victim = "COPSE_STORE_VICTIM"

func TestMain(m *testing.M) {
	if file := os.Getenv(victim); file != "" {
		fmt.Fprintln(os.Stderr, suffer(file, os.Getenv(victim+"_LIFE")))
		os.Exit(1)
	}
	if err := disktest.Wide(); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// suffer appends as fast as it can and prints what was acknowledged, after it was.
// Every entry is a word of its own. Some appends are sent again under the same key,
// as after a lost answer; logs that are long enough are packed.
func suffer(file, life string) error {
	begin := time.Now()
	s, err := Open(file)
	if err != nil {
		return err
	}
	fmt.Printf("opened %v\n", time.Since(begin))
	ctx, failed := context.Background(), make(chan error, 1)
	var mu sync.Mutex
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Printf(format+"\n", args...)
	}
	play := func(who int, table func(series int) string, last int) error {
		next, series := 0, 0
		for i := 0; ; i++ {
			word := fmt.Sprintf("%s.%d.%d", life, who, i)
			a := store.Append{Table: table(series), Next: next, At: store.Time(1), Entries: [][]byte{[]byte(word)}, Row: &store.Row{Game: "bosk", Turn: uint16(i)},
				Once: store.Once{Who: "victim", Key: word, After: next, Answer: []byte(word)}}
			receipt, err := s.Append(ctx, a)
			var conflict *store.Conflict
			if errors.As(err, &conflict) {
				next = conflict.Next
				continue
			}
			if err != nil {
				return err
			}
			say("%s %d %s", a.Table, next, word)
			if i%5 == 0 {
				again, err := s.Append(ctx, a)
				if err != nil || !again.Repeated || again.Next != receipt.Next {
					return fmt.Errorf("sent again: %+v, %w", again, err)
				}
			}
			if next = receipt.Next; next == last {
				if err := s.Pack(ctx, a.Table, store.Time(2)); err != nil {
					return err
				}
				next, series = 0, series+1
			}
		}
	}
	for who := range 12 {
		go func() {
			if who < 3 { // these meet at one table
				failed <- play(who, func(int) string { return "shared" }, 1<<30)
			} else {
				failed <- play(who, func(series int) string { return fmt.Sprintf("t%s-%d-%d", life, who, series) }, 25)
			}
		}()
	}
	return <-failed
}

// largestLog is how large the log file of a server may become that is killed again
// and again: every start reads it.
const largestLog = 16 << 20

// TestKilledAtAnyMoment kills a process that writes, again and again, and makes
// sure that everything acknowledged is there, once. Nobody closes the database in
// between, and its log file stays small. COPSE_TORTURE does it 500 times.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	lives := 30
	if os.Getenv("COPSE_TORTURE") != "" {
		lives = 500
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copse.db")
	rng := rand.New(rand.NewPCG(8, uint64(lives)))
	ever, slowest, all, largest := map[string]string{}, time.Duration(0), 0, int64(0) // "table number" → word
	for life := range lives {
		told := map[string]string{} // in this life
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), victim+"="+file, victim+"_LIFE="+strconv.Itoa(life))
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		fate, lines := rng.IntN(1200), bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if n == fate {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			if took, ok := strings.CutPrefix(lines.Text(), "opened "); ok {
				opening, err := time.ParseDuration(took)
				if err != nil {
					t.Fatal(err)
				}
				slowest = max(slowest, opening)
				continue
			}
			table, rest, _ := strings.Cut(lines.Text(), " ")
			number, word, ok := strings.Cut(rest, " ")
			if !ok || !strings.HasPrefix(word, strconv.Itoa(life)+".") || strings.Count(word, ".") != 2 {
				continue // cut off in the midst of a line
			}
			if was, twice := ever[table+" "+number]; twice && was != word {
				t.Fatalf("entry %s of %s was acknowledged to %s and to %s", number, table, was, word)
			}
			told[table+" "+number], ever[table+" "+number] = word, word
			all++
		}
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("life %d ended by itself: %v", life, err)
		}
		if largest = max(largest, logSize(t, file)); largest > largestLog {
			t.Fatalf("after %d lives the log file has %d bytes", life+1, largest)
		}
		s, err := Look(file) // which leaves the log file as it is
		if err != nil {
			t.Fatalf("after %d lives: %v", life+1, err)
		}
		survey(t, s, told)
		if life == lives-1 {
			survey(t, s, ever)
			if _, err := s.Check(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.FailNow()
		}
		if os.Getenv("COPSE_TORTURE") != "" && (life+1)%50 == 0 {
			t.Logf("killed %d times so far", life+1)
		}
	}
	t.Logf("figures: store killed %d times: %d appends were acknowledged, all are there once; the log file had %.1f MB at most, opening took %v at most", lives, all, float64(largest)/1e6, slowest.Round(time.Millisecond))
}

// survey reads all logs and compares them with what was told.
func survey(t *testing.T, s *Store, told map[string]string) {
	t.Helper()
	logs, seen := map[string][]store.Entry{}, map[string]bool{}
	for place, word := range told {
		table, number, _ := strings.Cut(place, " ")
		if _, ok := logs[table]; !ok {
			log, err := s.Read(t.Context(), table, 0)
			if err != nil {
				t.Errorf("%s: %v", table, err)
			}
			logs[table] = log
			for _, e := range log {
				if seen[string(e.Body)] {
					t.Errorf("%s is there twice", e.Body)
				}
				seen[string(e.Body)] = true
			}
		}
		if n, err := strconv.Atoi(number); err != nil || n >= len(logs[table]) || string(logs[table][n].Body) != word {
			t.Errorf("%s was acknowledged as entry %s of %s, and is not there", word, number, table)
		}
	}
}
