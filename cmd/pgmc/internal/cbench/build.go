package cbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
)

// Compiler is a compiler of C or C++, perhaps with a library.
type Compiler struct {
	Command []string
	Flags   []string // of the language
	Libs    []string // flags that follow the source
	Suffix  string   // of source files
	Version string   // first line of its --version
}

// FindCompiler returns the compiler of C that the environment variable CC names, with arguments if
// CC has them, or cc.
func FindCompiler(ctx context.Context) (*Compiler, error) {
	return Find(ctx, "C", "CC", Compiler{Command: []string{"cc"}, Flags: []string{"-std=gnu11"}, Suffix: ".c"})
}

// Find returns a compiler with the command that an environment variable has, or its own.
func Find(ctx context.Context, language, variable string, c Compiler) (*Compiler, error) {
	command := strings.Fields(os.Getenv(variable))
	if len(command) == 0 {
		command = c.Command
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil, fmt.Errorf("no %s compiler %s in PATH; set %s to one", language, command[0], variable)
	}
	text, err := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], "--version")...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", command[0], err)
	}
	version, _, _ := strings.Cut(string(text), "\n")
	c.Command, c.Version = command, strings.TrimSpace(version)
	return &c, nil
}

// ErrTooLong reports that a compilation exceeded its time limit.
var ErrTooLong = errors.New("compiling took too long")

// Build compiles p for this machine into the folder dir, under a name, at an optimisation level
// such as "-O2". It stops the compiler after the time most with an error that wraps [ErrTooLong].
// It returns the command that runs the program.
func (c *Compiler) Build(ctx context.Context, dir, name, level string, p *Program, most time.Duration) ([]string, error) {
	source, data, binary := filepath.Join(dir, name+c.Suffix), filepath.Join(dir, name+".dat"), filepath.Join(dir, name+level+".exe")
	if err := os.WriteFile(source, []byte(p.Text), 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(data, p.Encode(), 0o644); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	args := slices.Concat(c.Command[1:], c.Flags, []string{level, "-march=native", "-w", "-o", binary, source}, c.Libs, []string{"-lm"})
	cmd := exec.CommandContext(limited, c.Command[0], args...)
	process.OwnGroup(cmd)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.WaitDelay = time.Second // processes that a killed driver started may keep its output open
	text, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("%w: more than %v", ErrTooLong, most)
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w\n%s", c.Command[0], level, err, bytes.TrimSpace(text[:min(len(text), 2000)]))
	}
	return []string{binary, data}, nil
}
