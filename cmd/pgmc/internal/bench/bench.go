package bench

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
)

// Options are the flags of pgmc bench.
type Options struct {
	cli.ModelFlags
	Quick     bool
	Sequences bool   // measure filters of built-in models
	Peers     bool   // print how to compare with other engines
	DataPath  string // measure the rows of this file; empty: none
	Data      cli.DataFlags
}

// Check returns an error unless the operands fit the flags. changed reports whether a flag was
// given.
func (f *Options) Check(args []string, changed func(flag string) bool) error {
	for _, name := range []string{"data-format", "separator", "no-header", "columns", "drop", "missing"} {
		if f.DataPath == "" && changed(name) {
			return fmt.Errorf("found --%s without --data, the file that it is about", name)
		}
	}
	for _, name := range []string{"method", "order", "rows", "format"} {
		if f.Sequences && changed(name) {
			return fmt.Errorf("found --%s with --sequences, whose models are built in; leave one of both out", name)
		}
	}
	switch {
	case f.Peers && (f.Sequences || len(args) > 0):
		return errors.New("found models or --sequences with --peers, which measures nothing; leave one of both out")
	case f.Sequences && len(args) > 0:
		return errors.New("found models with --sequences, whose models are built in; leave one of both out")
	case f.DataPath != "" && (f.Sequences || f.Peers):
		return errors.New("found --data with --sequences or --peers, which read no rows; leave one of both out")
	case f.DataPath != "" && len(args) != 1:
		return cli.WrongCount(args, "one model file for --data")
	case len(args) == 0 && !f.Sequences && !f.Peers:
		return cli.WrongCount(args, "at least one model file, or --sequences")
	}
	return nil
}

// Effort sets how much a run measures.
type Effort struct {
	rounds int           // maximum number of samples of each time
	least  int           // minimum number of samples of each time, however long they take
	most   time.Duration // time limit for sampling a network, once it has least samples
	builds int           // number of builds of each package
	levels []string      // optimisation levels of the C compiler
}

// The effort of a full run and of a quick one. The minimum of 31 samples repeats within about a
// tenth on a busy machine.
var (
	thorough = Effort{rounds: 31, least: 5, most: 30 * time.Second, builds: 5, levels: cLevels}
	quick    = Effort{rounds: 5, least: 2, most: 5 * time.Second, builds: 1, levels: cLevelsQuick}
)

// Run measures the models in the files at paths and prints the report. If there are several files,
// a model that cannot be measured is reported and left out, and Run returns an error at the end.
func Run(ctx context.Context, a *cli.App, paths []string, f *Options) error {
	if cli.Approximate(f.Method.Value) != nil {
		return fmt.Errorf("bench measures exact methods, and method %s is approximate; try --method %s, or pgmc compare for errors and times of approximate methods", f.Method.Value, cli.ExactMethods())
	}
	if process.NeedGo() != nil {
		return errors.New("bench builds packages, which needs the go command; it is not in PATH")
	}
	effort := thorough
	if f.Quick {
		effort = quick
	}
	report := &Report{System: runtime.GOOS + "/" + runtime.GOARCH, CPU: timing.Processor(os.DirFS("/")), Clock: timing.Clock, Seed: a.Seed, Networks: []*Network{}}
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
		report.C = "none: " + cli.Text(err)
	default:
		report.C = cc.Version
	}
	failed := 0
	for _, path := range paths {
		n, err := measure(ctx, a, path, f, &effort, cc)
		var internal *cli.InternalError
		switch {
		case err == nil:
			report.Networks = append(report.Networks, n)
		case len(paths) == 1 || ctx.Err() != nil || errors.As(err, &internal):
			return err
		default:
			a.ExitCode(err) // prints the error
			failed++
		}
	}
	if err := show(a, report); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d models could not be measured", failed, len(paths))
	}
	return nil
}

// show prints the report. It prints no tables if no network was measured.
func show(a *cli.App, r *Report) error {
	switch {
	case a.JSON:
		return a.PrintJSON(r)
	case len(r.Networks) == 0:
		return nil
	}
	return r.print(a.Stdout)
}

// peersText explains how to compare with other engines.
//
//go:embed peers.txt
var peersText string

// ExplainPeers prints how to compare with other engines. As JSON it is an object with the member
// text.
func ExplainPeers(a *cli.App) error {
	if a.JSON {
		return a.PrintJSON(struct {
			Text string `json:"text"`
		}{peersText})
	}
	_, err := fmt.Fprint(a.Stdout, peersText)
	return err
}

// environment returns variables for the go command and the programs, in addition to our own.
func environment(a *cli.App) []string {
	if a.CPU > 0 {
		return []string{fmt.Sprint("GOMAXPROCS=", a.CPU)}
	}
	return nil
}

// measure loads the model in the file at path and measures it.
func measure(ctx context.Context, a *cli.App, path string, f *Options, effort *Effort, cc *cbench.Compiler) (*Network, error) {
	n := &run{Effort: effort, cc: cc, env: environment(a)}
	defer a.Progress("measuring "+filepath.Base(path), n.done.Load).Stop()
	f.Lasting = true
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return nil, err
	}
	n.report = &Network{Model: path, Variables: len(m.Vars), Notes: []string{}}
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
