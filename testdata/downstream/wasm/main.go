// Command wasm runs a WebAssembly program for wasip1, for tests on machines without another engine:
// go test -exec runs it. The program gets the arguments, the standard streams, and the current
// folder to read and write.
//
// It is a module of its own, so that nobody else requires wazero.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: wasm PROGRAM ARGUMENT...")
		os.Exit(2)
	}
	err := run(context.Background(), os.Args[1:])
	var exit *sys.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(int(exit.ExitCode()))
	case err != nil:
		fmt.Fprintln(os.Stderr, "wasm:", err)
		os.Exit(1)
	}
}

// run runs the program in file args[0].
func run(ctx context.Context, args []string) error {
	code, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	config := wazero.NewModuleConfig().WithArgs(args...).WithStdin(os.Stdin).WithStdout(os.Stdout).WithStderr(os.Stderr).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader).
		WithFSConfig(wazero.NewFSConfig().WithDirMount(dir, dir)).WithEnv("PWD", dir)
	_, err = r.InstantiateWithConfig(ctx, code, config)
	return err
}
