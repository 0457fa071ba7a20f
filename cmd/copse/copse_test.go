package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"copse/store/postgres/pgtest"
)

// TestMain lets the test binary be copse itself, so that the tests below run the
// real commands.
func TestMain(m *testing.M) {
	if os.Getenv("COPSE_TEST_RUN") != "" {
		if sign := os.Getenv(badDisk); sign != "" {
			failBy(sign)
		}
		if os.Getenv(signalled) != "" {
			signalTwice()
			return
		}
		main()
		return
	}
	goleak.VerifyTestMain(withDatabase{m})
}

// withDatabase runs the tests, and stops the PostgreSQL that they have started.
type withDatabase struct{ m *testing.M }

func (w withDatabase) Run() int { return pgtest.Main(w.m) }

// copse runs a command and gives what it printed and its exit code.
func copse(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1", "LANGUAGE=", "LC_ALL=C")
	cmd.Stdin = strings.NewReader(stdin)
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &told
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), told.String(), code
}

func TestCommandsThatWork(t *testing.T) {
	t.Parallel()
	box := filepath.Join(t.TempDir(), "park.json")
	rows := `["GGGGGG","GGGGGG","GGGGGG","BBBBBB","BBBBBB","BBBBBB"]`
	if err := os.WriteFile(box, []byte("\uFEFF"+`{"boards":{"2":{"rows":`+rows+`}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stdin string
		args  string
		want  string // a text somewhere on standard output
	}{
		{"", "--help", "play"},
		{"", "help", "play"},
		{"", "help serve", "--open-metrics"},
		{"", "help box", "box show"},
		{"", "help box show", "--table"},
		{"", "--version", "copse 0.9.0"},
		{"", "version", "copse 0.9.0"},
		{"", "manual", ".TH COPSE 1"},
		{"", "manual --as markdown", "## copse serve"},
		{`{"do":"games"}`, "engine", `{"ok":true,"games":[{"name":"bosk",`},
		{"", "sim bosk --seats 3 --games 100 --seed oak", "bosk, 3 seats, 100 random games, seed \"oak\""},
		{"", "sim bosk --games 50 --json", `"game":"bosk","version":1,"seats":2,"games":50,"seed":"1"`},
		{"", "sim bosk --games 50 --box " + box, "bosk, 2 seats, 50 random games"},
		{"", "arena grandbois --games 1 --players greedy,random --seed oak", "grandbois, 2 seats, 2 games in 1 groups, seed \"oak\""},
		{"", "arena bosk --seats 3 --games 3 --players easy,easy,random --json", `"byPlayer":[{"player":"easy","seats":2,`},
		{"", "arena bosk --players greedy,random --games 400 --sprt 0.5,0.7", "settled: greedy wins 0.7 rather than 0.5"},
		{"", "arena bosk --players flat:2,random --games 2 --ms 60000", "the first 2 turns are drawn at random"},
		{"", "judge grandbois --judges worth,playouts:1 --player random --games 2", "of those to whom it gives a chance to win"},
		{"", "judge grandbois --judges worth --player random --games 2 --part 0.1 --again 10", "open, by 10 games"},
		{"", "judge bosk --judges worth --player random --games 2 --part 1e-300 --again 10", "all            0   –      –         –"},
		{"", "practise bosk --rounds 1 --groups 1 --pace 0.5 --seats 3", "in 6000 games at a table of 3"},
		{"", "ladder bosk --players random,flat:1,easy --games 4 --out " + filepath.Join(t.TempDir(), "climb"), "climb.html"},
		{"", "play bosk --seed 1 --humans 0 --bots easy", "plays gently"},
		{"", "play bosk --seed 1 --lang it --bots greedy", "prepara il turno"},
		{"", "sim treesociety --games 10 --option guilds=writers,bankers,explorers,botanists", "treesociety, 2 seats, 10 random games"},
		{"", "box show bosk", `"toward"`},
		{"", "box show treesociety --table --lang fr", "Pont de corde"},
		{"", "box check " + box, "is a good box for bosk."},
		{"quit\n", "play bosk --seed 1", "Goodbye!"},
		{"", "play bosk --seed 1 --lang fr", "Printemps"},
		{"quit\n", "play bosk --seed 1 --box " + box, "meadow"},
	} {
		out, told, code := copse(t, c.stdin, strings.Fields(c.args)...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("copse %s: exit code %d, %s\n%.600s\nwants %q", c.args, code, told, out, c.want)
		}
	}
}

// The command that is printed at the end of a game plays the same game: it names
// the program as it was called and every flag, quoted for a shell.
func TestTheSameGameOnceMore(t *testing.T) {
	t.Parallel()
	c := playCommand{
		Game: "grandbois", Humans: 0, Bots: "easy", Lang: "fr", Colour: "never", Seed: "",
		tableFlags: tableFlags{Seats: 3, Option: map[string]string{"expert": "true"}, Box: "my box.json"},
	}
	want := []string{
		os.Args[0], "play", "grandbois", "--seats", "3", "--humans", "0", "--bots", "easy", "--option", "expert=true",
		"--box", "my box.json", "--lang", "fr", "--colour", "never", "--seed=-1",
	}
	if got := c.again("-1"); !slices.Equal(got, want) {
		t.Errorf("once more: %q\nwant %q", got, want)
	}
	first, _, _ := copse(t, "", "play", "grandbois", "--humans", "0", "--option", "expert=true", "--seed", "it's -1", "--lang", "it")
	lines := strings.Split(strings.TrimSpace(first), "\n")
	command := strings.TrimSpace(lines[len(lines)-1])
	if !strings.HasSuffix(command, ` play grandbois --seats 2 --humans 0 --bots level:3 --option expert=true --lang it --seed 'it'\''s -1'`) {
		t.Fatalf("the game ends with the command %s", command)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(sh, "-c", command)
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
	if second, err := cmd.Output(); err != nil || string(second) != first {
		t.Errorf("%s: %v, and the screen is another:\n%.400s", command, err, second)
	}
}

func TestAnInterruptIsAnsweredPolitely(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "play", "bosk", "--seed", "oak", "--lang", "en")
	cmd.Env = append(os.Environ(), "COPSE_TEST_RUN=1")
	if _, err := cmd.StdinPipe(); err != nil { // nobody types
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var screen bytes.Buffer
	for b := make([]byte, 1); !bytes.HasSuffix(screen.Bytes(), []byte("\n> ")); screen.Write(b) {
		if _, err := out.Read(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || told.Len() > 0 || !strings.HasSuffix(string(rest), "--seed oak\nGoodbye!\n") {
		t.Errorf("after an interrupt: %v, %q, %q", err, rest, told.String())
	}
}

func TestTheWindow(t *testing.T) {
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for _, c := range []struct {
		env           map[string]string
		columns, rows int
	}{
		{nil, 0, 0},
		{map[string]string{"COLUMNS": "60", "LINES": "24"}, 60, 24},
		{map[string]string{"COLUMNS": "wide", "LINES": "-3"}, 0, 0},
	} {
		if columns, rows := window(file, func(name string) string { return c.env[name] }); columns != c.columns || rows != c.rows {
			t.Errorf("%v: %d columns and %d rows", c.env, columns, rows)
		}
	}
}

func TestCommandsThatFailSayWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		code       int
		args, want string
	}{
		{exitUsage, "fly", "unexpected argument fly"},
		{exitUsage, "help fly", `no command is called "fly"`},
		{exitUsage, "", "expected one of"},
		{exitUsage, "completion tcsh", "must be one of"},
		{exitUsage, "serve --host https://copse.example", "is no host"},
		{exitUsage, "serve --store file:copse --news nats://localhost", "--store is no address"},
		{exitUsage, "serve --news nats://localhost", "--news is for nodes"},
		{exitUsage, "serve --news smoke://localhost --store postgres://localhost/copse", "--news is no address"},
		{exitUsage, "nodes --store file:copse", "--store is no address"},
		{exitUsage, "copy --from postgres://localhost/copse?password=oak --to x", "a secret in a flag"},
		{exitUsage, "box check --game chess ../../games/bosk/box.json", `no game is called "chess"`},
		{exitUsage, "export a --url ftp:", "--url ftp: is no address"},
		{exitFailed, "verify " + filepath.Join(dir, "none.jsonl"), "no such file"},
		{exitFailed, "backup " + filepath.Join(dir, "none", "x"), "there is no folder"},
		{exitUsage, "sim", `expected "<game>"`},
		{exitUsage, "sim chess", `no game is called "chess"; there is bosk`},
		{exitUsage, "play chess", `no game is called "chess"; there is bosk`},
		{exitUsage, "sim bosk --seats 7", "2 to 4 players"},
		{exitUsage, "play bosk --seats 1", "2 to 4 players"},
		{exitUsage, "play bosk --seats 0", "2 to 4 players"},
		{exitUsage, "sim bosk --option fast=true", "fast"},
		{exitUsage, "sim bosk --option fast", "fast"},
		{exitUsage, "play bosk --lang klingon", "--lang must be one of"},
		{exitUsage, "sim bosk --games 0", "--games 0: between 1 and"},
		{exitUsage, "sim bosk --games many", "many"},
		{exitUsage, "sim bosk --cores=-1", "--cores -1: between"},
		{exitUsage, "sim bosk --players greedy,random", "unknown flag --players"},
		{exitFailed, "sim bosk --box ../../games/treesociety/box.json", `it is a box for "treesociety", not for "bosk"`},
		{exitUsage, "sim treesociety --option guilds=writers,bakers", "“bakers” cannot be chosen"},
		{exitUsage, "arena bosk", "missing flags: --players"},
		{exitUsage, "arena chess --players a,b", `no game is called "chess"`},
		{exitUsage, "arena bosk --players greedy", "--players names 1 players for 2 seats"},
		{exitUsage, "arena bosk --players greedy,clever", "There is no player “clever”"},
		{exitUsage, "arena bosk --players greedy,flat:0", "after “flat:” comes the number of playouts"},
		{exitUsage, "practise chess", "chess"},
		{exitUsage, "practise bosk --rounds 0", "--rounds 0: between 1 and"},
		{exitUsage, "practise bosk --groups 0", "--groups 0: between 1 and"},
		{exitUsage, "practise bosk --pace 0", "--pace 0: between 0.001 and 10"},
		{exitUsage, "practise bosk --pace NaN", "--pace NaN: between 0.001 and 10"},
		{exitUsage, "practise bosk --pace 11", "--pace 11: between"},
		{exitUsage, "practise bosk --cores=-1", "--cores -1: between 0 (all) and"},
		{exitUsage, "practise bosk --seats 9", "9"},
		{exitUsage, "arena bosk --players greedy,random --games 0", "--games 0: between 1 and"},
		{exitUsage, "arena bosk --players greedy,random --cores=-1", "--cores -1: between"},
		{exitUsage, "arena bosk --players greedy,random --opening=-2", "--opening -2: between"},
		{exitUsage, "arena bosk --players greedy,random --ms=-2", "--ms -2: between"},
		{exitUsage, "arena bosk --players greedy,random --sprt 0.5", "--sprt 0.5: two shares between 0 and 1"},
		{exitUsage, "arena bosk --players greedy,random --sprt 0.6,0.5", "--sprt 0.6,0.5: two shares"},
		{exitUsage, "arena bosk --players greedy,random --sprt 0.5,0.6 --alpha 0.9", "--alpha 0.9: between"},
		{exitUsage, "arena bosk --players random,random --sprt 0.5,0.6", "name two different players"},
		{exitFailed, "arena bosk --players greedy,random --save " + write("saved.jsonl", "{\"copse\":\"match\"}\n"), "played with other settings"},
		{exitUsage, "ladder bosk --players greedy", "at least two players"},
		{exitUsage, "ladder bosk --seats 5", "2 to 4 players"},
		{exitFailed, "ladder bosk --players random,easy --games 2 --out " + filepath.Join(dir, "none", "x"), "no such file or directory"},
		{exitUsage, "play bosk --bots clever", "clever"},
		{exitUsage, "judge bosk --player nobody", "nobody"},
		{exitUsage, "judge bosk --judges oracle", "oracle"},
		{exitUsage, "judge bosk --judges=", "--judges names nobody"},
		{exitUsage, "judge bosk --games 1", "--games 1: between 2 and"},
		{exitUsage, "judge bosk --part 0", "--part 0: more than 0"},
		{exitUsage, "judge bosk --part nan", "--part NaN: more than 0"},
		{exitUsage, "judge bosk --again 9", "--again 9: 0, or between 10 and"},
		{exitUsage, "judge bosk --again=-3", "--again -3: 0, or"},
		{exitUsage, "judge bosk --cores=-1", "--cores -1: between"},
		{exitUsage, "judge bosk --judges net --net ../../nets/grandbois-1-of-2.net", "it is grandbois-1-of-2, and at a table such as this bosk-1-of-2 is asked"},
		{exitUsage, "arena bosk --seats 3 --players random,random,random --net ../../nets/bosk-1-of-2.net", "it is bosk-1-of-2, and at a table such as this bosk-1-of-3 is asked"},
		{exitUsage, "lessons treesociety --option banners=7 --net ../../nets/treesociety-5-1-of-2.net --out " + filepath.Join(dir, "none.lessons"), "at a table such as this no net is asked"},
		{exitUsage, "lessons treesociety --option banners=7 --out " + filepath.Join(dir, "none.lessons"), "nothing can be learned there"},
		{exitUsage, "judge grandbois --option expert=maybe --net ../../nets/grandbois-1-of-2.net", "must be true or false"},
		{exitUsage, "judge bosk --net " + write("half.net", "copse net\n"), "the file is damaged, or is no net"},
		{exitUsage, "lessons bosk --part 0 --out " + filepath.Join(dir, "none.lessons"), "--part 0: more than 0"},
		{exitFailed, "box check " + filepath.Join(dir, "none.json"), "no such file"},
		{exitFailed, "box check " + dir, "is a directory"},
		{exitFailed, "box check " + write("half.json", "{\n\"boards\":"), "half.json is not JSON: line 2"},
		{exitFailed, "box check " + write("small.json", `{"boards":{"2":{"rows":["G"]}}}`), "boards"},
		{exitFailed, "box check " + write("game.json", `{"game":"chess"}`), `no game is called "chess"`},
		{exitFailed, "box check " + write("other.json", `{"dice":6}`), `add a field "game" or use --game`},
		{exitFailed, "box check " + write("large.json", strings.Repeat(" ", 1<<20)), "a box has at most"},
		{exitFailed, "play bosk --box " + write("row.json", `{"boards":{"2":{"rows":["GGGGGG","G","","","",""]}}}`), "row.json"},
	} {
		out, told, code := copse(t, "", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(told, c.want) {
			t.Errorf("copse %s: exit code %d, want %d\n%s%s\nwants %q", c.args, code, c.code, out, told, c.want)
		}
		if c.code == exitUsage && out != "" {
			t.Errorf("copse %s prints where others read what they asked for: %s", c.args, out)
		}
		if strings.Contains(told, "goroutine") {
			t.Errorf("copse %s died: %s", c.args, told)
		}
	}
}
