package learn

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/internal/template"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Ties says which CPDs of slice 0 of a network with a transition share their numbers with the CPD
// of the same variable in later slices. Both must be tables or Gaussian, of the same parents in
// their own slice.
type Ties = template.Ties

// The ties.
const (
	TieEqual = template.Equal // those that have equal numbers in the model
	TieAll   = template.All
	TieNone  = template.None
)

// TwoSlices returns the static network with the CPDs that a fit of a network with a transition
// fits: Unroll(2), with the CPDs that are tied. Options of the fit are about its variables.
func TwoSlices(m *model.Model, ties Ties) *model.Model { return template.Static(m, ties, nil) }

// fitSequences fits the parameters of a network with a transition to sequences.
func fitSequences(ctx context.Context, job *learner.Job, opt ParameterOptions) (*learner.Result, error) {
	m := job.Init
	by := opt.way(true)
	if err := model.Refuse("", by.Name, by.Takes, m.Needs(), fits); err != nil {
		return nil, err
	}
	if !job.Train.Sequential() {
		return nil, fmt.Errorf("the model has a transition from slice to slice, and the rows are independent; want them in sequences")
	}
	column, err := mle.Columns(m, job.Train.Vars)
	if err != nil {
		return nil, err
	}
	static := template.Static(m, opt.Ties, opt.Tied)
	opt.Tied = nil
	opt.KeepZeros = opt.KeepZeros || opt.EM || opt.Conditional != nil // what can't follow stays so, as in chains from left to right
	if opt.Sticky > 0 {
		opt.Extra = template.Sticky(m, static, opt.Sticky)
	}
	est, err := mle.New(static, opt.RunOptions.Options)
	if err != nil {
		return nil, err
	}
	if opt.Update {
		if opt.Earlier, err = est.Kept(static); err != nil {
			return nil, err
		}
	} else if job.Train.Len() == 0 {
		return nil, errNoRows
	}
	r, err := (*learner.Result)(nil), error(nil)
	if opt.EM || opt.Conditional != nil {
		timed, cancel := job.Limit(ctx)
		defer cancel()
		fit, failed := em.RunSequences(timed, m, static, job.Train, column, opt.RunOptions, job)
		r, err = fitted(ctx, timed, fit, failed)
	} else {
		r, err = countSequences(m, static, est, job.Train, column, opt.Earlier)
	}
	if r == nil {
		return nil, err
	}
	r.Models[0] = template.Fill(m, r.Models[0])
	return r, err
}

// countSequences fits to the counts of complete families of sequences.
func countSequences(m, static *model.Model, est *mle.Estimator, s *data.Set, column []int, earlier mle.Counts) (*learner.Result, error) {
	if err := observed(m, s, column); err != nil {
		return nil, err
	}
	first, next := s.Steps()
	ofFirst, ofNext := make([]int, len(static.Vars)), make([]int, len(static.Vars))
	for v, c := range column {
		w := v + len(m.Vars)
		ofFirst[v], ofFirst[w] = c, -1
		ofNext[v], ofNext[w] = c, c+len(s.Vars)
	}
	n, missed, err := est.Count(first, ofFirst)
	if err != nil {
		return nil, err
	}
	steps, missedSteps, err := est.Count(next, ofNext)
	if err != nil {
		return nil, err
	}
	k := len(m.Factors)
	n, missed = append(n[:k:k], steps[k:]...), append(missed[:k:k], missedSteps[k:]...)
	if earlier != nil {
		est.Add(n, earlier)
	}
	fitted := est.Complete(n, static)
	est.Keep(fitted, n)
	return complete(static, est, fitted, n, missed, make([]float64, len(n)))
}
