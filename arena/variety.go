package arena

import (
	"encoding/json"

	"copse/game"
)

// variety is every choice of words that a table may make where the options leave it
// open: a game of four guilds out of six is fifteen games, and its balance is that
// of all of them. It gives the options of each, in a fixed order, and says which
// options vary.
func variety(about *game.About, options json.RawMessage) (sets []json.RawMessage, varied []string, err error) {
	given := map[string]json.RawMessage{}
	if len(options) > 0 {
		if err := json.Unmarshal(options, &given); err != nil {
			return []json.RawMessage{options}, nil, nil // the game says what is wrong with them
		}
	}
	all := []map[string]json.RawMessage{given}
	for _, o := range about.Options {
		words, _ := o.Choices.([]string)
		usual, _ := o.Default.([]string)
		if _, set := given[o.Name]; o.Kind != "words" || set || len(usual) == 0 {
			continue
		}
		varied = append(varied, o.Name)
		var next []map[string]json.RawMessage
		for _, some := range choose(words, len(usual)) {
			raw, err := json.Marshal(some)
			if err != nil {
				return nil, nil, err
			}
			for _, before := range all {
				with := map[string]json.RawMessage{o.Name: raw}
				for name, value := range before {
					with[name] = value
				}
				next = append(next, with)
			}
		}
		all = next
	}
	for _, chosen := range all {
		raw, err := json.Marshal(chosen)
		if err != nil {
			return nil, nil, err
		}
		sets = append(sets, raw)
	}
	return sets, varied, nil
}

// choose is every choice of n words, in the order of the words.
func choose(words []string, n int) [][]string {
	if n == 0 {
		return [][]string{{}}
	}
	var list [][]string
	for i := range words {
		for _, rest := range choose(words[i+1:], n-1) {
			list = append(list, append([]string{words[i]}, rest...))
		}
	}
	return list
}
