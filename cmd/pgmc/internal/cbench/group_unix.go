//go:build unix

package cbench

import (
	"os/exec"
	"syscall"
)

// ownGroup has a command killed together with the processes that it started: a compiler's driver leaves the work to others.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
