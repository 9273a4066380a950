package learning

import (
	"context"
	"runtime"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// readJob returns the job of the flags, with the data and models that they name.
func readJob(ctx context.Context, a *cli.App, f *Options) (*learner.Job, error) {
	job := &learner.Job{Seed: a.Seed, Cores: a.CPU, MaxTime: f.MaxTime}
	if job.Cores == 0 {
		job.Cores = runtime.GOMAXPROCS(0)
	}
	opt := data.LoadOptions{MaxMem: int64(a.MaxMem)}
	err := readBins(f.Bins, f.Binning.Value == "width", &opt)
	if err != nil {
		return nil, err
	}
	if err = f.realColumns(&opt); err != nil {
		return nil, err
	}
	if f.Real != nil && f.Init != "" {
		return nil, cli.Usagef("--real is for columns that no model knows; leave it out, since --init has the variables")
	}
	if f.Init != "" {
		if job.Init, err = a.Load(ctx, f.Init, ""); err != nil {
			return nil, err
		}
		opt.Vars = data.VarsOf(job.Init)
	}
	if f.Target != "" {
		if job.Target, err = a.Load(ctx, f.Target, ""); err != nil {
			return nil, err
		}
		if f.Cmd.Flags().Changed("max-mem") {
			job.MaxMem = int64(a.MaxMem)
		}
		job.Train, err = data.New(data.VarsOf(job.Target), nil, nil)
		return job, err
	}
	if job.Train, err = a.LoadData(ctx, f.Train, &f.Data, opt); err != nil {
		return nil, err
	}
	left := max(1, opt.MaxMem-job.Train.Bytes())
	if f.Valid != "" {
		opt.Vars, opt.MaxMem = job.Train.Vars, left
		if job.Valid, err = a.LoadData(ctx, f.Valid, &f.Data, opt); err != nil {
			return nil, err
		}
		left = max(1, left-job.Valid.Bytes())
	}
	if f.Cmd.Flags().Changed("max-mem") {
		job.MaxMem = left // otherwise learners have lower limits of their own
	}
	return job, nil
}

// realColumns sets the columns of real numbers.
func (f *Options) realColumns(opt *data.LoadOptions) error {
	for _, value := range f.Real {
		names, err := cli.NamesOf("--real", value)
		if err != nil {
			return err
		}
		for _, name := range names {
			if name == "*" {
				opt.Numeric = true
			} else {
				opt.Real = append(opt.Real, name)
			}
		}
	}
	return nil
}
