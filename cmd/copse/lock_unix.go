//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// keepOwner gives a file to the user to whom another belongs: the superuser may change
// the key of a server that runs as somebody else.
func keepOwner(f *os.File, as string) error {
	info, err := os.Stat(as)
	if err != nil {
		return err
	}
	if of, ok := info.Sys().(*syscall.Stat_t); ok && os.Getuid() == 0 {
		return f.Chown(int(of.Uid), int(of.Gid))
	}
	return nil
}

// lockFolder makes sure that no other server uses a data folder. The system frees
// the lock when the process ends, however it ends. The flag is what names the folder.
func lockFolder(folder, flag string) (io.Closer, error) {
	f, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the data folder cannot be locked: %w; choose another with %s", err, flag)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		err = fmt.Errorf("another copse serves from %s or copies it: stop it, or choose another folder with %s", folder, flag)
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
