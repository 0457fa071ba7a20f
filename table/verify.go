package table

import (
	"bytes"

	"copse/game"
)

// Verify proves an export: the secret is the one that the first entry committed to,
// the chain of hashes holds, every outcome of chance is the draw of the seed, every
// entry may stand where it stands, every move is legal, and the result is right. It
// gives the table, or a *Wrong that names the first entry that is not as it was.
//
// It proves that nothing was changed afterwards. Whoever kept the commitment from
// the first day can compare that too. It does not prove that those who ran the
// table never looked.
func Verify(shelf *Shelf, export []byte) (*Table, error) {
	x, err := readExport(export)
	if err != nil {
		return nil, err
	}
	last := len(x.read) - 1
	secret := x.read[last].Secret
	if err := x.chained(secret); err != nil {
		return nil, err
	}
	t := &Table{shelf: shelf, keep: Keep{Secret: secret, Box: x.box}, start: -1}
	if err := x.boxed(shelf); err != nil {
		return nil, err
	}
	for n := range x.read {
		if err := t.prove(&x.read[n], x.entries[n]); err != nil {
			return nil, &Wrong{n, err}
		}
	}
	return t, nil
}

// chained makes sure of the commitment and the hashes.
func (x *exported) chained(secret Secret) error {
	if x.read[0].Do != Opened {
		return &Wrong{0, impossible(&x.read[0])}
	}
	if Commitment(secret, x.read[0].Settings.Append(nil)) != x.read[0].Commitment {
		// Where the next link fits, the secret is right and the first entry is not.
		wrong := len(x.read) - 1
		if len(x.read) > 1 && Link(x.hashes[0], secret, 1, x.entries[1]) == x.hashes[1] {
			wrong = 0
		}
		return &Wrong{wrong, game.Blame("table.log.secret", nil)}
	}
	for n, hash := range Chain(secret, x.entries) {
		if hash != x.hashes[n] {
			return &Wrong{n, game.Blame("table.log.hash", nil)}
		}
	}
	return nil
}

// boxed makes sure that the box is the one that the first entry names, and is there
// only where it is needed.
func (x *exported) boxed(shelf *Shelf) error {
	g, err := shelf.Game(x.read[0].Settings.Game)
	if err != nil {
		return &Wrong{0, err}
	}
	about, hash, version := g.About(), x.read[0].Settings.Box, x.read[0].Settings.Version
	if x.box == nil {
		return nil
	}
	if about.Box == nil || hash == about.UsualBox(version) || game.BoxHash(x.box) != hash {
		return &Wrong{-1, game.Blame("table.box", game.Args{"hash": hash})}
	}
	written, err := about.ReadBox(x.box, version)
	if err != nil || !bytes.Equal(written, x.box) {
		return &Wrong{-1, game.Blame("table.box", game.Args{"hash": hash})}
	}
	return nil
}

// prove applies an entry. Besides what Apply makes sure of, it makes sure that an
// outcome is the draw of the seed and that moves are in their one written form.
func (t *Table) prove(e *Entry, raw []byte) error {
	if t.settings == nil {
		if err := t.set(e); err != nil {
			return err
		}
	}
	if s := &t.now; s.phase == playing && e.Move != nil {
		by := e.Seat
		if e.Do == Drawn {
			if by = game.Chance; s.pos.ToAct() != game.Chance {
				return impossible(e)
			}
			if drawn := t.draw(s); !bytes.Equal(drawn, e.Move) {
				return game.Blame("table.log.draw", game.Args{"draw": e.Draw})
			}
		}
		if move, err := s.pos.Heard(e.Move, by, by); err != nil || !bytes.Equal(move, e.Move) {
			return impossible(e)
		}
	}
	if e.Do == Started && t.settings.Rated && !t.seatsDrawn() {
		return game.Blame("table.log.seats", nil)
	}
	_, err := t.apply(e, raw)
	return err
}
