package experiment

import (
	"context"
	"flag"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// MakeLearner returns an instance of a learner. options holds flags and values alternately.
func MakeLearner(algo string, options []string) (learner.Instance, error) {
	l, err := learn.Find(algo)
	if err != nil {
		return nil, err
	}
	in := l.New()
	flags := flag.NewFlagSet(l.Name, flag.ContinueOnError)
	in.Bind(flags)
	for option := range slices.Chunk(options, 2) {
		if err := flags.Set(option[0], option[1]); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// Learn runs a learner with the given flags, and sets seed, cores and memory of job from the global
// flags.
func Learn(ctx context.Context, a *cli.App, l learner.Learner, options []string, job *learner.Job) (*learner.Result, error) {
	in := l.New()
	fs := flag.NewFlagSet(l.Name, flag.ContinueOnError)
	in.Bind(fs)
	if err := fs.Parse(options); err != nil {
		return nil, err
	}
	job.Seed, job.Cores, job.MaxMem = a.Seed, a.Cores(), int64(a.MaxMem)
	r, err := in.Learn(ctx, job)
	if err == nil && len(r.Models) == 0 {
		err = fmt.Errorf("%s made no model", l.Name)
	}
	return r, err
}
