package pgtest

import "syscall"

// orphanless has a child end at once when its parent does: a test binary that is
// killed leaves no server.
func orphanless() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT, Setpgid: true}
}
