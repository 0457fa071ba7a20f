//go:build !linux

package cluster

import "syscall"

// childOf is what a node is started with. Elsewhere than on Linux it outlives a test
// that is killed.
func childOf() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
