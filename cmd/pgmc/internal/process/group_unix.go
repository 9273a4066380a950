//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup puts a command in a process group of its own and kills the whole group on cancellation.
// Compiler drivers start other processes for their work.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
