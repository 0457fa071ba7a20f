package engine

import (
	"testing"

	"copse/bot"
	"copse/games/bosk"
)

// TestABegunGameLetsGoOfAThought: a thought under way about the game before is ended
// when another begins, and not kept with all that it holds.
func TestABegunGameLetsGoOfAThought(t *testing.T) {
	e := New(bot.Of(bosk.Game()))
	e.Answer([]byte(`{"do":"new","game":"bosk","seats":2,"seed":"oak"}`))
	if answer := e.Answer([]byte(`{"do":"think","player":"level:9","seed":"ash","errands":5}`)); e.thinking == nil {
		t.Fatalf("no thought waits for its errands: %s", answer)
	}
	if answer := e.Answer([]byte(`{"do":"new","game":"bosk","seats":2,"seed":"elm"}`)); e.thinking != nil {
		t.Fatalf("the thought is still held after %s", answer)
	}
}
