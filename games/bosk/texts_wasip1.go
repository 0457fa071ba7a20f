package bosk

import (
	"io/fs"

	"copse/game"
)

// The page has the rules in words and knows which keys are said: the engine in a
// browser has neither.

var texts fs.FS

func said() []game.Phrase { return nil }
