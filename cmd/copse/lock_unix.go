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
