package table

import (
	"cmp"
	"encoding/json"

	"copse/game"
)

// Keep is what must be kept beside a log to be able to go on with it.
type Keep struct {
	Secret Secret
	Box    json.RawMessage // in its one written form; nil where it is the one that comes with the game
}

// Create makes the first entry of a table with these settings, and what must be
// kept beside its log. What is wrong with the settings is a *game.Fault. A version
// of 0 is the newest, and so is a judgement of 0. Options may name a box, by its JSON
// or its hash.
func Create(shelf *Shelf, set Settings, secret Secret, now Time) (Entry, Keep, error) {
	keep := Keep{Secret: secret}
	g, err := shelf.Game(set.Game)
	if err != nil {
		return Entry{}, keep, err
	}
	about := g.About()
	if set.Version, err = about.Settle(set.Seats, set.Version); err != nil {
		return Entry{}, keep, err
	}
	set.Judgement = cmp.Or(set.Judgement, NewestJudgement)
	if err := set.check(); err != nil {
		return Entry{}, keep, err
	}
	var box json.RawMessage
	if set.Options, box, err = tidy(set.Options); err != nil {
		return Entry{}, keep, game.Inside("options", err)
	}
	if set.Box, keep.Box, err = boxOf(&about, box, set.Version); err != nil {
		return Entry{}, keep, game.Inside("options", err)
	}
	first, err := shelf.start(&set, keep.Box)
	if err != nil {
		return Entry{}, keep, err
	}
	if set.usualTakeOver {
		set.TakeOver, set.usualTakeOver = !first.Secrets(), false
	}
	return Entry{
		At: min(max(now, 0), latest), Do: Opened, Seat: game.None,
		Settings: &set, Commitment: Commitment(secret, set.Append(nil)),
	}, keep, nil
}

// boxOf is the hash of the box that was asked for, and the box if it is not the
// one that comes with the game.
func boxOf(about *game.About, asked json.RawMessage, version int) (hash string, own json.RawMessage, err error) {
	if about.Box == nil && asked != nil {
		return "", nil, game.Blame("json.unknown", game.Args{"field": "box"})
	}
	p := pen{'{'}
	if asked != nil {
		p.raw("box", asked)
	}
	p.close()
	return about.BoxOf(json.RawMessage(p), version)
}
