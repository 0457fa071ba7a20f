package table

import (
	"encoding/json"
	"fmt"
	"sync"

	"copse/game"
)

// Shelf holds the games that can be played. It may serve any number of tables
// at once.
type Shelf struct {
	games []game.Game

	mu     sync.Mutex
	starts map[string]game.Position // by settings: rules are large, and all tables with the same settings share them
}

// mostStarts is how many first positions are kept. The options of a game can be
// chosen in a few ways only, so this bound is never met.
const mostStarts = 256

// NewShelf makes a shelf of these games.
func NewShelf(games ...game.Game) *Shelf {
	return &Shelf{games: games, starts: map[string]game.Position{}}
}

// Game is the game with a name; a *game.Fault says which there are.
func (s *Shelf) Game(name string) (game.Game, error) {
	known := []string{}
	for _, g := range s.games {
		about := g.About()
		if about.Name == name {
			return g, nil
		}
		known = append(known, about.Name)
	}
	return nil, game.Blame("table.game", game.Args{"game": name, "known": known})
}

// start is the first position of a game with these settings, and with its own box
// where they name one.
func (s *Shelf) start(set *Settings, box json.RawMessage) (game.Position, error) {
	g, err := s.Game(set.Game)
	if err != nil {
		return nil, err
	}
	about := g.About()
	own := set.Box != about.UsualBox(set.Version)
	var key string
	options := set.Options
	if own {
		if game.BoxHash(box) != set.Box {
			return nil, game.Blame("table.box", game.Args{"hash": set.Box})
		}
		if options, err = withBox(options, box); err != nil {
			return nil, err
		}
	} else {
		key = fmt.Sprintf("%s %d %d %s", set.Game, set.Version, set.Seats, set.Options)
		s.mu.Lock()
		defer s.mu.Unlock()
		if first := s.starts[key]; first != nil {
			return first, nil
		}
	}
	first, err := g.Start(game.Settings{Seats: set.Seats, Options: options, Version: set.Version})
	if err != nil {
		return nil, game.Inside("options", err)
	}
	if !own && len(s.starts) < mostStarts {
		s.starts[key] = first
	}
	return first, nil
}

// withBox is options with a box among them.
func withBox(options, box json.RawMessage) (json.RawMessage, error) {
	rest, _, err := tidy(options)
	if err != nil {
		return nil, err
	}
	p := pen{'{'}
	p.raw("box", box)
	if len(rest) > len("{}") {
		p = append(p, ',')
	}
	return append(json.RawMessage(p), rest[1:]...), nil
}
