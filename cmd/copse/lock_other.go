//go:build !unix

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// keepOwner gives a file to the user to whom another belongs, which is this one here.
func keepOwner(*os.File, string) error { return nil }

// lockFolder makes sure that no other server uses a data folder, on systems that
// do not remove a file while a process has it open. The flag is what names the folder.
func lockFolder(folder, flag string) (io.Closer, error) {
	file := filepath.Join(folder, "lock")
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("another copse serves from %s or copies it: stop it, or choose another folder with %s", folder, flag)
	}
	return os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
}
