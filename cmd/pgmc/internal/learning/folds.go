package learning

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/score"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// foldsReport is the result of cross-validation.
type foldsReport struct {
	Score  string `json:"score"`  // "ll" or "pll", the pseudo-log-likelihood
	Mean   any    `json:"mean"`   // in nats a row, over all rows; "-inf" if one is impossible
	StdErr any    `json:"stderr"` // "inf" if a row is impossible
	Folds  []any  `json:"folds"`  // the mean of each fold
	// Sequences reports that the scores are of sequences in place of rows.
	Sequences bool `json:"sequences,omitempty"`
}

// crossValidate learns once for each fold, with a new instance each time.
func crossValidate(ctx context.Context, a *cli.App, f *Options, job *learner.Job) (*foldsReport, error) {
	units, what := job.Train.Units()
	if f.Folds < 2 || f.Folds > units {
		return nil, cli.Usagef("--folds is %d; want 2 to the number of %s, %d", f.Folds, what, units)
	}
	opt := compiler.Options{Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: cli.MachineMemory()}
	how := rate.ScorerOptions{Engine: score.Engine(a, f.Out, opt), Warn: a.Warn}
	c, err := rate.CrossValidate(ctx, job.Train, f.Folds, a.Seed, how, func(ctx context.Context, train *data.Set) (*model.Model, rate.Measure, error) {
		part := *job
		part.Resume, part.Save = nil, nil // checkpoints belong to learning from all rows
		part.Train = train
		in, err := f.instance()
		if err != nil {
			return nil, 0, err
		}
		r, err := learn.Run(ctx, in, &part)
		if err != nil {
			return nil, 0, err
		}
		return r.Models[len(r.Models)-1], measureOf(r), nil // the circuit, if there is one
	})
	if err != nil {
		return nil, err
	}
	r := newFoldsReport(c)
	r.Sequences = job.Train.Sequential()
	return r, nil
}

// measureOf returns the measure by which to rate a result: the pseudo-log-likelihood for a
// dependency network, which has no other, and for a model that was learned by it, which may have an
// intractable log-likelihood.
func measureOf(r *learner.Result) rate.Measure {
	if r.Models[0].Kind == model.Dependency || r.Report.Score == "pll" {
		return rate.PLL
	}
	return rate.LL
}

// newFoldsReport returns the report of a cross-validation.
func newFoldsReport(c *rate.CrossValidation) *foldsReport {
	r := &foldsReport{Score: "ll"}
	if c.Measure == rate.PLL {
		r.Score = "pll"
	}
	for i := range c.Folds {
		mean, _ := score.MeanOrText(&c.Folds[i])
		r.Folds = append(r.Folds, mean)
	}
	r.Mean, r.StdErr = score.MeanOrText(&c.All)
	return r
}

// unit returns the unit over which a score is the mean.
func unit(sequences bool) string {
	if sequences {
		return "sequence"
	}
	return "row"
}

// String returns the report as a line of text.
func (r *foldsReport) String() string {
	return fmt.Sprintf("cross-validation in %d folds: %s %v nats a %s, standard error %v", len(r.Folds), measureName(r.Score), r.Mean, unit(r.Sequences), r.StdErr)
}
