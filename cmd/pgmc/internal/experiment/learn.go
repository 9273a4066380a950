package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// MakeLearner returns an instance of a learner. values holds options and values alternately.
func MakeLearner(algo string, values []string) (learner.Instance, error) {
	l, err := learn.Find(algo)
	if err != nil {
		return nil, err
	}
	in := l.New()
	flags := options.Flags(in)
	for option := range slices.Chunk(values, 2) {
		if err := flags.Set(option[0], option[1]); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// Learn runs a learner with the given flags, and sets seed, cores and memory of job from the global
// flags.
func Learn(ctx context.Context, a *cli.App, l learner.Learner, args []string, job *learner.Job) (*learner.Result, error) {
	in := l.New()
	if err := options.Flags(in).Parse(args); err != nil {
		return nil, err
	}
	job.Seed, job.Cores, job.MaxMem = a.Seed, a.Cores(), int64(a.MaxMem)
	r, err := in.Learn(ctx, job)
	if err == nil && len(r.Models) == 0 {
		err = fmt.Errorf("%s made no model", l.Name)
	}
	return r, err
}
