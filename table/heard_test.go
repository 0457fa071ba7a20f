package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"copse/game"
	"copse/game/gametest"
)

// What everyone is told of one evening, entry by entry and viewer by viewer, is
// compared with a file that was read through once: a name that changes on the wire,
// or a secret that is told, shows as a difference.
func TestWhatIsToldStaysAsItWasReviewed(t *testing.T) {
	r := openUnder(t, 1, settings("tiny", 3))
	r.do(Sit{somebody(0), 0, nonce(0), ""})
	r.do(Sit{somebody(1), 1, nonce(1), ""})
	r.wait(time.Second).do(Start{Person: somebody(0), Fill: "level:2"})
	r.wait(9 * time.Second).says(`{"do":"dig"}`)
	r.says(`{"do":"nap"}`)
	r.says(`{"do":"dig"}`)
	r.do(Leave{somebody(0)})
	r.says(`{"do":"nap"}`)
	r.says(`{"do":"shake"}`) // the bot's move
	r.do(Return{somebody(0)})
	r.says(`{"do":"boast"}`) // a move that reveals
	r.do(TakeBack{somebody(0), -1})
	r.do(Answer{somebody(1), Undo, true})
	r.do(Suggest{somebody(1), Pause})
	r.do(Answer{somebody(0), Pause, true})
	r.wait(time.Hour).do(Resume{somebody(0)})
	r.wait(time.Hour).do(Timeout{})
	r.do(Sit{somebody(2), 2, nonce(2), ""})
	r.do(Suggest{somebody(1), Abandon})
	r.do(Answer{somebody(2), Abandon, false})
	r.do(Resign{somebody(1)})
	r.do(Resign{somebody(2)})

	comparedWith(t, r, "testdata/told/tiny-3.jsonl")
}

// The same under judgement 2, where it differs from judgement 1: a server that was
// away, a person who returns with what was left, a step back that waits for a
// person who is away.
func TestWhatIsToldUnderJudgement2StaysAsItWasReviewed(t *testing.T) {
	r := open(t, settings("tiny", 3))
	for n := range 3 {
		r.do(Sit{somebody(n), game.Seat(n), nonce(n), ""})
	}
	r.wait(time.Second).do(Start{Person: somebody(0)})
	r.wait(time.Hour).do(Skip{[]Outage{{r.clk - length(59*time.Minute), r.clk - length(20*time.Second)}}})
	r.wait(9 * time.Second).says(`{"do":"dig"}`)
	r.says(`{"do":"nap"}`)
	r.wait(9 * time.Minute).do(Leave{somebody(1)})
	r.do(Return{somebody(1)})
	r.wait(time.Hour).do(Timeout{})
	for range 4 { // the stand-in, seat 2, seat 0, and the stand-in again
		r.says(`{"do":"dig"}`)
		r.says(`{"do":"nap"}`)
	}
	r.do(TakeBack{somebody(0), -1})
	r.do(Answer{somebody(2), Undo, true})
	r.wait(5 * time.Minute).do(Skip{[]Outage{{r.clk - length(time.Minute), r.clk}}})
	r.clk, _ = r.Granted()
	r.wantKinds(r.do(Continue{}), Undone)
	r.do(Resign{somebody(0)})
	r.do(Resign{somebody(2)})
	comparedWith(t, r, "testdata/told/tiny-3.law-2.jsonl")
}

// comparedWith compares what everyone is told at a table with a file.
func comparedWith(t *testing.T, r *rig, file string) {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for n := range r.Len() {
		for _, viewer := range []game.Seat{0, 1, 2, game.Watcher} {
			if err := enc.Encode(map[string]any{"viewer": viewer, "hears": r.Hear(n, viewer)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) && os.Getenv(gametest.WriteGames) != "" {
		want = out.Bytes()
		if err = os.MkdirAll("testdata/told", 0o755); err == nil {
			err = os.WriteFile(file, want, 0o644)
		}
	}
	if err != nil {
		t.Fatalf("%v: write it with %s=1 go test -run '^%s$', and read it through", err, gametest.WriteGames, t.Name())
	}
	now, then := bytes.Split(out.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(now), len(then)) {
		if !bytes.Equal(now[i], then[i]) {
			t.Fatalf("%s:%d: it was told\n%s\nand is told\n%s", file, i+1, then[i], now[i])
		}
	}
	if len(now) != len(then) {
		t.Errorf("%d lines were told, and %d are", len(then), len(now))
	}
}
