package i18n_test

import (
	"fmt"

	"copse/i18n"
)

// A refusal of the rules is said in every language from its key and arguments.
func ExampleLocale_Say() {
	for _, l := range i18n.Locales() {
		fmt.Println(l.Say("bosk.leaf.squirrel", map[string]any{"to": []int{4, 3}, "seat": 1}, i18n.Names("Birch", "Oak")))
	}
	// Output:
	// You cannot put a leaf on D5: Oak’s squirrel sits there.
	// Vous ne pouvez pas poser de feuille en D5 : Oak y a installé son écureuil.
	// Non puoi posare una foglia in D5: lì si trova lo scoiattolo di Oak.
}
