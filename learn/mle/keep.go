package mle

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Keep stores the counts to which the numbers were fitted in the model, so that later data can be
// added.
func (e *Estimator) Keep(m *model.Model, n Counts) {
	for i, f := range m.Factors {
		f.Counts = nil
		if e.cpds[i] != nil || e.reals[i] != nil {
			f.Counts = slices.Clone(n[i])
		}
	}
}

// Kept returns the counts that are stored in a model of the structure.
func (e *Estimator) Kept(m *model.Model) (Counts, error) {
	n, err := e.Zero()
	if err != nil {
		return nil, err
	}
	for i, f := range m.Factors {
		if e.soft[i] {
			return nil, fmt.Errorf("%v: the %s is a softmax, whose rows no counts can stand for; fit it to all rows together", f.Pos, m.FactorName(f))
		}
		if e.cpds[i] == nil && e.reals[i] == nil {
			continue
		}
		if f.Counts == nil {
			return nil, fmt.Errorf("%v: the %s has no counts of earlier data to add to; want a model in pgmc's own format that was fitted to data", f.Pos, m.FactorName(f))
		}
		sum := 0.0
		for k, x := range f.Counts {
			n[i][k] = x
			sum += x
		}
		if math.IsInf(sum, 0) {
			return nil, fmt.Errorf("%v: the counts of the %s have no finite sum", f.Pos, m.FactorName(f))
		}
	}
	return n, nil
}
