// Command pgmc compiles probabilistic graphical models to Go packages, and answers questions about
// them.
//
// Each subcommand has a file of its own. The work is done by the packages compiler, codegen and
// ir/eval; what stands here reads flags and files, writes results, and turns errors into exit
// codes: 0 done, 1 the input is wrong, 2 the command line is, 3 an internal error.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// gcPercent has the collector run twice as often as it would: a tenth less memory at the peak of
// compiling a large network, for 4 % of the time. GOGC in the environment says otherwise.
const gcPercent = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run does what args ask for and gives the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{&cli.App{Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr}}
	return a.ExitCode(cli.Guard(func() error { return a.Execute(ctx, a.root()) }))
}
