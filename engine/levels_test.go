package engine_test

import (
	"encoding/json"
	"testing"

	"copse/bot"
	"copse/engine"
	"copse/game"
	"copse/games/bosk"
	"copse/games/grandbois"
)

// TestGamesTellTheirLevels: a game that has players lists its levels, and each of
// them can think.
func TestGamesTellTheirLevels(t *testing.T) {
	e := engine.New(bot.Of(bosk.Game()), game.Of(grandbois.Game()))
	var told struct {
		Games []struct {
			Levels []struct {
				Player      string
				Name, About struct {
					Key  string
					Args game.Args
				}
			}
		}
	}
	if err := json.Unmarshal(e.Answer([]byte(`{"do":"games"}`)), &told); err != nil {
		t.Fatal(err)
	}
	if n := len(told.Games[1].Levels); n != 0 {
		t.Errorf("a game without players has %d levels", n)
	}
	levels := told.Games[0].Levels
	if len(levels) != bot.Levels || levels[0].Player != "level:1" || levels[9].Name.Key != "bot.level.name.10" {
		t.Errorf("the levels are %v", levels)
	}
	for _, l := range levels {
		if bot.Known(l.Player) != nil || l.Name.Key == "" || l.Name.Args == nil || l.About.Key == "" || l.About.Args["tenths"] == nil {
			t.Errorf("a level is %v", l)
		}
	}
}
