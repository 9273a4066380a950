package process

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// Server is a program that answers lines on its standard input with lines on its standard output.
type Server struct {
	ctx      context.Context
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	problems bytes.Buffer
}

// Start starts a program with the environment env; nil means our own. The program is killed when
// ctx ends.
func Start(ctx context.Context, command, env []string) (*Server, error) {
	s := &Server{ctx: ctx, cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	OwnGroup(s.cmd) // an interrupt at the terminal then reaches only us
	s.cmd.Env, s.cmd.Stderr = env, &s.problems
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<16)
	return s, s.cmd.Start()
}

// Ask sends a line and returns the line that answers it.
func (s *Server) Ask(line string) (string, error) {
	if err := s.Send(line); err != nil {
		return "", err
	}
	return s.Line()
}

// Send sends one or more lines. It adds the last newline.
func (s *Server) Send(lines string) error {
	if _, err := io.WriteString(s.in, lines+"\n"); err != nil {
		return s.failure(err)
	}
	return nil
}

// Line reads a line and returns it without its newline.
func (s *Server) Line() (string, error) {
	line, err := s.out.ReadString('\n')
	if err != nil {
		return "", s.failure(err)
	}
	return strings.TrimSuffix(line, "\n"), nil
}

// failure ends the program and returns the reason why it does not answer: the error of the context,
// or the exit status or err together with the program's standard error.
func (s *Server) failure(err error) error {
	ended := s.Close()
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case ended != nil:
		err = ended
	case errors.Is(err, io.EOF):
		err = errors.New("it ended")
	}
	text := bytes.TrimSpace(s.problems.Bytes())
	return fmt.Errorf("%s: %w: %s", filepath.Base(s.cmd.Path), err, text[:min(len(text), 2000)])
}

// Close closes the program's input, which ends it, and waits for it. Close may be called again.
func (s *Server) Close() error {
	s.in.Close() // fails if the program has ended
	if s.cmd.ProcessState != nil {
		return nil
	}
	return s.cmd.Wait()
}
