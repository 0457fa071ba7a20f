// Package move copies everything that one store keeps into another, of whatever kind,
// and compares the two. What was copied before is passed over: a copy that was killed
// is gone on with by making it again.
package move

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"copse/store"
)

// Progress is told how many of how many pieces are done.
type Progress func(done, of int)

// How much is written at once: pieces, and bytes of logs among them.
const (
	mostPieces = 200
	mostBytes  = 4 << 20
)

// Copy puts into a store everything that another keeps, and that is not there yet.
func Copy(ctx context.Context, from, to store.Mover, show Progress) error {
	all, err := from.Pieces(ctx)
	if err != nil {
		return err
	}
	reached, err := to.Reached(ctx)
	if err != nil {
		return err
	}
	var batch []store.Piece
	size, done := 0, 0
	write := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := to.Fill(ctx, batch...); err != nil {
			return err
		}
		done += len(batch)
		show(min(done, all), all)
		batch, size = batch[:0], 0
		return nil
	}
	if err := from.Dump(ctx, reached, func(p store.Piece) error {
		batch, size = append(batch, p), size+weight(p)
		if len(batch) < mostPieces && size < mostBytes {
			return nil
		}
		return write()
	}); err != nil {
		return err
	}
	return write()
}

// weight is how many bytes a piece has, about.
func weight(p store.Piece) int {
	if p.Paper != nil {
		return len(p.Paper.Body)
	}
	if p.Table == nil {
		return 0
	}
	n := len(p.Table.Pack) + len(p.Table.Box) + len(p.Table.About) + len(p.Table.Private)
	for _, e := range p.Table.Log {
		n += len(e.Body)
	}
	for _, l := range p.Table.Lines {
		n += len(l.Body)
	}
	return n
}

// Differs says that a copy is not what it was copied from.
type Differs struct {
	Piece string // which
	What  string
}

func (d *Differs) Error() string {
	return fmt.Sprintf("the copy of %s %s", d.Piece, d.What)
}

// Compare reads two stores out side by side and compares piece by piece. It hands over
// each piece of the copy, for whoever wants to know more.
func Compare(ctx context.Context, from, to store.Mover, each func(store.Piece) error, show Progress) error {
	all, err := from.Pieces(ctx)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	next, stop := iter.Pull2(pieces(ctx, to))
	defer stop()
	done := 0
	if err := from.Dump(ctx, 0, func(p store.Piece) error {
		copied, err, ok := next()
		switch {
		case err != nil:
			return err
		case !ok:
			return &Differs{p.Name(), "is missing"}
		case p.Name() != copied.Name():
			return &Differs{p.Name(), "is missing, or stands elsewhere: there is " + copied.Name()}
		case p.Digest() != copied.Digest():
			return &Differs{p.Name(), "is not the same"}
		}
		if err := each(copied); err != nil {
			return err
		}
		done++
		show(min(done, all), all)
		return nil
	}); err != nil {
		return err
	}
	more, err, ok := next()
	if err == nil && ok {
		err = &Differs{more.Name(), "was never there"}
	}
	return err
}

// errEnough ends a dump that nobody wants to hear more of.
var errEnough = errors.New("enough")

// pieces are those of a store, one by one, and the error that ends them.
func pieces(ctx context.Context, from store.Mover) iter.Seq2[store.Piece, error] {
	return func(yield func(store.Piece, error) bool) {
		err := from.Dump(ctx, 0, func(p store.Piece) error {
			if !yield(p, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(store.Piece{}, err)
		}
	}
}
