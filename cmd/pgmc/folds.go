package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// foldsReport is what cross-validation finds: how models that were learned from all folds but one rate the rows of that one.
type foldsReport struct {
	Score  string `json:"score"`  // "ll" or "pll", the pseudo-log-likelihood
	Mean   any    `json:"mean"`   // in nats a row, over all rows; "-inf" where one is impossible
	StdErr any    `json:"stderr"` // "inf" where one is
	Folds  []any  `json:"folds"`  // their means
}

// crossValidate learns once for each fold, with a new instance each time.
func (a *app) crossValidate(ctx context.Context, f *learnFlags, job *learner.Job) (*foldsReport, error) {
	if f.folds < 2 || f.folds > job.Train.Len() {
		return nil, cli.Usagef("--folds is %d; want 2 to the number of rows, %d", f.folds, job.Train.Len())
	}
	folds := job.Train.Folds(f.folds, a.Seed)
	r := &foldsReport{}
	var all rate.Tally
	for k, out := range folds {
		part := *job
		part.Resume, part.Save = nil, nil // which are of all rows
		part.Train = job.Train.Subset(slices.Concat(slices.Concat(folds[:k]...), slices.Concat(folds[k+1:]...)))
		in, err := f.instance()
		if err != nil {
			return nil, err
		}
		learned, err := in.Learn(ctx, &part)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", k+1, err)
		}
		one, err := a.scoreFold(ctx, f, learned, job.Train.Subset(out), &all)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", k+1, err)
		}
		mean, _ := meanOrText(one)
		r.Folds = append(r.Folds, mean)
		r.Score = "ll"
		if byPseudo(learned) {
			r.Score = "pll"
		}
	}
	r.Mean, r.StdErr = meanOrText(&all)
	return r, nil
}

// byPseudo reports whether a result is rated by its pseudo-log-likelihood: dependency networks, which have no other, and what was learned by
// it, whose log-likelihood there may be no way to sum up.
func byPseudo(r *learner.Result) bool {
	return r.Models[0].Kind == model.Dependency || r.Report.Score == "pll"
}

// scoreFold rates the rows of a fold, and counts them among all as well. Where the pseudo-log-likelihood is what rates, rows that miss a
// value are left out.
func (a *app) scoreFold(ctx context.Context, f *learnFlags, r *learner.Result, rows *data.Set, all *rate.Tally) (*rate.Tally, error) {
	m := r.Models[len(r.Models)-1] // the circuit, where there is one
	s := a.newScorer(m, byPseudo(r))
	s.pseudo, s.keep = s.alone, true
	opt := compiler.Options{Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: cli.MachineMemory()}
	if err := a.ready(ctx, s, f.out, m, opt); err != nil {
		return nil, err
	}
	states := make([]int, len(rows.Vars))
	var weights []float64
	for i := range rows.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows.Row(i, states)
		if s.alone && slices.Contains(states, data.Missing) {
			continue
		}
		weights = append(weights, rows.Weight(i))
		if err := s.row(&data.Record{Pos: diag.Pos{File: f.train}, Weight: rows.Weight(i)}, states); err != nil {
			return nil, err
		}
	}
	if err := s.flush(); err != nil {
		return nil, err
	}
	for i, w := range weights {
		all.Add(diag.Pos{File: f.train}, s.logs[i], w)
	}
	if s.alone {
		return &s.pll, nil
	}
	return &s.ll, nil
}

// String is the report as a line of text.
func (r *foldsReport) String() string {
	what := "log-likelihood"
	if r.Score == "pll" {
		what = "pseudo-log-likelihood"
	}
	return fmt.Sprintf("cross-validation in %d folds: %s %v nats a row, standard error %v", len(r.Folds), what, r.Mean, r.StdErr)
}
