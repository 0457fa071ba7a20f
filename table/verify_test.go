package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// finished is the export of a random game that was played to its end, with an
// undo, a pause and somebody who left.
func finished(tb testing.TB, set Settings) (*rig, []byte) {
	tb.Helper()
	rng := newRand(4, uint64(set.Seats))
	r := begun(tb, set, set.Seats)
	for range 5 {
		r.turn(rng)
	}
	r.do(TakeBack{somebody(1), -1})
	for seat := range set.Seats {
		if seat != 1 && len(r.People().Asks) > 0 {
			r.do(Answer{somebody(seat), Undo, true})
		}
	}
	r.do(Leave{somebody(0)})
	r.turn(rng)
	r.do(Return{somebody(0)})
	r.wait(time.Hour).do(Skip{[]Outage{{r.clk - length(50*time.Minute), r.clk - length(time.Minute)}}})
	for !r.Over() {
		r.wait(1_000_000).move(rng)
	}
	export, err := r.Export()
	if err != nil {
		tb.Fatal(err)
	}
	return r, export
}

func TestAFinishedGameVerifies(t *testing.T) {
	eachGame(t, func(t *testing.T, name string, seats int) {
		r, export := finished(t, settings(name, seats))
		proven, err := Verify(shelf, export)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the table", proven.Look(game.Watcher), r.Look(game.Watcher))
	})
}

// Whichever byte of an export is changed, and to what, Verify finds it and names
// the entry it is in.
func TestAChangedByteAnywhereIsFound(t *testing.T) {
	t.Parallel()
	_, export := finished(t, settings("tiny", 2))
	entry := -1
	for i := range export {
		for b := range 8 {
			if b != i%8 && (i+b)%16 > 0 { // one bit of each byte, and here and there all of them
				continue
			}
			changed := bytes.Clone(export)
			changed[i] ^= 1 << b
			_, err := Verify(shelf, changed)
			var wrong *Wrong
			if !errors.As(err, &wrong) {
				t.Fatalf("byte %d of entry %d, bit %d, is not found: %v", i, entry, b, err)
			}
			if wrong.Entry != entry {
				t.Fatalf("byte %d of entry %d, bit %d, is said to be in entry %d: %v", i, entry, b, wrong.Entry, err)
			}
			if keyOf(err) == "" {
				t.Fatalf("it is not said what is wrong: %v", err)
			}
		}
		if export[i] == '\n' {
			entry++
		}
	}
}

func TestAChangedByteOfARealGameIsFound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bosk", "grandbois", "treesociety"} {
		_, export := finished(t, settings(name, 2))
		for i := 0; i < len(export); i += len(export)/400 | 1 { // odd, so that each bit is turned somewhere
			changed := bytes.Clone(export)
			changed[i] ^= 1 << (i % 8)
			if _, err := Verify(shelf, changed); err == nil {
				t.Fatalf("%s: byte %d is not found", name, i)
			}
		}
	}
}

func TestLinesAddedLostOrMovedAreFound(t *testing.T) {
	_, export := finished(t, settings("tiny", 2))
	lines := bytes.SplitAfter(export, []byte("\n"))
	lines = lines[:len(lines)-1]
	find := func(what string, n int, changed [][]byte) {
		t.Helper()
		if _, err := Verify(shelf, bytes.Join(changed, nil)); err == nil {
			t.Errorf("%s %d is not found", what, n)
		}
	}
	for n := range lines {
		find("a lost line", n, slices.Delete(slices.Clone(lines), n, n+1))
		find("a doubled line", n, slices.Insert(slices.Clone(lines), n, lines[n]))
		find("all after a line", n, lines[:n])
		if n > 0 {
			swapped := slices.Clone(lines)
			swapped[n], swapped[n-1] = swapped[n-1], swapped[n]
			find("a swapped line", n, swapped)
		}
	}
	find("an empty line", 0, append(slices.Clone(lines), []byte("\n")))
	find("a carriage return", 0, append(slices.Clone(lines[:1]), []byte("\r\n")))
	find("nothing at all", 0, nil)
}

// forge changes an entry of a finished game and makes the hashes anew, as somebody
// could who has the secret.
func forge(r *rig, n int, change func(*Entry)) []byte {
	log := slices.Clone(r.log)
	e := r.entry(n)
	change(&e)
	log[n] = e.Append(nil)
	out := pen(exportHead(r.keep.Box))
	for i, hash := range Chain(r.keep.Secret, log) {
		out = appendLine(out, hash, log[i])
	}
	return out
}

func TestAForgerWithTheSecretIsFoundToo(t *testing.T) {
	r, _ := finished(t, settings("grandbois", 2))
	last := r.Len() - 1
	find := func(k Kind) int {
		return slices.IndexFunc(r.log, func(raw []byte) bool { return bytes.Contains(raw, []byte(`"do":"`+k.String()+`"`)) })
	}
	for name, c := range map[string]struct {
		entry  int
		change func(*Entry)
		key    string
	}{
		"another outcome":    {find(Drawn), func(e *Entry) { e.Move = json.RawMessage(strings.Replace(string(e.Move), `"seat":0`, `"seat":1`, 1)) }, "table.log.draw"},
		"another draw":       {find(Drawn), func(e *Entry) { e.Draw++ }, "table.log.impossible"},
		"another nonce":      {find(Sat), func(e *Entry) { e.Nonce[3]++ }, ""},
		"another move":       {find(Moved), func(e *Entry) { e.Move = json.RawMessage(`{"do":"pass"}`) }, "grandbois.pass"},
		"a bot's":            {find(Moved), func(e *Entry) { e.Bot = true }, "table.held"},
		"another winner":     {last, func(e *Entry) { slices.Reverse(e.Ranks); e.Ranks[0]++ }, "table.log.standing"},
		"another score":      {last, func(e *Entry) { e.Totals[0]++ }, "table.log.standing"},
		"no score":           {last, func(e *Entry) { e.Totals, e.Ranks = nil, nil }, "table.log.standing"},
		"another end":        {last, func(e *Entry) { e.Why = Abandoned; e.Totals, e.Ranks = nil, nil }, "table.in-use"},
		"another secret":     {last, func(e *Entry) { e.Secret[0]++ }, "table.log.secret"},
		"another setting":    {0, func(e *Entry) { e.Settings.Hints = true }, "table.log.secret"},
		"another commitment": {0, func(e *Entry) { e.Commitment[0]++ }, "table.log.secret"},
		"an undo unasked":    {find(Undone), func(e *Entry) { e.Seat = 0 }, ""},
		"an earlier time":    {find(Undone), func(e *Entry) { e.At-- }, "table.log.time"},
	} {
		_, err := Verify(shelf, forge(r, c.entry, c.change))
		var wrong *Wrong
		if !errors.As(err, &wrong) || c.key != "" && keyOf(err) != c.key {
			t.Errorf("%s is answered by %v", name, err)
		}
	}
}

func TestAGameThatGoesOnIsNotExported(t *testing.T) {
	r := begun(t, settings("grandbois", 2), 2)
	if _, err := r.Export(); keyOf(err) != "table.export" {
		t.Errorf("answered by %v", err)
	}
}

func TestABoxOfOnesOwnGoesWithTheGame(t *testing.T) {
	set := settings("bosk", 2)
	set.Options = json.RawMessage(`{"box":{"species":[{"colour":"red","leaf":"larch"},{"colour":"blue","leaf":"frêne “<”"},{"colour":"white","leaf":"elm"},{"colour":"black","leaf":"oak"}]}}`)
	r, export := finished(t, set)
	if r.Settings().Box == new(bosk.Game().About).UsualBox(1) || r.keep.Box == nil || strings.Contains(string(r.log[0]), "larch") {
		t.Fatal("the log does not name the box by its hash")
	}
	if !bytes.Contains(export, []byte("larch")) {
		t.Fatal("the box is not in the export")
	}
	if _, err := Verify(shelf, export); err != nil {
		t.Fatal(err)
	}
	for what, changed := range map[string][]byte{
		"another box": bytes.Replace(export, []byte("larch"), []byte("beech"), 1),
		"no box":      append(exportHead(nil), export[bytes.IndexByte(export, '\n')+1:]...),
	} {
		if _, err := Verify(shelf, changed); keyOf(err) != "table.box" {
			t.Errorf("%s is answered by %v", what, err)
		}
	}
	if _, err := Open(shelf, Keep{Secret: r.keep.Secret}, r.log); keyOf(err) != "table.box" {
		t.Errorf("opened without its box: %v", err)
	}
	rec, err := r.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := game.Of(bosk.Game()).Open(game.Settings{Seats: rec.Seats, Options: rec.Options, Version: rec.Version}, 0, rec.View); err != nil {
		t.Errorf("the record cannot be opened: %v", err)
	}
	again, _, err := r.Rematch()
	if err != nil {
		t.Fatal(err)
	}
	if next := open(t, again); next.Settings().Box != r.Settings().Box {
		t.Error("the rematch is played with another box")
	}
}

func TestTheBoxOfTheHouseIsNamedByItsHashHoweverItIsAskedFor(t *testing.T) {
	standard := new(grandbois.Game().About).UsualBox(1)
	for _, options := range []string{``, `null`, `{}`, `{"box":null}`, `{"box":{}}`, `{"box":"` + standard + `"}`} {
		set := settings("grandbois", 2)
		set.Options = json.RawMessage(options)
		r := open(t, set)
		if r.Settings().Box != standard || r.keep.Box != nil || string(r.Settings().Options) != "{}" {
			t.Errorf("%s is written as %s", options, r.log[0])
		}
	}
}

// What an old Copse has exported verifies for ever.
func TestGoldenExportsVerify(t *testing.T) {
	for _, c := range []struct {
		name      string
		seats     int
		judgement int
	}{{"tiny", 3, 1}, {"bosk", 2, 1}, {"grandbois", 3, 1}, {"treesociety", 2, 1}, {"tiny", 3, 2}, {"bosk", 2, 2}, {"grandbois", 3, 2}, {"treesociety", 2, 2}} {
		file := fmt.Sprintf("testdata/exports/%s-%d.jsonl", c.name, c.seats)
		if c.judgement > 1 {
			file = fmt.Sprintf("testdata/exports/%s-%d.law-%d.jsonl", c.name, c.seats, c.judgement)
		}
		export, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) && os.Getenv(gametest.WriteGames) != "" && c.judgement == NewestJudgement {
			_, export = finished(t, settings(c.name, c.seats))
			if err = os.MkdirAll("testdata/exports", 0o755); err == nil {
				err = os.WriteFile(file, export, 0o644)
			}
		}
		if err != nil {
			t.Errorf("%v: write it with %s=1 go test -run '^%s$'", err, gametest.WriteGames, t.Name())
			continue
		}
		old, err := Verify(shelf, export)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if old.Settings().Judgement != c.judgement || bytes.Contains(export, []byte(`"law"`)) != (c.judgement > 1) {
			t.Errorf("%s is judged by judgement %d", file, old.Settings().Judgement)
		}
		again, _, err := old.Rematch()
		if err != nil {
			t.Fatal(err)
		}
		if judgement := open(t, again).Settings().Judgement; judgement != NewestJudgement {
			t.Errorf("the rematch of %s has judgement %d", file, judgement)
		}
		finishable(t, file, old)
	}
}

// finishable opens a log as it was in the middle of the game, and plays it to its
// end.
func finishable(t *testing.T, file string, old *Table) {
	t.Helper()
	log := old.Log()[:old.Len()/2]
	for {
		half, err := Open(shelf, old.keep, log)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		r := &rig{TB: t, Table: half, log: slices.Clone(log), clk: half.At()}
		if r.now.phase == playing && !r.now.due() {
			for !r.Over() {
				r.wait(time.Second).move(newRand(5, 5))
			}
			export, err := r.Export()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Verify(shelf, export); err != nil {
				t.Errorf("%s, finished another way: %v", file, err)
			}
			return
		}
		log = old.Log()[:len(log)+1]
	}
}

// A judgement of a later Copse is refused, and one that is written out where it
// need not be is no log of ours.
func TestAnUnknownJudgementIsNamed(t *testing.T) {
	_, export := finished(t, settings("tiny", 2))
	later := bytes.Replace(export, []byte(`"law":2`), []byte(`"law":3`), 1)
	if _, err := Verify(shelf, later); err == nil {
		t.Error("a changed judgement verifies")
	}
	first, keep, err := Create(shelf, settings("tiny", 2), Secret{}, dawn)
	if err != nil {
		t.Fatal(err)
	}
	first.Settings.Judgement = NewestJudgement + 1
	if _, err := Open(shelf, keep, [][]byte{first.Append(nil)}); keyOf(err) != "table.law" {
		t.Errorf("a later judgement is answered by %v", err)
	}
	raw := bytes.Replace(first.Append(nil), []byte(`"law":3`), []byte(`"law":1`), 1)
	if _, err := ReadEntry(raw); keyOf(err) != "table.entry" {
		t.Errorf("a judgement that is written out is answered by %v", err)
	}
	if _, err := ReadSettings([]byte(`{"game":"tiny","seats":2,"law":1}`)); keyOf(err) != "json.unknown" {
		t.Errorf("who chooses a judgement is answered by %v", err)
	}
}

func FuzzExport(f *testing.F) {
	_, export := finished(f, settings("tiny", 2))
	f.Add(export)
	lines := bytes.SplitAfter(export, []byte("\n"))
	f.Add(bytes.Join(lines[:6], nil))
	f.Add(bytes.Join(lines[len(lines)-3:], nil))
	r := open(f, settings("tiny", 2))
	r.wait(Paces()[0].Wait).do(Close{})
	short, err := r.Export()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(short)
	set := settings("bosk", 2)
	set.Options = json.RawMessage(`{"box":{"species":[{"colour":"red","leaf":"larch"},{"colour":"blue","leaf":"frêne “<”"},{"colour":"white","leaf":"elm"},{"colour":"black","leaf":"oak"}]}}`)
	r = begun(f, set, 2)
	r.do(Resign{somebody(0)})
	boxed, err := r.Export()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(boxed)
	f.Fuzz(func(t *testing.T, raw []byte) {
		table, err := Verify(shelf, raw)
		if err != nil {
			var wrong *Wrong
			if !errors.As(err, &wrong) || strings.HasPrefix(keyOf(err), "neither") {
				t.Fatalf("answered by %v", err)
			}
			return
		}
		again, err := table.Export()
		if err != nil || !bytes.Equal(again, raw) {
			t.Fatalf("verified, and exported otherwise: %v", err)
		}
	})
}
