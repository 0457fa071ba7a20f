package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"copse/store/sqlite"
)

type restoreCommand struct {
	From string `arg:"" placeholder:"FILE" type:"existingfile" help:"A file that copse backup has written."`
	folderFlag
}

// Run puts a backup into a data folder that has no database yet. It reads the
// backup to its end first; where it is damaged, or anything is in the way, nothing
// changes.
func (c restoreCommand) Run() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := dataFolder(c.Data)
	if err != nil {
		return err
	}
	lock, err := lockFolder(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
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
