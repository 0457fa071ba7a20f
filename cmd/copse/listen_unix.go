//go:build unix

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// listenUnix listens on a Unix socket that only those can open whom its mode lets. A
// socket on which nobody listens any more is taken away; one that is in use is not.
func listenUnix(path string, mode os.FileMode) (net.Listener, error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("no socket can be made there: %w; make the folder, or choose another path with --addr", err)
	}
	defer func() { _ = folder.Close() }() // it was only read
	// Of two that start at the same time one would take away what the other has just made.
	if err := lock(folder); err != nil {
		return nil, err
	}
	if err := clearSocket(path); err != nil {
		return nil, err
	}
	was := syscall.Umask(int(0o777 &^ mode)) // so that it is never open to others, not for a moment
	on, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	syscall.Umask(was)
	if err != nil {
		return nil, fmt.Errorf("cannot listen: %w; choose another path with --addr", err)
	}
	on.SetUnlinkOnClose(false)
	file, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(err, on.Close())
	}
	return &socketFile{UnixListener: on, path: path, file: file}, nil
}

// lockTime is how long is waited for the lock of a folder. Whoever may read the folder
// can hold it for ever.
var lockTime = 5 * time.Second

// lock locks a folder until it is closed.
func lock(folder *os.File) error {
	for till := time.Now().Add(lockTime); ; time.Sleep(20 * time.Millisecond) {
		err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return fmt.Errorf("%s cannot be locked: %w", folder.Name(), err)
		case time.Now().After(till):
			return fmt.Errorf("somebody else has locked %s: stop what does, or put the socket into a folder that only this user can read, with --addr", folder.Name())
		}
	}
}

// answerTime is how long whoever listens on a socket may take to answer.
const answerTime = time.Second

// clearSocket removes a socket on which nobody listens.
func clearSocket(path string) error {
	file, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("cannot listen: %w; choose another path with --addr", err)
	case file.Mode().Type() != os.ModeSocket:
		return fmt.Errorf("%s is there and is no socket: move it away, or choose another path with --addr", path)
	}
	conn, err := net.DialTimeout("unix", path, answerTime)
	switch {
	case err == nil:
		return errors.Join(fmt.Errorf("somebody listens on %s: stop what does, or choose another path with --addr", path), conn.Close())
	case !errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("it cannot be told whether anybody listens on %s: %w; remove it if nobody does, or choose another path with --addr", path, err)
	}
	return os.Remove(path)
}

// socketFile is a Unix socket that is removed when nobody listens on it any more.
type socketFile struct {
	*net.UnixListener
	path string
	file os.FileInfo
	once sync.Once
}

// Close removes the socket, unless another was put in its place.
func (s *socketFile) Close() (err error) {
	s.once.Do(func() {
		if now, there := os.Lstat(s.path); there == nil && os.SameFile(now, s.file) {
			err = os.Remove(s.path)
		}
	})
	return errors.Join(err, s.UnixListener.Close())
}
