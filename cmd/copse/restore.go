package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"copse/store"
	"copse/store/move"
	"copse/store/sqlite"
)

type restoreCommand struct {
	From string `arg:"" placeholder:"FILE" type:"existingfile" help:"A file that copse backup has written."`
	folderFlag
	storeFlag
}

// Run puts a backup into a data folder that has no database yet. It reads the
// backup to its end first; where it is damaged, or anything is in the way, nothing
// changes.
func (c restoreCommand) Run() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if c.Store != "" {
		return c.intoDatabase(ctx)
	}
	folder, err := dataFolder(c.Data, "--data")
	if err != nil {
		return err
	}
	lock, err := lockFolder(folder, "--data")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := errors.Join(unfinished(folder), stayed(ctx, c.From)); err != nil {
		return err
	}
	key := filepath.Join(folder, keyName)
	there, err := keyInPlace(keyBeside(c.From), key)
	if err != nil {
		return err
	}
	checked, err := sqlite.Restore(ctx, c.From, filepath.Join(folder, databaseName))
	if err != nil {
		return err
	}
	if !there {
		if err := copyKey(keyBeside(c.From), key); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(os.Stdout, "%s: %s. Start the server: copse serve --data %s\n", folder, inventory(checked), folder)
	return err
}

// intoDatabase puts a backup into an empty PostgreSQL. Killed anywhere it can be run
// again, and goes on.
func (c restoreCommand) intoDatabase(ctx context.Context) (err error) {
	if err := checkStore("--store", c.Store); err != nil {
		return err
	}
	if err := stayed(ctx, c.From); err != nil {
		return err
	}
	checked, err := checkBackup(ctx, c.From)
	if err != nil {
		return fmt.Errorf("%s is damaged: %w", c.From, err)
	}
	kept, err := sqlite.Look(c.From)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	from := &source{Mover: kept}
	if err := from.readKeys(keyBeside(c.From)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if from.house, err = kept.House(ctx); err != nil {
		return err
	}
	to, err := databaseTarget(ctx, c.Store, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	if err := to.fill(ctx, from, func() error {
		return move.Compare(ctx, from, to, func(store.Piece) error { return nil }, showBar("pieces compared"))
	}); err != nil {
		return err
	}
	if err := to.settle(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintf(os.Stdout, "%s: %s. Start the nodes: each needs %s as the file \"key\" in its data folder\n", to.name, inventory(checked), keyBeside(c.From))
	return err
}

// stayed refuses what was copied of a house that had moved: it is served from elsewhere,
// and goes on there. What cannot be read is told by whoever reads it to the end.
func stayed(ctx context.Context, file string) error {
	kept, err := sqlite.Look(file)
	if err != nil {
		return nil
	}
	moved, err := kept.Moved(ctx)
	if err = errors.Join(err, kept.Close()); err == nil && moved != "" {
		return fmt.Errorf("%w to %s: what is in %s is not what is played there", store.ErrMoved, moved, file)
	}
	return nil
}

// keyInPlace tells whether the folder has a key, and fails where that is not the
// key that belongs to the backup.
func keyInPlace(backed, key string) (bool, error) {
	here, err := os.ReadFile(key)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("the key of the server cannot be read: %w", err)
	}
	theirs, err := os.ReadFile(backed)
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err == nil && !bytes.Equal(here, theirs) {
		err = fmt.Errorf("%s is in the way, the key of another server: move it elsewhere", key)
	}
	return true, err
}
