//go:build !linux

package pgtest

import "syscall"

// orphanless is what a child is started with. Elsewhere than on Linux a server
// outlives a test binary that is killed.
func orphanless() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
