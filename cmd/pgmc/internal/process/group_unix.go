//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup has a command killed together with the processes that it started: the driver of a
// compiler leaves the work to others.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
