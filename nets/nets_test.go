package nets_test

import (
	"path/filepath"
	"testing"

	"copse/bot"
	"copse/game"
	"copse/games"
	"copse/nets"
)

// TestNetsAreUsed: every net that comes with Copse is one that a level asks for by its
// name, where there is none, and asks for no more once it is there.
func TestNetsAreUsed(t *testing.T) {
	files, err := filepath.Glob("*.net")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no nets: %v", err)
	}
	wanted := func() map[string]bool {
		all := map[string]bool{}
		for _, g := range games.All() {
			for seats := g.About().MinSeats; seats <= g.About().MaxSeats; seats++ {
				p, err := g.Start(game.Settings{Seats: seats})
				if err != nil {
					t.Fatal(err)
				}
				for p.ToAct() == game.Chance {
					moves := p.Moves()
					if p, _, err = p.Play(game.Chance, moves[0]); err != nil {
						t.Fatal(err)
					}
				}
				all[g.(bot.Sharer).Wants(p, bot.LevelName(bot.Levels))+".net"] = true
			}
		}
		return all
	}
	before := wanted()
	if err := nets.Use(); err != nil {
		t.Fatal(err)
	}
	after := wanted()
	for _, file := range files {
		if !before[file] || after[file] {
			t.Errorf("%s: wanted %v before and %v after it was there", file, before[file], after[file])
		}
	}
}
