package cluster

import "syscall"

// childOf has a node end when the test does.
func childOf() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
