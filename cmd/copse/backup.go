package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"copse/store"
	"copse/store/sqlite"
)

type backupCommand struct {
	To string `arg:"" placeholder:"FILE" type:"path" help:"The file to write, which must not exist yet; or a folder, for a file named after the time."`
	folderFlag
}

// Run writes a copy of everything as it is at this moment, while the server goes
// on, and reads the copy to its end before it reports success.
func (c backupCommand) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	from, err := c.database()
	if err != nil {
		return err
	}
	to := c.To
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		to = filepath.Join(to, "copse-"+time.Now().UTC().Format("20060102T150405Z")+".db")
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
	if err := sqlite.Backup(ctx, from, to); err != nil {
		return err
	}
	if err := copyKey(filepath.Join(filepath.Dir(from), keyName), keyBeside(to)); err != nil {
		return err
	}
	checked, err := checkBackup(ctx, to)
	if err != nil {
		return fmt.Errorf("the copy in %s is damaged: %w", to, err)
	}
	_, err = fmt.Fprintf(os.Stdout, "%s: %s, read to the end and good\n", to, inventory(checked))
	return err
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
