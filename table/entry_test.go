package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"copse/game"
)

// entries are one of each kind, as they are written for ever.
var entries = []struct {
	text  string
	entry Entry
}{
	{
		`{"at":1767859200000,"do":"open","settings":{"game":"grandbois","version":1,"seats":3,"options":{"expert":true},` +
			`"box":"0b00000000000000000000000000000000000000000000000000000000000000","pace":"days","night":[1260,420],"shifts":[60,29578860,120],` +
			`"undo":"consent","visible":"link","watchers":true,"hints":false,"takeOver":true,"standIn":"level:3"},` +
			`"commitment":"0c00000000000000000000000000000000000000000000000000000000000000"}`,
		Entry{Do: Opened, Seat: game.None, Commitment: Hash{12}, Settings: &Settings{
			Game: "grandbois", Version: 1, Seats: 3, Options: json.RawMessage(`{"expert":true}`), Box: Hash{11}.String(),
			Pace: Days, Night: Night{1260, 420}, Shifts: Shifts{60, 29578860, 120}, Undo: UndoConsent, Visible: ByLink, Watchers: true, TakeOver: true, StandIn: "level:3",
		}},
	},
	{
		`{"at":1767859200000,"do":"sit","seat":2,"person":"01000000000000000000000000000000","nonce":"02000000000000000000000000000000"}`,
		Entry{Do: Sat, Seat: 2, Person: Person{1}, Nonce: Nonce{2}},
	},
	{`{"at":1767859200000,"do":"stand","seat":2}`, Entry{Do: Stood, Seat: 2}},
	{`{"at":1767859200000,"do":"kick","seat":1}`, Entry{Do: Kicked, Seat: 1}},
	{`{"at":1767859200000,"do":"bot","seat":1,"player":"level:5"}`, Entry{Do: BotSat, Seat: 1, Player: "level:5"}},
	{`{"at":1767859200000,"do":"start"}`, Entry{Do: Started, Seat: game.None}},
	{
		`{"at":1767859200000,"do":"move","seat":0,"move":{"do":"leaf","to":[4,3]}}`,
		Entry{Do: Moved, Move: json.RawMessage(`{"do":"leaf","to":[4,3]}`)},
	},
	{
		`{"at":1767859200000,"do":"move","seat":1,"move":{"do":"pass"},"bot":true}`,
		Entry{Do: Moved, Seat: 1, Move: json.RawMessage(`{"do":"pass"}`), Bot: true},
	},
	{
		`{"at":1767859200000,"do":"chance","draw":7,"move":{"do":"reveal","tile":12}}`,
		Entry{Do: Drawn, Seat: game.None, Draw: 7, Move: json.RawMessage(`{"do":"reveal","tile":12}`)},
	},
	{`{"at":1767859200000,"do":"ask","seat":1,"for":"undo","to":17}`, Entry{Do: Asked, Seat: 1, For: Undo, To: 17}},
	{`{"at":1767859200000,"do":"ask","seat":1,"for":"pause"}`, Entry{Do: Asked, Seat: 1, For: Pause}},
	{`{"at":1767859200000,"do":"agree","seat":0,"for":"abandon"}`, Entry{Do: Agreed, For: Abandon}},
	{`{"at":1767859200000,"do":"refuse","seat":0,"for":"undo"}`, Entry{Do: Declined, For: Undo}},
	{`{"at":1767859200000,"do":"undo","seat":1,"to":17}`, Entry{Do: Undone, Seat: 1, To: 17}},
	{`{"at":1767859200000,"do":"pause","seat":1}`, Entry{Do: Paused, Seat: 1}},
	{`{"at":1767859200000,"do":"resume","seat":1}`, Entry{Do: Resumed, Seat: 1}},
	{`{"at":1767859200000,"do":"resign","seat":3}`, Entry{Do: Resigned, Seat: 3}},
	{`{"at":1767859200000,"do":"leave","seat":3}`, Entry{Do: Left, Seat: 3}},
	{`{"at":1767859200000,"do":"timeout","seat":3}`, Entry{Do: TimedOut, Seat: 3}},
	{`{"at":1767859200000,"do":"return","seat":3}`, Entry{Do: Returned, Seat: 3}},
	{`{"at":1767859200000,"do":"outage","from":1767859100000}`, Entry{Do: ServerAway, Seat: game.None, From: 1767859100000}},
	{
		`{"at":1767859200000,"do":"take","seat":3,"person":"01000000000000000000000000000000"}`,
		Entry{Do: Taken, Seat: 3, Person: Person{1}},
	},
	{
		`{"at":1767859200000,"do":"end","why":"over","secret":"0d00000000000000000000000000000000000000000000000000000000000000",` +
			`"totals":[61,-2],"ranks":[1,2]}`,
		Entry{Do: Ended, Seat: game.None, Why: Over, Secret: Secret{13}, Totals: []int{61, -2}, Ranks: []int{1, 2}},
	},
	{
		`{"at":1767859200000,"do":"end","seat":1,"why":"abandoned","secret":"0d00000000000000000000000000000000000000000000000000000000000000"}`,
		Entry{Do: Ended, Seat: 1, Why: Abandoned, Secret: Secret{13}},
	},
}

func TestAnEntryIsWrittenTheSameForEver(t *testing.T) {
	met := map[Kind]bool{}
	for _, c := range entries {
		c.entry.At = dawn
		met[c.entry.Do] = true
		if got := string(c.entry.Append(nil)); got != c.text {
			t.Errorf("it is written\n%s\nand was\n%s", got, c.text)
		}
		e, err := ReadEntry([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		same(t, "what was read", &e, &c.entry)
		if !json.Valid([]byte(c.text)) {
			t.Errorf("%s is no JSON", c.text)
		}
	}
	for k := Opened; k <= Ended; k++ {
		if !met[k] {
			t.Errorf("no entry %q is written here", k)
		}
	}
}

func TestAnEntryInAnotherFormIsNotTaken(t *testing.T) {
	for _, c := range entries {
		for _, text := range []string{
			" " + c.text, c.text + "\n", strings.Replace(c.text, ",", ", ", 1), strings.Replace(c.text, `"do"`, `"Do"`, 1),
			strings.Replace(c.text, "1767859200000", "01767859200000", 1), strings.Replace(c.text, "1767859200000", "1.767859200000e12", 1),
			c.text[:len(c.text)-1] + `,"name":"Ada"}`, strings.Replace(c.text, `"do":"`, `"do":"x`, 1),
			c.text[:len(c.text)-1], strings.ToUpper(c.text), strings.Replace(c.text, `{"at":1767859200000,"do":`, `{"do":`, 1),
			strings.Replace(c.text, "1767859200000", "-1", 1), strings.Replace(c.text, "1767859200000", "9007199254740992", 1),
			c.text + c.text,
		} {
			if text == c.text {
				continue
			}
			if _, err := ReadEntry([]byte(text)); err == nil {
				t.Errorf("%s is taken", text)
			}
		}
	}
	for _, text := range []string{
		``, `null`, `[]`, `{}`,
		`{"at":1,"do":"stand","seat":4}`, `{"at":1,"do":"stand","seat":-1}`, `{"at":1,"do":"start","seat":0}`,
		`{"at":1,"do":"sit","seat":0,"person":"01000000000000000000000000000000"}`,
		`{"at":1,"do":"sit","seat":0,"person":"00000000000000000000000000000000","nonce":"02000000000000000000000000000000"}`,
		`{"at":1,"do":"take","seat":0,"person":"0100"}`, `{"at":1,"do":"bot","seat":0,"player":""}`, `{"at":1,"do":"bot","seat":0,"player":"Ada Lovelace"}`,
		`{"at":1,"do":"move","seat":0,"move":[]}`, `{"at":1,"do":"move","seat":0,"move":{ }}`, `{"at":1,"do":"move","seat":0,"move":{}}}`,
		`{"at":1,"do":"move","seat":0,"move":{"a":}}`, `{"at":1,"do":"move","seat":0,"move":{},"bot":false}`,
		`{"at":1,"do":"move","seat":0,"move":{"a":"` + strings.Repeat("x", longestMove) + `"}}`,
		`{"at":1,"do":"ask","seat":0,"for":"pause","to":3}`, `{"at":1,"do":"ask","seat":0,"for":"undo"}`, `{"at":1,"do":"ask","seat":0,"for":"money"}`,
		`{"at":1,"do":"end","why":"over","secret":"","totals":[],"ranks":[]}`,
		strings.Repeat("x", longestEntry+1),
	} {
		if _, err := ReadEntry([]byte(text)); err == nil {
			t.Errorf("%.80s is taken", text)
		}
	}
}

func FuzzEntry(f *testing.F) {
	for _, c := range entries {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := ReadEntry(raw)
		if err != nil {
			var fault *game.Fault
			if !errors.As(err, &fault) {
				t.Fatalf("answered by %v", err)
			}
			return
		}
		if again := e.Append(nil); !bytes.Equal(again, raw) || !json.Valid(raw) {
			t.Fatalf("%s is taken as %s", raw, again)
		}
	})
}

// FuzzLog puts anything behind a log: one can go on from what is taken, and nothing
// panics.
func FuzzLog(f *testing.F) {
	rng := newRand(1, 1)
	r := begun(f, settings("tiny", 3), 2)
	for range 12 {
		r.move(rng)
	}
	for _, c := range entries {
		f.Add([]byte(c.text), uint8(0))
	}
	for n, raw := range r.log {
		f.Add(raw, uint8(n))
		f.Add(raw, uint8(len(r.log)))
	}
	f.Fuzz(func(t *testing.T, raw []byte, after uint8) {
		log := slices.Concat(r.log[:min(int(after), len(r.log))], [][]byte{raw})
		table, err := Open(shelf, r.keep, log)
		if err != nil {
			var wrong *Wrong
			if !errors.As(err, &wrong) || wrong.Entry != len(log)-1 || strings.HasPrefix(keyOf(err), "neither") {
				t.Fatalf("answered by %v", err)
			}
			return
		}
		for _, viewer := range []game.Seat{0, game.Watcher} {
			table.Look(viewer)
			table.Since(0, viewer)
		}
		for _, cmd := range []Command{Continue{}, Timeout{}, Resign{somebody(0)}, TakeBack{somebody(1), -1}} {
			more, err := table.Decide(cmd, table.At()+1)
			for i := 0; err == nil && i < len(more); i++ {
				if _, err := table.Apply(more[i]); err != nil {
					t.Fatalf("%T gives what cannot be applied: %v", cmd, err)
				}
			}
		}
	})
}
