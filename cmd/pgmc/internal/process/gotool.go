package process

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// NeedGo reports whether the go command is missing.
func NeedGo() error {
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("running a compiled package needs the go command, which is not in PATH")
	}
	return nil
}

// RunGo runs the command go in a folder, with its temporary files in tmp. It gives what that prints
// to standard output, and how it ended.
func RunGo(ctx context.Context, tmp, dir string, env []string, args ...string) ([]byte, *os.ProcessState, error) {
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = &out, &problem
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), env...), "GOTMPDIR="+tmp, "PWD="+dir)
	OwnGroup(cmd)
	cmd.WaitDelay = time.Second // what a killed build started may hold its output open
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		text := append(out.Bytes(), problem.Bytes()...)
		return nil, nil, fmt.Errorf("%w\n%s", err, bytes.TrimSpace(text[:min(len(text), 4000)]))
	}
	return out.Bytes(), cmd.ProcessState, nil
}
