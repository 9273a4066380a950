// Command pgmc compiles probabilistic graphical models to Go packages, and answers queries about
// them.
//
// Each subcommand has a file of its own. Package main reads flags, calls the libraries compiler,
// codegen and learn, and turns errors into exit codes: 0 is done, 1 an error in the input, 2 an
// error in the command line, 3 an error of pgmc itself.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/vet"
)

// gcPercent makes the garbage collector run more often than by default. The peak memory of
// compiling munin3 is then a quarter lower, and the processor time a tenth higher. The environment
// variable GOGC overrides it.
const gcPercent = 40

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if vet.IsTool(os.Args[1:]) {
		vet.Tool()
	}
	os.Exit(execute(&app{&cli.App{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Alone: true}}))
}

// run executes the command line args, perhaps beside others, and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return execute(&app{&cli.App{Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr}})
}

// execute executes the command line of a and returns the exit code.
func execute(a *app) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return a.ExitCode(cli.Guard(func() error { return a.Execute(ctx, a.root()) }))
}
