package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"copse/game"
)

// tableFlags are what a table may choose, for every command that plays.
type tableFlags struct {
	Seats  int               `default:"2" help:"Number of players."`
	Option map[string]string `placeholder:"NAME=VALUE" help:"An option of the game, for example expert=true. May be repeated."`
	Box    string            `placeholder:"FILE" help:"Play with a box of your own; see copse box."`
}

// options are the flags as the game reads them, checked by the game.
func (f tableFlags) options(e entry) (json.RawMessage, error) {
	about := e.game.About()
	if _, err := about.Settle(f.Seats, 0); err != nil {
		return nil, mistyped(err)
	}
	options := map[string]json.RawMessage{}
	for name, value := range f.Option {
		raw, err := typed(&about, name, value)
		if err != nil {
			return nil, err
		}
		options[name] = raw
	}
	if f.Box != "" {
		raw, err := boxFor(about.Name, f.Box)
		if err != nil {
			return nil, err
		}
		if _, err := about.Box(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Box, inWords(err))
		}
		options["box"] = raw
	}
	return json.Marshal(options)
}

// typed is the value of an option as somebody types it: JSON, or words as they are,
// with commas where an option takes several.
func typed(about *game.About, name, value string) (json.RawMessage, error) {
	if raw := json.RawMessage(value); json.Valid(raw) {
		return raw, nil
	}
	if slices.ContainsFunc(about.Options, func(o game.Option) bool { return o.Name == name && o.Kind == "words" }) {
		return json.Marshal(strings.Split(value, ","))
	}
	return json.Marshal(value)
}
