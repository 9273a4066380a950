//go:build !unix

package process

import "os/exec"

// OwnGroup does nothing: process groups exist only on Unix.
func OwnGroup(*exec.Cmd) {}
