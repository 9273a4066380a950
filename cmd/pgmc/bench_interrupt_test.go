package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// TestBenchInterrupted cancels a run while it builds and checks that it leaves no files behind.
func TestBenchInterrupted(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	ctx, cancel := context.WithCancel(t.Context())
	var stderr bytes.Buffer
	a := &app{&cli.App{Args: []string{"bench", asia(t)}, Stdout: &bytes.Buffer{}, Stderr: &stderr}}
	done := make(chan error, 1)
	go func() { done <- a.Execute(ctx, a.root()) }()
	for { // until it builds
		if found, err := filepath.Glob(filepath.Join(tmp, "pgmc-bench-*", "main.go")); err != nil || len(found) > 0 {
			break
		}
		select {
		case err := <-done:
			t.Fatalf("it ended with %v before it was stopped", err)
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v; want %v", err, context.Canceled)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
