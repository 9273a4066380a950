package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/addressspace"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// The exit codes.
const (
	ExitDone     = 0
	ExitInput    = 1
	ExitUsage    = 2
	ExitInternal = 3
)

// App is one run of the program: its input and output, and the global flags.
type App struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Alone          bool // the process runs nothing else, so that --max-mem can bound its memory

	JSON, Quiet bool
	Seed        uint64
	CPU         int
	MaxMem      ByteSize
	MaxTable    int
	timeout     time.Duration

	Command string // the command that runs, as in "pgmc query"; empty before one does
	Stage   string // the compiler pass that runs, for internal errors

	// Bounds are the flags by which the command answers with bounds if exact answers are too large;
	// empty if it has none.
	Bounds string
	Best   bool // whether the command takes method [compiler.Best], and was not asked for it

	// Patience is the text of the next reports, once, if the work takes long and nothing else would
	// show that it goes on; empty for nothing.
	Patience string

	lines    bool            // report progress in lines
	progress *progress       // of the last call of Progress
	known    int64           // rows of the last data file that was opened, if it tells them; otherwise 0
	input    *rowfile.Reader // of that file; nil before one

	bad   *badRows                 // nil unless --bad-rows leaves out rows
	has   func(flag string) bool   // whether the command has a flag; nil before one runs
	given func() map[string]string // the flags that were given, with their values; nil before one runs
}

// Execute parses the command line and runs the command of root that it names. It returns a
// [UsageError] if the command line is wrong.
func (a *App) Execute(ctx context.Context, root *cobra.Command) error {
	cores := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(cores)
	command, err := root.ExecuteContextC(ctx)
	if err != nil && a.Command == "" { // no command ran, so the command line is wrong
		a.Command = command.CommandPath()
		a.JSON = a.JSON || slices.Contains(a.Args, "--json") // which may stand after the mistake
		return UsageError{commandError(command, err)}
	}
	return err
}

// Root returns the command pgmc with the global flags and its subcommands.
func (a *App) Root(commands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "pgmc",
		Short: "Compile probabilistic graphical models to Go packages",
		Long: "pgmc compiles probabilistic graphical models to standalone, allocation-free Go packages, and\n" +
			"answers questions about them. It also learns models from data. pgmc demo shows it at work.",
		Example:       "  pgmc demo\n  pgmc compile asia.bif\n  pgmc query asia.bif --evidence smoke=yes,xray=no",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(FlagError)
	root.SetArgs(a.Args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	f := root.PersistentFlags()
	f.BoolVar(&a.JSON, "json", false, "print results as JSON")
	f.BoolVarP(&a.Quiet, "quiet", "q", false, "print no warnings, no progress and no summary")
	f.BoolVar(&a.lines, "progress", false, progressHelp)
	f.Uint64Var(&a.Seed, "seed", 0, "the `seed` of all random numbers")
	f.IntVar(&a.CPU, "cpu", 0, "the `number` of cores to use; 0 is all")
	a.MaxMem = compiler.DefaultMaxMem
	f.Var(&a.MaxMem, "max-mem", "the most `memory` for a compiled program, for the rows and counts of a learner, and (64MiB or more) for most commands themselves, twice for query")
	f.IntVar(&a.MaxTable, "max-table", compiler.DefaultMaxTable, "the most `entries` of one table")
	f.DurationVar(&a.timeout, "timeout", 0, "give up after this `time` and write nothing, or what was proven where a command answers with bounds; 0 is never")
	root.AddCommand(commands...)
	return root
}

// Action returns the RunE function of a subcommand. It checks and applies the global flags and then
// calls f with a context that ends at --timeout.
func (a *App) Action(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		a.Command, a.has = c.CommandPath(), func(flag string) bool { return c.Flags().Lookup(flag) != nil }
		a.given = func() map[string]string {
			list := map[string]string{}
			c.Flags().Visit(func(f *pflag.Flag) { list[f.Name] = f.Value.String() })
			return list
		}
		switch {
		case a.CPU < 0:
			return Usagef("--cpu is %d; want 0 or more", a.CPU)
		case a.MaxTable <= 0:
			return Usagef("--max-table is %d; want 1 or more", a.MaxTable)
		case a.timeout < 0:
			return Usagef("--timeout is %v; want 0 or more", a.timeout)
		case a.CPU > 0:
			runtime.GOMAXPROCS(a.CPU)
		}
		if a.Alone {
			a.fitAddressSpace(addressspace.Limit())
		}
		ctx := c.Context()
		if a.timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, a.timeout)
			defer cancel()
		}
		return a.bad.finish(f(ctx, args), a.Warn)
	}
}

// text returns the message of err for the command that runs.
func (a *App) text(err error) string { return diag.Text(err, a.optionText) }

// optionText writes an option as a flag of the command that runs, or if it has no such flag, says
// what has the same effect.
func (a *App) optionText(o diag.Option) string {
	switch {
	case a.has == nil || a.has(o.Name):
	case o.Name == "query":
		return "pgmc compile " + flagText(o)
	case o.Name == "unseen":
		return "an empty cell"
	case o.Name == "format" && a.has("from"):
		o.Name = "from"
	}
	return flagText(o)
}

// Warn prints warnings to standard error, unless --quiet is given.
func (a *App) Warn(list []diag.Diagnostic) {
	if a.Quiet {
		return
	}
	for _, d := range list {
		fmt.Fprintln(a.Stderr, Text(d))
	}
}

// Print writes text to standard output, or v as JSON if the user asked for that.
func (a *App) Print(v any, text func() string) error {
	if a.JSON {
		return a.PrintJSON(v)
	}
	_, err := io.WriteString(a.Stdout, text())
	return err
}

// PrintJSON writes v to standard output as one indented value.
func (a *App) PrintJSON(v any) error {
	enc := json.NewEncoder(a.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
