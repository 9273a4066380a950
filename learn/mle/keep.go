package mle

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Keep notes in a model of the structure the counts that its numbers were fitted to, so that later data can be added.
func (e *Estimator) Keep(m *model.Model, n Counts) {
	for i, f := range m.Factors {
		f.Counts = nil
		if e.cpds[i] != nil {
			f.Counts = slices.Clone(n[i])
		}
	}
}

// Kept gives the counts that a model of the structure keeps.
func (e *Estimator) Kept(m *model.Model) (Counts, error) {
	n, err := e.Zero()
	if err != nil {
		return nil, err
	}
	for i, f := range m.Factors {
		if e.cpds[i] == nil {
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
