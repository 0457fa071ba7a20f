package main

import (
	"encoding/json"
	"strings"
	"testing"

	"copse/arena"
)

// TestBalanceOfTreeSociety: the command goes through all sets of guilds, tells the
// same on one core as on three, marks what is outside its bounds, and takes the
// guilds that it is given.
func TestBalanceOfTreeSociety(t *testing.T) {
	t.Parallel()
	play := func(more ...string) *arena.Balance {
		t.Helper()
		out, told, code := copse(t, "", append(strings.Fields("balance treesociety --seats 3 --player random --games 15 --seed oak --json"), more...)...)
		b := &arena.Balance{}
		if err := json.Unmarshal([]byte(out), b); code != 0 || err != nil {
			t.Fatalf("exit code %d, %s, %v", code, told, err)
		}
		b.Cores, b.Seconds = 0, 0
		return b
	}
	one, three := play("--cores", "1"), play("--cores", "3")
	text := func(b *arena.Balance) string {
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if text(one) != text(three) {
		t.Errorf("one core:\n%s\nthree:\n%s", text(one), text(three))
	}
	if one.Sets != 15 || len(one.ByThing) != 73 || len(one.ByGroup) != 6 || one.Rounds.From != 8 {
		t.Errorf("%d sets, %d cards, %d guilds", one.Sets, len(one.ByThing), len(one.ByGroup))
	}
	for _, g := range one.ByGroup[1:] { // architects are also in the market where a starting card was discarded
		if g.Games != 10 {
			t.Errorf("the %s were in %d of 15 games", g.Name, g.Games)
		}
	}
	four := play("--option", `guilds=["bankers","writers","botanists","explorers"]`)
	if four.Sets != 1 || four.ByGroup[2].Games != 0 || four.ByGroup[4].Games != 15 {
		t.Errorf("of four guilds: %+v", four.ByGroup)
	}
	out, told, code := copse(t, "", strings.Fields("balance treesociety --player random --games 5")...)
	for _, want := range []string{"the 15 choices of guilds are played in turn", "ended by: ", "rope-bridge", "mother-tree", "outside their bounds: ", "!"} {
		if !strings.Contains(out, want) || code != 0 {
			t.Errorf("exit code %d, %s: no %q in\n%s", code, told, want, out)
		}
	}
	for _, wrong := range []string{"--games 0", "--cores -1", "--opening -2", "--player nobody"} {
		if _, told, code := copse(t, "", append(strings.Fields("balance treesociety"), strings.Fields(wrong)...)...); code == 0 || !strings.Contains(told, strings.Fields(wrong)[0][2:]) {
			t.Errorf("%s: exit code %d, %s", wrong, code, told)
		}
	}
}
