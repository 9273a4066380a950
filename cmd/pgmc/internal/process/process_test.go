package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain lets the test binary also be the program that tests start. That program answers each
// line in upper case, and fails at the line "fail".
func TestMain(m *testing.M) {
	if os.Getenv("PROCESS_TEST") == "" {
		os.Exit(m.Run())
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if lines.Text() == "fail" {
			fmt.Fprintln(os.Stderr, "failure requested")
			os.Exit(3)
		}
		fmt.Println(strings.ToUpper(lines.Text()))
	}
}

func start(t *testing.T, ctx context.Context) *Server {
	t.Helper()
	s, err := Start(ctx, []string{os.Args[0]}, append(os.Environ(), "PROCESS_TEST=1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestServer(t *testing.T) {
	s := start(t, t.Context())
	for _, word := range []string{"one", "two"} {
		if got, err := s.Ask(word); got != strings.ToUpper(word) || err != nil {
			t.Errorf("%s is answered by %q, %v", word, got, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

func TestFailure(t *testing.T) {
	if got, err := start(t, t.Context()).Ask("fail"); err == nil || !strings.HasSuffix(err.Error(), "exit status 3: failure requested") {
		t.Errorf("got %q, %v", got, err)
	}
	if s, err := Start(t.Context(), []string{"no-such-program"}, nil); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := start(t, ctx)
	if _, err := s.Ask("one"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if got, err := s.Line(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %q, %v; want %v", got, err, context.Canceled)
	}
}

// TestPeakMemory checks that the peak memory of a Go process is from 1 MB to 1 GB, whatever unit
// the system uses.
func TestPeakMemory(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROCESS_TEST=1")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if peak := PeakMemory(cmd.ProcessState); peak != 0 && (peak < 1e6 || peak > 1e9) {
		t.Errorf("%d bytes", peak)
	}
}
