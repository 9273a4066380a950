package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The exit codes.
const (
	exitDone     = 0
	exitInput    = 1
	exitUsage    = 2
	exitInternal = 3
)

// app is one run of the command: where it reads and writes, and the global flags.
type app struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer

	json, quiet bool
	seed        uint64
	cpu         int
	maxMem      byteSize
	maxTable    int
	timeout     time.Duration

	command string // the path of the command that runs: "pgmc query"; empty before one does
	stage   string // the pass that runs, for internal errors
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// internalError is a mistake of ours; stack is empty where it was no panic.
type internalError struct {
	cause string
	stack string
}

func (e *internalError) Error() string { return e.cause }

// guard turns a panic in f into an internal error.
func (a *app) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &internalError{fmt.Sprint(p), string(debug.Stack())}
		}
	}()
	return f()
}

// execute parses the command line and runs the command.
func (a *app) execute(ctx context.Context) error {
	cores := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(cores)
	root := a.root()
	command, err := root.ExecuteContextC(ctx)
	if err != nil && a.command == "" { // nothing ran, so that the command line is at fault
		a.command = command.CommandPath()
		return usageError{err}
	}
	return err
}

// root is the command without a subcommand.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "pgmc",
		Short:         "Compile probabilistic graphical models to Go packages",
		Long:          "pgmc compiles probabilistic graphical models to standalone, allocation-free Go packages, and answers questions about them.",
		Example:       "  pgmc compile asia.bif\n  pgmc query asia.bif --evidence smoke=yes,xray=no",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetArgs(a.args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	f := root.PersistentFlags()
	f.BoolVar(&a.json, "json", false, "results as JSON")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no warnings, no progress, no summary")
	f.Uint64Var(&a.seed, "seed", 0, "`seed` of everything that is random")
	f.IntVar(&a.cpu, "cpu", 0, "`number` of cores to use; 0 for all")
	a.maxMem = compiler.DefaultMaxMem
	f.Var(&a.maxMem, "max-mem", "most `memory` that a compiled program may need, and the rows and counts that are learned from")
	f.IntVar(&a.maxTable, "max-table", compiler.DefaultMaxTable, "most `entries` of one table")
	f.DurationVar(&a.timeout, "timeout", 0, "give up after this `time` and write nothing; 0 for never")
	root.AddCommand(a.compileCommand(), a.verifyCommand(), a.queryCommand(), a.sampleCommand(), a.predictCommand(), a.scoreCommand(), a.solveCommand(), a.statsCommand(), a.compareCommand(), a.experimentCommand(),
		a.convertCommand(), a.learnCommand(), a.fitCommand(), a.showCommand(), a.benchCommand(), a.demoCommand(), a.versionCommand())
	wrapHelp(root)
	return root
}

// action is what a subcommand does once the global flags are in force.
func (a *app) action(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		a.command = c.CommandPath()
		switch {
		case a.cpu < 0:
			return usagef("--cpu is %d; want 0 or more", a.cpu)
		case a.maxTable <= 0:
			return usagef("--max-table is %d; want 1 or more", a.maxTable)
		case a.timeout < 0:
			return usagef("--timeout is %v; want 0 or more", a.timeout)
		case a.cpu > 0:
			runtime.GOMAXPROCS(a.cpu)
		}
		ctx := c.Context()
		if a.timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, a.timeout)
			defer cancel()
		}
		return f(ctx, args)
	}
}

// exitCode reports err and gives the exit code for it.
func (a *app) exitCode(err error) int {
	var usage usageError
	var internal *internalError
	var list diag.Errors
	var one diag.Diagnostic
	var ended *pgmrt.SearchError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &internal):
		a.reportInternal(internal)
		return exitInternal
	case errors.As(err, &usage):
		fmt.Fprintf(a.stderr, "pgmc: %v; see %s --help\n", oneLine(usage), a.command)
		return exitUsage
	case errors.As(err, &list):
		fmt.Fprintln(a.stderr, list.Error())
	case errors.As(err, &ended):
		fmt.Fprintln(a.stderr, "pgmc: "+err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintf(a.stderr, "pgmc: not done within --timeout %v\n", a.timeout)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(a.stderr, "pgmc: interrupted")
	case errors.As(err, &one):
		fmt.Fprintln(a.stderr, one.Error())
	default:
		fmt.Fprintln(a.stderr, "pgmc: "+err.Error())
	}
	return exitInput
}

// oneLine keeps the first line of a message; cobra adds suggestions below it.
func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func (a *app) reportInternal(e *internalError) {
	where := "command line"
	if a.command != "" {
		where = a.command
	}
	if a.stage != "" {
		where += ", " + a.stage
	}
	words := []string{"pgmc"}
	for _, arg := range a.args {
		words = append(words, shellQuote(arg))
	}
	fmt.Fprintf(a.stderr, "pgmc: internal error in %s: %s\n", where, e.cause)
	fmt.Fprintf(a.stderr, "pgmc: this is a mistake in pgmc; please report it with the model and this command: %s\n", strings.Join(words, " "))
	if e.stack != "" {
		fmt.Fprint(a.stderr, e.stack)
	}
}

// shellQuote writes a word so that a shell reads it back.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:+@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// warn prints warnings.
func (a *app) warn(list []diag.Diagnostic) {
	if a.quiet {
		return
	}
	for _, d := range list {
		fmt.Fprintln(a.stderr, d.Error())
	}
}

// printJSON writes v to standard output as one indented value.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
