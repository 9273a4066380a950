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

// Server is a program that answers lines on its standard input by lines on its standard output.
type Server struct {
	ctx      context.Context
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	problems bytes.Buffer
}

// Start starts a program with the environment env; nil is our own. It is killed once ctx is done.
func Start(ctx context.Context, command, env []string) (*Server, error) {
	s := &Server{ctx: ctx, cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	OwnGroup(s.cmd) // so that an interrupt at the terminal reaches us alone
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

// Ask sends a line, and reads the line that answers it.
func (s *Server) Ask(line string) (string, error) {
	if err := s.Send(line); err != nil {
		return "", err
	}
	return s.Line()
}

// Send sends lines; the last needs no end.
func (s *Server) Send(lines string) error {
	if _, err := io.WriteString(s.in, lines+"\n"); err != nil {
		return s.failure(err)
	}
	return nil
}

// Line reads a line.
func (s *Server) Line() (string, error) {
	line, err := s.out.ReadString('\n')
	if err != nil {
		return "", s.failure(err)
	}
	return strings.TrimSuffix(line, "\n"), nil
}

// failure says why the program does not answer, and ends it.
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

// Close ends the program, by ending its input, and waits for it. It may be called again.
func (s *Server) Close() error {
	s.in.Close() // fails where the program has ended
	if s.cmd.ProcessState != nil {
		return nil
	}
	return s.cmd.Wait()
}
