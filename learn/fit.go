package learn

import (
	"context"
	"fmt"
	"reflect"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/auto"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Fit learns from job by the learner of the options algo.
//
// algo is the Options of a learner's package, such as hillclimb.Options{Score: "bic"}. A nil algo
// is the default learner, auto. In a value, every zero field stands for its default. A pointer,
// such as hillclimb.NewOptions() returns, is used exactly as it is; its learner need not be listed
// in Learners.
//
// Fit refuses data and models that the learner does not take (see [Check]). Zero Cores in job means
// 1. If ctx ends, Fit returns the best result so far, if there is one, with the error of ctx.
func Fit(ctx context.Context, algo any, job *learner.Job) (*learner.Result, error) {
	in, err := instance(algo)
	if err != nil {
		return nil, err
	}
	if l := listed(in); l != nil {
		if err := Check(l, job); err != nil {
			return nil, err
		}
	}
	if job.Cores == 0 {
		one := *job
		one.Cores = 1
		job = &one
	}
	return Run(ctx, in, job)
}

// FitFile learns from the rows of a data file, which has the format of its name, by the learner of
// the options algo. It is [rowfile.Load] and [Fit] without further options. Use those for
// validation data, seeds, time limits, binned real values, or the rows of a Parquet file, which
// package parquet below learn/data opens.
func FitFile(ctx context.Context, algo any, path string) (*learner.Result, error) {
	rows, err := rowfile.Load(path, rowfile.Auto, rowfile.LoadOptions{})
	if err != nil {
		return nil, err
	}
	return Fit(ctx, algo, &learner.Job{Train: rows})
}

// listed returns the learner of an instance, or nil if Learners does not list it.
func listed(in learner.Instance) *learner.Learner {
	for i := range Learners {
		if reflect.TypeOf(Learners[i].New()) == reflect.TypeOf(in) {
			return &Learners[i]
		}
	}
	return nil
}

// instance returns the learner with the options of algo.
func instance(algo any) (learner.Instance, error) {
	if algo == nil {
		return auto.NewOptions(), nil
	}
	if in, ok := algo.(learner.Instance); ok {
		return in, nil
	}
	for _, l := range Learners {
		if in := l.New(); reflect.TypeOf(in).Elem() == reflect.TypeOf(algo) {
			return options.Of(algo, in)
		}
	}
	return nil, fmt.Errorf("options of type %T; want those of a learner, such as hillclimb.Options", algo)
}
