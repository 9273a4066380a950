package bench

import (
	"context"
	"errors"
	"fmt"
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
	Quick bool
}

// Effort is how much a run measures.
type Effort struct {
	rounds int           // most samples of each time
	least  int           // samples of each time, however long they take
	most   time.Duration // of sampling a network, once it has the least
	builds int           // of each package
	levels []string      // of the C compiler
}

// The minimum of 31 samples repeats within a tenth or so on a busy machine.
var (
	thorough = Effort{rounds: 31, least: 5, most: 30 * time.Second, builds: 5, levels: cLevels}
	quick    = Effort{rounds: 5, least: 2, most: 5 * time.Second, builds: 1, levels: cLevelsQuick}
)

// Run measures the models in some files and prints the report.
func Run(ctx context.Context, a *cli.App, paths []string, f *Options) error {
	if cli.Approximate(f.Method.Value) != nil {
		return fmt.Errorf("method %s gives approximate answers, which bench has nothing to hold against; try --method jointree or circuit, or pgmc compare for errors and times of approximate methods", f.Method.Value)
	}
	if process.NeedGo() != nil {
		return errors.New("bench builds packages, which needs the go command; it is not in PATH")
	}
	effort := thorough
	if f.Quick {
		effort = quick
	}
	report := &Report{System: runtime.GOOS + "/" + runtime.GOARCH, Clock: timing.Clock, Seed: a.Seed, Networks: []*Network{}}
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
			a.ExitCode(err) // tells it
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

// show prints the report, if there is something in it.
func show(a *cli.App, r *Report) error {
	switch {
	case a.JSON:
		return a.PrintJSON(r)
	case len(r.Networks) == 0:
		return nil
	}
	return r.print(a.Stdout)
}

// measure measures the model in a file.
func measure(ctx context.Context, a *cli.App, path string, f *Options, effort *Effort, cc *cbench.Compiler) (*Network, error) {
	n := &run{Effort: effort, cc: cc}
	if a.CPU > 0 {
		n.env = append(n.env, fmt.Sprint("GOMAXPROCS=", a.CPU))
	}
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
