package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"copse/games"
	"copse/seal"
	"copse/store"
	"copse/store/move"
	"copse/store/postgres"
	"copse/store/sqlite"
	"copse/table"
)

type copyCommand struct {
	From string `required:"" placeholder:"FOLDER|postgres://…" help:"Where the house is: the data folder of a server, or the PostgreSQL of nodes. All of them must be stopped."`
	To   string `required:"" placeholder:"FOLDER|postgres://…" help:"Where it is to go, likewise. There must be no house yet, but half a copy of this one."`
	Key  string `placeholder:"FILE" type:"path" help:"The file with the key of the house, from the data folder of a node; for a copy from a PostgreSQL, unless the folder to go to has it."`
}

// source is a house that is copied.
type source struct {
	store.Mover
	house string     // the name of its database
	moved string     // where it has moved to; empty where it has not
	key   []byte     // nil where there was never one
	ring  *seal.Ring // likewise, all keys
	move  func(ctx context.Context, to string) error
	close func() error
}

// target is where a house is copied to.
type target struct {
	store.Mover
	name   string
	half   string                          // what to do away with, where the copy is no good
	clear  func(ctx context.Context) error // throws away what was copied so far
	settle func(ctx context.Context) error // lets it be served
	close  func() error
}

// Run copies a house, compares the copy with it table by table, proves every finished
// game, and only then marks the source as moved and lets the copy be served. Killed
// anywhere it can be run again, and goes on; at no time can both be served.
func (c copyCommand) Run() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	from, err := c.source(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.close()) }()
	if from.moved != "" {
		if err := c.waits(ctx, from); err != nil {
			return err
		}
	}
	to, err := c.target(ctx, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	if from.moved == "" {
		if err := to.fill(ctx, from, func() error { return compare(ctx, from, to) }); err != nil {
			return err
		}
		if err := from.move(ctx, to.name); err != nil {
			return err
		}
	} else if err := compare(ctx, from, to); err != nil { // nothing else than what was compared is ever served
		return fmt.Errorf("the house has moved to %s, but what waits there is not a copy of it: %w", to.name, err)
	}
	if err := to.settle(ctx); err != nil {
		return err
	}
	return c.done(to.name)
}

// waits refuses to go on with the copy of a house that has moved, unless it waits at
// this very place to be let be served.
func (c copyCommand) waits(ctx context.Context, from *source) error {
	name, waits, there, err := c.found(ctx, from.house)
	switch {
	case err != nil:
		return err
	case name != from.moved:
		return fmt.Errorf("%w: %s has moved to %s", store.ErrMoved, c.from(), from.moved)
	case there:
		return fmt.Errorf("%w to %s: there is nothing to copy any more", store.ErrMoved, from.moved)
	case !waits:
		return fmt.Errorf("%w to %s, and the copy is not there: bring back what was there, or restore the last backup of it; nothing was changed", store.ErrMoved, from.moved)
	}
	return nil
}

// found is what the target is called, whether a copy of a house waits there, and whether
// there is another house already. It changes nothing.
func (c copyCommand) found(ctx context.Context, house string) (name string, waits, there bool, err error) {
	if isDatabase(c.To) {
		if err := checkStore("--to", c.To); err != nil {
			return "", false, false, err
		}
		if name, err = postgres.NameOf(c.To); err == nil {
			waits, there, err = postgres.Waits(ctx, c.To, house)
		}
		return name, waits, there, err
	}
	if name, err = filepath.Abs(c.To); err != nil {
		return "", false, false, err
	}
	exists := func(file string) bool {
		_, err := os.Lstat(file)
		return err == nil
	}
	return name, exists(halfName(name, house)), exists(filepath.Join(name, databaseName)), nil
}

// fill copies everything and compares it. Where half a copy was there, and the house has
// changed since, it begins anew.
func (t *target) fill(ctx context.Context, from *source, compare func() error) error {
	there, err := t.Pieces(ctx)
	if err != nil {
		return err
	}
	both := func() error {
		if err := move.Copy(ctx, from, t, showBar("pieces copied")); err != nil {
			return err
		}
		return compare()
	}
	err = both()
	var differs *move.Differs
	if errors.As(err, &differs) && there > 1 { // the pulse always is
		if _, err := fmt.Fprintf(os.Stderr, "%s: the house has changed since half of it was copied (%v): everything is copied anew\n", t.name, err); err != nil {
			return err
		}
		if err := t.clear(ctx); err != nil {
			return err
		}
		err = both()
	}
	if errors.As(err, &differs) {
		return fmt.Errorf("%w: nothing has moved; check both disks, then %s and copy again", err, t.half)
	}
	return err
}

// compare compares a copy with its source, proves what is over, and says how much it is.
func compare(ctx context.Context, from *source, to *target) error {
	var checked store.Checked
	err := move.Compare(ctx, from, to, func(p store.Piece) error {
		switch {
		case p.Account != nil:
			checked.People++
		case p.Table != nil:
			return prove(p.Table, &checked)
		}
		return nil
	}, showBar("pieces compared"))
	if err == nil {
		_, err = fmt.Fprintf(os.Stdout, "%s: %s, compared and good\n", to.name, inventory(checked))
	}
	return err
}

// done says what to do next.
func (c copyCommand) done(name string) error {
	next := "Start the nodes: each needs the file \"key\" of the house in its data folder."
	if !isDatabase(c.To) {
		next = "Start the server: copse serve --data " + c.To
	}
	_, err := fmt.Fprintf(os.Stdout, "%s has moved to %s, and is not served from there any more. %s\n", c.from(), name, next)
	return err
}

// from is what the source is called, without secrets.
func (c copyCommand) from() string {
	if isDatabase(c.From) {
		return "The database"
	}
	return c.From
}

// showBar shows on a terminal how far something is.
func showBar(noun string) move.Progress {
	var b *bar
	return func(done, of int) {
		if b == nil {
			b = newBar(os.Stderr, of, noun)
		}
		if b.show(done); done == of {
			b.clear()
		}
	}
}

// prove counts a table, and proves its game if that is over.
func prove(w *store.Whole, checked *store.Checked) error {
	checked.Tables++
	checked.Entries += w.Next
	if w.Packed {
		checked.Packed++
	}
	if !w.Over {
		return nil
	}
	entries, err := w.Entries()
	if err != nil {
		return err
	}
	log := make([][]byte, len(entries))
	for i, e := range entries {
		log[i] = e.Body
	}
	last, err := table.ReadEntry(log[len(log)-1])
	if err != nil {
		return fmt.Errorf("the log of table %s: %w", w.ID, wrongInWords(err))
	}
	shelf := table.NewShelf(games.All()...)
	t, err := table.Open(shelf, table.Keep{Secret: last.Secret, Box: w.Box}, log)
	if err != nil {
		return fmt.Errorf("the log of table %s: %w", w.ID, wrongInWords(err))
	}
	raw, err := t.Export()
	if err == nil {
		_, err = table.Verify(shelf, raw)
	}
	if err != nil {
		return fmt.Errorf("table %s does not verify, and nothing has moved: %w", w.ID, wrongInWords(err))
	}
	return nil
}

// isDatabase tells an address of a PostgreSQL from a folder.
func isDatabase(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

// source opens the house that is copied, so that nobody else changes it.
func (c copyCommand) source(ctx context.Context) (*source, error) {
	if isDatabase(c.From) {
		return c.databaseSource(ctx)
	}
	return c.folderSource(ctx)
}

func (c copyCommand) folderSource(ctx context.Context) (_ *source, err error) {
	file, err := databaseIn(c.From, "--from")
	if err != nil {
		return nil, err
	}
	lock, err := lockFolder(c.From, "--from")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.Close())
		}
	}()
	s := &source{}
	if err := s.readKeys(filepath.Join(c.From, keyName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	kept, err := sqlite.Open(file)
	if errors.Is(err, store.ErrMoved) {
		kept, err = sqlite.Look(file)
	}
	if err != nil {
		return nil, err
	}
	s.Mover, s.move = kept, kept.Move
	s.close = func() error { return errors.Join(kept.Close(), lock.Close()) }
	if s.moved, err = kept.Moved(ctx); err == nil {
		s.house, err = kept.House(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	return s, nil
}

func (c copyCommand) databaseSource(ctx context.Context) (_ *source, err error) {
	if err := checkStore("--from", c.From); err != nil {
		return nil, err
	}
	kept, err := postgres.Look(ctx, c.From)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, kept.Close())
		}
	}()
	s := &source{Mover: kept}
	if err := c.houseKey(ctx, s, kept); err != nil {
		return nil, err
	}
	if s.moved, err = kept.Moved(ctx); err == nil {
		s.house, err = kept.House(ctx)
	}
	if err != nil {
		return nil, err
	}
	var hold *postgres.Hold
	if s.moved == "" {
		if hold, err = kept.Hold(ctx); err != nil {
			return nil, err
		}
		s.move = hold.Move
	}
	s.close = func() error {
		if hold != nil {
			hold.Release()
		}
		return kept.Close()
	}
	return s, nil
}

// houseKey is the key of the house in a database, which that does not keep itself.
func (c copyCommand) houseKey(ctx context.Context, s *source, kept *postgres.Store) error {
	file := c.Key
	if file == "" && !isDatabase(c.To) {
		file = filepath.Join(c.To, keyName)
	}
	if file == "" {
		return errors.New("the key of the house is missing: name the file \"key\" of the data folder of a node with --key")
	}
	err := s.readKeys(file)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the key of the house is missing: name the file \"key\" of the data folder of a node with --key (%w)", err)
	}
	if err == nil {
		err = private("--key", keyName, file)
	}
	if err != nil {
		return err
	}
	if is, err := kept.Keyed(ctx, s.key); err != nil || !is {
		return errors.Join(err, fmt.Errorf("%s is not the key of this house: name the file \"key\" of the data folder of a node with --key", file))
	}
	return s.ring.Fits(ctx, kept)
}

// readKeys reads the keys of the house from a file.
func (s *source) readKeys(file string) (err error) {
	if s.ring, err = readRing(file); err == nil {
		s.key = s.ring.House()
	}
	return err
}

// target opens the place to which the house goes.
func (c copyCommand) target(ctx context.Context, from *source) (*target, error) {
	if !isDatabase(c.To) {
		return c.folderTarget(from)
	}
	if err := checkStore("--to", c.To); err != nil {
		return nil, err
	}
	return databaseTarget(ctx, c.To, from)
}

func databaseTarget(ctx context.Context, to string, from *source) (*target, error) {
	kept, err := postgres.Open(ctx, to, postgres.Options{Key: from.key, Fill: from.house})
	if err != nil {
		return nil, err
	}
	return &target{Mover: kept, name: kept.Name(), half: "drop the database, make it anew", clear: kept.Clear, settle: kept.Settle, close: kept.Close}, nil
}

// folderTarget is a file under another name than that from which is served, until it
// is whole.
func (c copyCommand) folderTarget(from *source) (_ *target, err error) {
	folder, err := dataFolder(c.To, "--to")
	if err != nil {
		return nil, err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	lock, err := lockFolder(folder, "--to")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.Close())
		}
	}()
	file := filepath.Join(folder, databaseName)
	if _, err := os.Lstat(file); err == nil {
		return nil, fmt.Errorf("%s is in the way: copy into an empty folder", file)
	}
	if err := otherHalf(folder, from.house); err != nil {
		return nil, err
	}
	if err := placeKey(filepath.Join(folder, keyName), from.ring); err != nil {
		return nil, err
	}
	filled := halfName(folder, from.house)
	kept, err := sqlite.Open(filled)
	if err != nil {
		return nil, err
	}
	to := &target{Mover: kept, name: folder, half: "delete " + filled}
	to.clear = func(context.Context) error {
		if err := errors.Join(kept.Close(), removeDatabase(filled)); err != nil {
			return err
		}
		anew, err := sqlite.Open(filled)
		if err == nil {
			kept, to.Mover = anew, anew
		}
		return err
	}
	to.settle = func(context.Context) error { return errors.Join(kept.Close(), sqlite.Settle(filled, file)) }
	to.close = func() error { return errors.Join(kept.Close(), lock.Close()) }
	return to, nil
}

// placeKey puts the keys of a house into a file, where they may be already.
func placeKey(file string, ring *seal.Ring) error {
	if ring == nil {
		return nil
	}
	there, err := readRing(file)
	switch {
	case err == nil && !there.Equal(ring):
		return fmt.Errorf("%s is in the way, the key of another house: move it elsewhere", file)
	case errors.Is(err, os.ErrNotExist):
		return writeWhole(file, ring.Format(), (*os.File).Sync)
	}
	return err
}
