package game_test

import (
	"encoding/json"
	"testing"

	"copse/game"
)

func TestSeatsAsTheProtocolWritesThem(t *testing.T) {
	for seat, want := range map[game.Seat]string{
		0: `0`, 3: `3`, game.None: `"none"`, game.Chance: `"chance"`, game.Watcher: `"watcher"`,
	} {
		raw, err := json.Marshal(seat)
		if err != nil || string(raw) != want {
			t.Errorf("%d is written %s (%v), want %s", int(seat), raw, err, want)
		}
		back, ok := game.ParseSeat(raw)
		if nobody := seat == game.None; ok == nobody || !nobody && back != seat {
			t.Errorf("%s is read as %v, %t", raw, back, ok)
		}
	}
	if raw, err := json.Marshal([]game.Seat{0, game.Watcher}); err != nil || string(raw) != `[0,"watcher"]` {
		t.Errorf("a list of seats is written %s (%v)", raw, err)
	}
}

func TestWhatIsNoSeat(t *testing.T) {
	for _, raw := range []string{"", "null", "-1", "-2", "-3", "128", "1000", "1.0", "1e0", `"0"`, `"none"`, `"Chance"`, "[0]", "{}"} {
		if seat, ok := game.ParseSeat(json.RawMessage(raw)); ok {
			t.Errorf("%s is read as seat %v", raw, seat)
		}
	}
	if seat, ok := game.ParseSeat(json.RawMessage("127")); !ok || seat != 127 {
		t.Errorf("whether a seat is at the table is not for ParseSeat to say: %v, %t", seat, ok)
	}
}
