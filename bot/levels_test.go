package bot

import (
	"maps"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"copse/game"
	"copse/game/gametest"
	"copse/games/bosk"
	"copse/games/grandbois"
	"copse/games/treesociety"
	"copse/i18n"
)

// TestLevelsAreIntroduced: every level of every game has a name, and says in each
// language, in a sentence that fits a phone, how it fares against a player that
// exists.
func TestLevelsAreIntroduced(t *testing.T) {
	declared := map[string][]string{}
	for _, p := range levelPhrases() {
		declared[p.Key] = slices.Sorted(slices.Values(p.Args))
	}
	for _, about := range []game.About{bosk.Game().About, grandbois.Game().About, treesociety.Game().About} {
		levels := LevelsOf(about)
		if len(levels) != Levels {
			t.Fatalf("%s: %d levels", about.Name, len(levels))
		}
		for i, l := range levels {
			against, wins := about.Levels[i].Against, about.Levels[i].Wins
			if l.Player != levelPrefix+strconv.Itoa(i+1) || Known(l.Player) != nil {
				t.Errorf("%s: level %d is played by %s", about.Name, i+1, l.Player)
			}
			if Known(against) != nil || wins < 1 || wins > 100 || slices.Contains(levelNames()[i:], against) {
				t.Errorf("%s: %s is said to win %d of 100 against %s", about.Name, l.Player, wins, against)
			}
			for _, words := range []Words{l.Name, l.About} {
				if got := slices.Sorted(maps.Keys(words.Args)); !slices.Equal(got, declared[words.Key]) {
					t.Errorf("%s is said with %v, and declared with %v", words.Key, got, declared[words.Key])
				}
			}
			for _, locale := range i18n.Locales() {
				said := locale.Say(l.About.Key, l.About.Args, nil)
				if n := utf8.RuneCountInString(said); n > 70 {
					t.Errorf("%d characters: %s", n, said)
				}
			}
		}
	}
	if levels := LevelsOf(gametest.Tiny().About); len(levels) != 0 {
		t.Errorf("of a game that was never measured it is said %v", levels)
	}
}

// TestWhatIsSaidOfALevel in English, from what was measured.
func TestWhatIsSaidOfALevel(t *testing.T) {
	for _, c := range []struct {
		level game.Level
		style string
		want  string
	}{
		{game.Level{Against: "random", Wins: 93}, "most", "Overlooks most moves; beats random play about 9 times in 10."},
		{game.Level{Against: "greedy", Wins: 54}, "some", "Overlooks some moves; beats greedy play about half the time."},
		{game.Level{Against: "greedy", Wins: 55}, "none", "Beats greedy play about 6 times in 10."},
		{game.Level{Against: "flat:2000", Wins: 98}, "none", "Beats a bot with 2000 random tries a move nearly always."},
		{game.Level{Against: "level:3", Wins: 67}, "none", "Beats Seedling about 7 times in 10."},
		{game.Level{Against: "level:3", Wins: 8}, "none", "Beats Seedling about once in 10."},
	} {
		words := strength(c.level, c.style)
		if got := i18n.Pick("en").Say(words.Key, words.Args, nil); got != c.want {
			t.Errorf("%v: %q, want %q", c.level, got, c.want)
		}
	}
}
