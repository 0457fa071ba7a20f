// Package nets holds the nets that come with Copse, by which levels judge where those win.
// How they were made, and how strong they are, says train/README.md; the page fetches
// the same files when a level wants one.
package nets

import (
	"embed"
	"fmt"

	"copse/bot"
)

//go:embed *.net
var files embed.FS

// Use has players judge by the nets that come with Copse, wherever one fits.
func Use() error {
	list, err := files.ReadDir(".")
	if err != nil {
		return err
	}
	for _, file := range list {
		raw, err := files.ReadFile(file.Name())
		if err == nil {
			err = bot.AddNet(raw)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	return nil
}
