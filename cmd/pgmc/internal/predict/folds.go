package predict

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// folds holds an engine for each part of the rows, with numbers that were fitted to the other
// parts.
type folds struct {
	engines []*infer.Engine
	of      []int // by row: its part
}

// engine returns the engine for a row.
func (f *folds) engine(row int) *infer.Engine { return f.engines[f.of[row]] }

// newFolds fits the network m to the rows outside of each part of a file.
func newFolds(ctx context.Context, a *cli.App, m *model.Model, path string, f *Options, engine func(*model.Model) (*infer.Engine, error)) (*folds, error) {
	switch {
	case path == cli.Standard:
		return nil, cli.Usagef("--folds reads the rows twice, which standard input does not allow; name a file")
	case f.Data.Split != "":
		return nil, cli.Usagef("--folds and --split both hold out rows; want one of them")
	case m.Transition != nil:
		return nil, cli.Usagef("--folds draws rows at random, and these are sequences, whose rows belong together")
	case m.Kind != model.Bayes:
		return nil, cli.Usagef("--folds fits the parameters of a Bayesian network, and the model is a %s; pgmc learn --folds rates learners of others", m.Kind)
	}
	opt := rowfile.LoadOptions{Vars: data.VarsOf(m), MaxMem: int64(a.MaxMem)}
	if f.Unseen.Value == "missing" {
		opt.Unseen = rowfile.UnseenMissing
	}
	r, err := a.OpenData(ctx, path, &f.Data, cli.Train)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	rows, err := cli.Await(ctx, func() (*data.Set, error) { return r.Load(opt) })
	if err != nil {
		return nil, err
	}
	if f.Folds < 2 || f.Folds > rows.Len() {
		return nil, cli.Usagef("--folds is %d; want 2 to the number of rows, %d", f.Folds, rows.Len())
	}
	parts := rows.Folds(f.Folds, a.Seed)
	out := &folds{of: make([]int, rows.Len())}
	for k, part := range parts {
		for _, row := range part {
			out.of[row] = k
		}
		others := slices.Concat(slices.Concat(parts[:k]...), slices.Concat(parts[k+1:]...))
		fitted, err := fit(ctx, a, m, rows.Subset(others))
		if err != nil {
			return nil, fmt.Errorf("fitting to the rows outside of part %d of %s: %w", k+1, path, err)
		}
		e, err := engine(fitted)
		if err != nil {
			return nil, err
		}
		out.engines = append(out.engines, e)
	}
	return out, nil
}

// fit returns the network with parameters fitted to rows, with the defaults of pgmc fit.
func fit(ctx context.Context, a *cli.App, m *model.Model, rows *data.Set) (*model.Model, error) {
	job := &learner.Job{Train: rows, Init: m, Seed: a.Seed, Cores: a.CPU}
	if job.Cores == 0 {
		job.Cores = runtime.GOMAXPROCS(0)
	}
	prior, err := mle.ParsePrior("bdeu", 1)
	if err != nil {
		return nil, err
	}
	prior.Discrete = true
	opt := learn.ParameterOptions{RunOptions: em.RunOptions{Options: mle.Options{Prior: prior, Softmax: mle.DefaultSoftmax}}}
	r, err := learn.FitParameters(ctx, job, opt)
	if err != nil {
		return nil, err
	}
	return r.Models[0], nil
}
