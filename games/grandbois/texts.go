//go:build !wasip1

package grandbois

import (
	"embed"
	"slices"

	"copse/game"
)

//go:embed rules.en.md rules.fr.md rules.it.md
var texts embed.FS

// said is every key that the game says.
func said() []game.Phrase {
	return slices.Concat(phrases(), boxPhrases(), whyPhrases())
}
