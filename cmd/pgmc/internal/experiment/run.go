package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/folder"
)

// Options are the flags of pgmc experiment.
type Options struct {
	Quick    bool
	Full     bool
	Data     string
	Out      string
	Networks []string
	Trials   int
	MaxTime  time.Duration
	Models   string
	Rows     int
	Engine   cli.Choice
}

// Pick returns quick with --quick, full with --full, and otherwise usual.
func Pick[T any](f *Options, quick, usual, full T) T {
	switch {
	case f.Quick:
		return quick
	case f.Full:
		return full
	}
	return usual
}

// AtLeastOne returns an error if the number of a flag is negative. 0 means the default.
func AtLeastOne(flag string, n int) error {
	if n < 0 {
		return cli.Usagef("--%s is %d; want 1 or more", flag, n)
	}
	return nil
}

// Run is a run of an experiment.
type Run struct {
	*cli.App
	Flags *Options
	Done  atomic.Int64 // the count of the progress bar
}

// Plan is an experiment: its instances, how to measure one, and how to report them.
type Plan struct {
	Name      string   // of its files
	Kind      string   // of its instances, for errors: network, data set, or "" if there is one
	Instances []string // unless --networks names others
	Known     []string // the instances that there are; nil for any network
	Progress  string   // title of the progress bar, or "" for one bar for each instance
	Keep      bool     // save the tables after each instance
	Measure   func(ctx context.Context, instance string) error
	Report    func() *Report
}

// Do measures the instances of a plan and writes the report.
func (r *Run) Do(ctx context.Context, p *Plan) error {
	files, err := r.files(p.Name)
	if err != nil {
		return err
	}
	instances := p.Instances
	if len(r.Flags.Networks) > 0 {
		instances = r.Flags.Networks
	}
	for _, name := range instances {
		if p.Known != nil && !slices.Contains(p.Known, name) {
			return cli.Usagef("--networks: unknown %s %q; want some of %v", p.Kind, name, p.Known)
		}
	}
	if p.Progress != "" {
		defer r.Progress(p.Progress, r.Done.Load).Stop()
	}
	for _, name := range instances {
		if err := r.one(ctx, p, name); err != nil {
			if p.Kind == "" {
				return err
			}
			return fmt.Errorf("%s %s: %w", strings.TrimPrefix(p.Kind, "data "), name, err)
		}
		if p.Keep {
			if err := p.Report().save(ctx, p.Name, files); err != nil {
				return err
			}
		}
	}
	report := p.Report()
	if err := report.save(ctx, p.Name, files); err != nil {
		return err
	}
	return report.print(r.App)
}

// one measures one instance.
func (r *Run) one(ctx context.Context, p *Plan, name string) error {
	if p.Progress == "" {
		r.Done.Store(0)
		defer r.Progress("experiment on "+name, r.Done.Load).Stop()
	}
	return p.Measure(ctx, name)
}

// files returns the writer of the files of -o, or nil without it. It checks at once that the files
// can be written, since experiments take long.
func (r *Run) files(name string) (*folder.Writer, error) {
	if r.Flags.Out == "" {
		return nil, nil
	}
	w := &folder.Writer{Dir: r.Flags.Out}
	return w, cli.AdviseFolder(w.Check())
}

// Parallel calls do with the numbers from 0 to n-1, on several workers with a function each. After
// an error, no worker takes another number. Parallel returns the error of the lowest number, which
// does not depend on the workers.
func Parallel(ctx context.Context, n, workers int, worker func() (do func(ctx context.Context, i int) error)) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			do := worker()
			for ctx.Err() == nil && !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = cli.Guard(func() error { return do(ctx, i) }); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	return cmp.Or(cmp.Or(errs...), context.Cause(ctx))
}
