package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"

	"copse/store"
	"copse/store/move"
	"copse/store/postgres"
	"copse/store/sqlite"
)

type backupCommand struct {
	To         string `arg:"" placeholder:"FILE" type:"path" help:"The file to write, which must not exist yet; or a folder, for a file named after the time."`
	Keep       int    `placeholder:"N" help:"In a folder: keep the newest N copies, and remove older ones once the new one was read to its end; by default all are kept."`
	WithoutKey bool   `help:"Leave the key of the server out, to keep it elsewhere: without it nobody opens the secrets in the copy that are sealed, and with the copy alone nobody does."`
	folderFlag
	storeFlag
}

// Run writes a copy of everything as it is at this moment, while the server goes
// on, and reads the copy to its end before it reports success.
func (c backupCommand) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	to, isFolder := c.To, false
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		to, isFolder = filepath.Join(to, "copse-"+time.Now().UTC().Format("20060102T150405Z")+".db"), true
	}
	switch {
	case c.Keep < 0:
		return misused("--keep %d: how many copies to keep, or leave it out to keep all", c.Keep)
	case c.Keep > 0 && !isFolder:
		return misused("--keep is for copies in a folder, named after the time: name one that is there")
	}
	folder, _ := filepath.Split(to) // where the name ends in a slash, all of it is the folder
	if _, err := os.Stat(filepath.Clean(folder)); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no folder %s: make it, or name one that is there", filepath.Clean(folder))
	}
	for _, file := range []string{to, keyBeside(to)} {
		if _, err := os.Lstat(file); err == nil {
			return fmt.Errorf("%s is there already, and nothing is written over: choose another name", file)
		}
	}
	var err error
	if c.Store != "" {
		err = c.ofDatabase(ctx, to)
	} else {
		err = c.ofFile(ctx, to)
	}
	if err != nil {
		return err
	}
	checked, err := checkBackup(ctx, to)
	if err != nil {
		return fmt.Errorf("the copy in %s is damaged: %w", to, err)
	}
	if _, err = fmt.Fprintf(os.Stdout, "%s: %s, read to the end and good\n", to, inventory(checked)); err != nil || c.Keep == 0 {
		return err
	}
	return c.thin(c.To)
}

// stamped is how a copy in a folder is called.
var stamped = regexp.MustCompile(`^copse-\d{8}T\d{6}Z\.db$`)

// thin removes the oldest copies of a folder, with their keys. It touches nothing that
// is called otherwise.
func (c backupCommand) thin(folder string) error {
	list, err := os.ReadDir(folder) // sorted by name, and so by time
	if err != nil {
		return err
	}
	var copies []string
	for _, f := range list {
		if f.Type().IsRegular() && stamped.MatchString(f.Name()) {
			copies = append(copies, filepath.Join(folder, f.Name()))
		}
	}
	for _, old := range copies[:max(0, len(copies)-c.Keep)] {
		if err := os.Remove(keyBeside(old)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := os.Remove(old); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(os.Stdout, "%s: removed, for there are %s that are newer\n", old, count(c.Keep, "copy", "copies")); err != nil {
			return err
		}
	}
	return nil
}

// ofFile copies the file of a data folder.
func (c backupCommand) ofFile(ctx context.Context, to string) error {
	from, err := c.database()
	if err != nil {
		return err
	}
	if err := stayed(ctx, from); err != nil {
		return err
	}
	if err := sqlite.Backup(ctx, from, to); err != nil {
		return err
	}
	if c.WithoutKey {
		return nil
	}
	return copyKey(filepath.Join(filepath.Dir(from), keyName), keyBeside(to))
}

// ofDatabase copies one moment of a PostgreSQL into a file. The key is not in the
// database: it is in the data folder of a node.
func (c backupCommand) ofDatabase(ctx context.Context, to string) (err error) {
	from, err := c.look(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	moved, err := from.Moved(ctx)
	if err != nil {
		return err
	}
	if moved != "" {
		return fmt.Errorf("%w to %s: make the backup there", store.ErrMoved, moved)
	}
	file, err := c.keyOf(ctx, from)
	if err != nil {
		return err
	}
	filled := to + ".filled"
	if err := removeDatabase(filled); err != nil { // of a try that was killed
		return err
	}
	into, err := sqlite.Open(filled)
	if err != nil {
		return err
	}
	err = errors.Join(move.Copy(ctx, from, into, showBar("pieces copied")), into.Close())
	if err == nil {
		err = sqlite.Backup(ctx, filled, to) // in one file that needs no other beside it
	}
	if err := errors.Join(err, removeDatabase(filled)); err != nil {
		return err
	}
	switch _, err := os.Stat(file); {
	case c.WithoutKey:
		return nil
	case errors.Is(err, os.ErrNotExist):
		_, err = fmt.Fprintf(os.Stderr, "the key of the house is not in %s: copy it from the data folder of a node to %s\n", filepath.Dir(file), keyBeside(to))
		return err
	}
	return copyKey(file, keyBeside(to))
}

// keyOf is the file with the key of the house in a database, where it is: it refuses that
// of another.
func (c backupCommand) keyOf(ctx context.Context, from *postgres.Store) (string, error) {
	folder, err := c.folder()
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, keyName)
	ring, err := readRing(file)
	if errors.Is(err, os.ErrNotExist) || c.WithoutKey {
		return file, nil
	}
	if err == nil {
		err = private("--data", keyName, file)
	}
	if err != nil {
		return "", err
	}
	is, err := from.Keyed(ctx, ring.House())
	if err != nil {
		return "", err
	}
	if !is {
		return "", fmt.Errorf("%s is not the key of this house: name the data folder of a node with --data", file)
	}
	return file, ring.Fits(ctx, from)
}

// removeDatabase removes all files of a database, where there are any.
func removeDatabase(file string) error {
	var errs []error
	for _, end := range []string{"", "-wal", "-shm", "-witness"} {
		if err := os.Remove(file + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// checkBackup reads a copy to its end.
func checkBackup(ctx context.Context, file string) (store.Checked, error) {
	copied, err := sqlite.Look(file)
	if err != nil {
		return store.Checked{}, err
	}
	checked, err := copied.Check(ctx)
	return checked, errors.Join(err, copied.Close())
}

// inventory says what is in a database.
func inventory(c store.Checked) string {
	return fmt.Sprintf("%s (%d finished) with %s, %s", count(c.Tables, "table", "tables"), c.Packed, count(c.Entries, "entry", "entries"), count(c.People, "person", "people"))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// keyBeside is the file of the server's key beside a backup.
func keyBeside(backup string) string { return backup + "." + keyName }

// copyKey copies the key of a server, which nobody else may read. Before the first
// start of a server there is none.
func copyKey(from, to string) error {
	raw, err := os.ReadFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the key of the server cannot be read: %w", err)
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("the key of the server is not copied: %w", err)
	}
	_, err = f.Write(raw)
	return errors.Join(err, f.Sync(), f.Close())
}
