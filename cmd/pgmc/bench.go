package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/bench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
)

// benchFlags are the flags of pgmc bench.
type benchFlags struct {
	cli.ModelFlags
	quick bool
}

// benchEffort is how much a run measures.
type benchEffort struct {
	rounds int           // most samples of each time
	least  int           // samples of each time, however long they take
	most   time.Duration // of sampling a network, once it has the least
	builds int           // of each package
	levels []string      // of the C compiler
}

// The minimum of 31 samples repeats within a tenth or so on a busy machine.
var (
	benchThorough = benchEffort{rounds: 31, least: 5, most: 30 * time.Second, builds: 5, levels: cLevels}
	benchQuick    = benchEffort{rounds: 5, least: 2, most: 5 * time.Second, builds: 1, levels: cLevelsQuick}
)

func (a *app) benchCommand() *cobra.Command {
	f := &benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench MODEL...",
		Short: "Measure compiled packages against the interpreter and C",
		Long: "Bench emits packages for each model, builds them in a folder of their own and measures in one run: P(evidence) by the package that\n" +
			"pgmc compile emits, by each back-end alone, by the interpreter, and by C with the same circuit and the same loops; all marginals,\n" +
			"best completions, batches of 1,024 rows, a lookup; and building. Samples are taken in turn, each of 0.1 ms or more and of all 20 sets of\n" +
			"evidence, which observe all leaves or a tenth of the variables in turn. Where the system tells it, times are of the processor, not the clock's.\n" +
			"Minima repeat, even on a machine that does other work. C needs a compiler, CC or cc, and answers are compared before they are timed.",
		Example: "  pgmc bench asia.bif\n  pgmc bench alarm.bif hailfinder.bif --json\n  CC=clang pgmc bench alarm.bif --quick",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("found no operands; want at least one model file")
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return a.runBench(ctx, args, f) }),
	}
	f.AddTo(cmd)
	cmd.Flags().BoolVar(&f.quick, "quick", false, "few samples, one build of each package, and C at -O3 alone")
	return cmd
}

func (a *app) runBench(ctx context.Context, paths []string, f *benchFlags) error {
	if approximate(f.Method.Value) != nil {
		return fmt.Errorf("method %s gives approximate answers, which bench has nothing to hold against; try --method jointree or circuit, or pgmc compare for errors and times of approximate methods", f.Method.Value)
	}
	if process.NeedGo() != nil {
		return errors.New("bench builds packages, which needs the go command; it is not in PATH")
	}
	effort := benchThorough
	if f.quick {
		effort = benchQuick
	}
	report := &benchReport{System: runtime.GOOS + "/" + runtime.GOARCH, Clock: bench.Clock, Seed: a.Seed, Networks: []*benchNetwork{}}
	version, _, err := process.RunGo(ctx, "", "", nil, "env", "GOVERSION")
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	report.Go = firstLine(version)
	cc, err := cbench.FindCompiler(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		report.C = "none: " + err.Error()
	default:
		report.C = cc.Version
	}
	failed := 0
	for _, path := range paths {
		n, err := a.benchModel(ctx, path, f, &effort, cc)
		var internal *cli.InternalError
		switch {
		case err == nil:
			report.Networks = append(report.Networks, n)
		case len(paths) == 1 || ctx.Err() != nil || errors.As(err, &internal):
			return err
		default:
			a.ExitCode(err) // tells it
			failed++
		}
	}
	if err := a.showBench(report); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d models could not be measured", failed, len(paths))
	}
	return nil
}

// showBench prints the report, if there is something in it.
func (a *app) showBench(r *benchReport) error {
	switch {
	case a.JSON:
		return a.PrintJSON(r)
	case len(r.Networks) == 0:
		return nil
	}
	return r.print(a.Stdout)
}

// benchModel measures the model in a file.
func (a *app) benchModel(ctx context.Context, path string, f *benchFlags, effort *benchEffort, cc *cbench.Compiler) (*benchNetwork, error) {
	n := &benchRun{benchEffort: effort, cc: cc}
	if a.CPU > 0 {
		n.env = append(n.env, fmt.Sprint("GOMAXPROCS=", a.CPU))
	}
	defer a.Progress("measuring "+filepath.Base(path), n.done.Load).Stop()
	f.Lasting = true
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return nil, err
	}
	n.report = &benchNetwork{Model: path, Variables: len(m.Vars), Notes: []string{}}
	if err := n.prepare(ctx, a, path, m, opt); err != nil {
		return nil, err
	}
	if err := inTemp(func(dir string) error { return n.measure(ctx, dir) }); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n.report, nil
}
