package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"copse/store"
)

// Backup writes a copy of the database as it is at this moment to a new file,
// without gaps and without what was deleted.
func (s *Store) Backup(ctx context.Context, file string) error { return Backup(ctx, s.file, file) }

// Backup does the same for a database that another process may have open.
func Backup(ctx context.Context, from, to string) error {
	if _, err := os.Stat(from); err != nil {
		return fmt.Errorf("store: there is no database to copy: %w", err)
	}
	return location{file: from}.backup(ctx, to)
}

func (l location) backup(ctx context.Context, to string) error {
	db, err := l.connect(1, "mode=ro")
	if err != nil {
		return err
	}
	return errors.Join(l.fresh(to, func(part string) error {
		if _, err := db.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
			return fmt.Errorf("store: the copy was not made: %w", bad(err))
		}
		return nil
	}), db.Close())
}

// Restore puts a backup where a database is to be, after checking it. There must be
// none yet: the operator moves all files of an earlier one away first.
func Restore(ctx context.Context, backup, file string) (store.Checked, error) {
	for _, end := range []string{"", "-wal", "-shm", "-witness"} {
		if _, err := os.Lstat(file + end); err == nil {
			return store.Checked{}, fmt.Errorf("store: %s is in the way: stop the server and move it elsewhere", file+end)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return store.Checked{}, fmt.Errorf("store: no folder for the database: %w", err)
	}
	var checked store.Checked
	err := location{}.fresh(file, func(part string) error {
		if err := copyFile(backup, part); err != nil {
			return err
		}
		s, err := Look(part) // what was copied, not what it was copied from
		if err != nil {
			return err
		}
		checked, err = s.Check(ctx)
		return errors.Join(err, s.Close())
	})
	return checked, err
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("store: the backup cannot be read: %w", err)
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), in.Close())
}

// fresh makes a new file, whole and synced, or none: it makes the file under
// another name and renames it at the end.
func (l location) fresh(file string, make func(part string) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // the name is ours
	if err != nil {
		return fmt.Errorf("store: %s cannot be made: %w", file, err)
	}
	part := file + ".part"
	journal := part + "-journal" // SQLite's, while it makes the copy
	err = errors.Join(f.Close(), remove(part), remove(journal))
	if err == nil {
		err = make(part)
	}
	if err == nil {
		err = errors.Join(os.Chmod(part, 0o600), l.syncFile(part))
	}
	if err == nil {
		err = l.rename(part, file)
	}
	if err == nil {
		err = l.syncFolder(filepath.Dir(file))
	}
	if err != nil {
		return errors.Join(err, remove(part), remove(journal), remove(file))
	}
	return nil
}

// rename gives a file another name.
func (l location) rename(from, to string) error {
	if err := l.spared("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// remove removes a file, if there is one.
func remove(file string) error {
	if err := os.Remove(file); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// syncFile brings a file to the disk.
func (l location) syncFile(file string) error {
	if err := l.spared("sync", file); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// rewrite writes a file once more as it is, and syncs it. After a failed sync
// nothing else brings to the disk what can still be read.
func (l location) rewrite(file string) error {
	if err := l.spared("rewrite", file); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	piece := make([]byte, 1<<20)
	for at, n := int64(0), 0; err == nil; at += int64(n) {
		n, err = f.ReadAt(piece, at)
		if _, unwritten := f.WriteAt(piece[:n], at); unwritten != nil {
			err = unwritten
		}
	}
	if errors.Is(err, io.EOF) {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncFolder syncs the names in a folder, on systems that can.
func (l location) syncFolder(folder string) error {
	if err := l.spared("sync", folder); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
