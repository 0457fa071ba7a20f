package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"

	"copse/seal"
	"copse/store"
	"copse/store/postgres"
	"copse/store/sqlite"
)

type keyCommand struct {
	Rotate keyRotateCommand `cmd:"" help:"Make a new key, and seal every secret with it."`
}

type keyRotateCommand struct {
	Lost bool `help:"Throw away secrets that no key here opens, as after a backup that was restored without its key. Those who had them are asked anew."`
	folderFlag
	storeFlag
}

// Run makes a key that seals from now on, seals with it what was sealed with another,
// and only then forgets those that are of no use any more. Killed anywhere it can be run
// again, and goes on: at no time is anything sealed with a key that is not in the file.
func (c keyRotateCommand) Run() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := c.folder()
	if err != nil {
		return err
	}
	file := filepath.Join(folder, keyName)
	papers, done, err := c.alone(ctx, folder, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	ring, err := readRing(file) // nobody else changes it now
	if err != nil {
		return err
	}
	if err := ring.Fits(ctx, papers); err != nil && !(c.Lost && errors.Is(err, seal.ErrOld)) {
		return err
	}
	is, err := ring.Look(ctx, papers)
	if err != nil {
		return err
	}
	if is.Lost > 0 && !c.Lost {
		return fmt.Errorf("%d of %s cannot be opened with the keys in %s: bring back the key file that belongs to this house, or give them up with --lost; nothing was changed", is.Lost, count(is.All, "secret", "secrets"), file)
	}
	if ring.Len() < 3 && is.Old == 0 { // else it was begun before, and is gone on with
		ring = ring.Grown()
		if err := replaceKey(file, ring); err != nil {
			return err
		}
	}
	if err := ring.Reseal(ctx, papers, c.Lost, showBar("secrets sealed")); err != nil {
		return fmt.Errorf("not every secret is sealed anew yet, and no key is forgotten: run it again (%w)", err)
	}
	if is, err = ring.Look(ctx, papers); err != nil {
		return err
	}
	if is.Old > 0 || is.Lost > 0 {
		return fmt.Errorf("%d of %s are not sealed with the new key, and no key is forgotten: run it again", is.Old+is.Lost, count(is.All, "secret", "secrets"))
	}
	if err := replaceKey(file, ring.Trimmed()); err != nil {
		return err
	}
	next := "Start the server."
	if c.Store != "" {
		next = "Copy it to the data folder of every node, and start them."
	}
	_, err = fmt.Fprintf(os.Stdout, "%s: a new key seals %s. %s\n", file, count(is.All, "secret", "secrets"), next)
	return err
}

// alone opens what the house keeps, so that no server serves it meanwhile: what it seals
// with a key that it has read before would be lost.
func (c keyRotateCommand) alone(ctx context.Context, folder, file string) (_ store.Papers, done func() error, err error) {
	if c.Store != "" {
		if err := checkStore("--store", c.Store); err != nil {
			return nil, nil, err
		}
		key, err := readKey(file)
		if err != nil {
			return nil, nil, err
		}
		if err := private("--data", keyName, file); err != nil {
			return nil, nil, err
		}
		kept, err := postgres.Open(ctx, c.Store, postgres.Options{Key: key})
		if err != nil {
			return nil, nil, err
		}
		release, err := kept.Alone(ctx)
		if err != nil {
			return nil, nil, errors.Join(err, kept.Close())
		}
		return kept, func() error { release(); return kept.Close() }, nil
	}
	database, err := c.database()
	if err != nil {
		return nil, nil, err
	}
	lock, err := lockFolder(folder, "--data")
	if err != nil {
		return nil, nil, err
	}
	if _, err := readKey(file); err != nil {
		return nil, nil, errors.Join(err, lock.Close())
	}
	kept, err := sqlite.Open(database)
	if err != nil {
		return nil, nil, errors.Join(err, lock.Close())
	}
	return kept, func() error { return errors.Join(kept.Close(), lock.Close()) }, nil
}

// readRing reads the keys of a house.
func readRing(file string) (*seal.Ring, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the key of this server cannot be read: %w", err)
	}
	ring, err := seal.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%s is no key: restore it from a backup, or delete it, and codes that were not used yet and sealed secrets are lost", file)
	}
	return ring, nil
}

// replaceKey puts other keys into the key file, whole and synced, or leaves it as it is.
func replaceKey(file string, ring *seal.Ring) (err error) {
	there, err := os.ReadFile(file)
	if err == nil && string(there) == string(ring.Format()) {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.part") // for this user alone
	if err != nil {
		return fmt.Errorf("the key cannot be changed: %w", err)
	}
	_, err = f.Write(ring.Format())
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, keepOwner(f, file), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("the key cannot be changed: %w", err), os.Remove(f.Name()))
	}
	if runtime.GOOS == "windows" {
		return nil // this system cannot sync the names in a folder
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
