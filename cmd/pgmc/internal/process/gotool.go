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

// NeedGo returns an error if the go command is not in PATH.
func NeedGo() error {
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("the go command is needed, and is not in PATH; install Go, or add its folder to PATH")
	}
	return nil
}

// RunGo runs the go command in the folder dir, with temporary files in tmp and env added to our
// environment. It returns the standard output and the ended process. If the command fails, the
// error holds the first 4,000 bytes of its output.
func RunGo(ctx context.Context, tmp, dir string, env []string, args ...string) ([]byte, *os.ProcessState, error) {
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = &out, &problem
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), env...), "GOTMPDIR="+tmp, "PWD="+dir)
	OwnGroup(cmd)
	cmd.WaitDelay = time.Second // processes that a killed build started may keep its output open
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
