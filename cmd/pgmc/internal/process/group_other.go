//go:build !unix

package process

import "os/exec"

// OwnGroup does nothing: process groups exist on Unix alone.
func OwnGroup(*exec.Cmd) {}
