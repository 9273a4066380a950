package em

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/mle"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// softmaxes holds the softmax CPDs of a network, which EM leaves apart. Their families are observed
// in all rows, so that no expectation depends on them: they are fitted once, and without them their
// children are given.
type softmaxes struct {
	factors []*model.Factor
	at      []int     // their numbers in the network
	logP    []float64 // of each
	params  int       // their free parameters
}

// apart returns m without its softmax CPDs, and these fitted to the rows of s. It returns an error
// if a row misses a value that EM cannot do without.
func apart(m *model.Model, s *data.Set, column []int, opt *RunOptions) (*model.Model, *softmaxes, error) {
	if err := checkGiven(m, s, column); err != nil {
		return nil, nil, err
	}
	soft := &softmaxes{}
	rest, all := *m, *m
	rest.Vars, rest.Factors, all.Factors = slices.Clone(m.Vars), nil, nil
	for i, f := range m.Factors {
		own := *f
		all.Factors = append(all.Factors, &own)
		if _, ok := f.Dist.(*model.Softmax); !ok {
			rest.Factors = append(rest.Factors, f)
			continue
		}
		soft.factors, soft.at = append(soft.factors, &own), append(soft.at, i)
		child := *m.Vars[f.ChildVar()]
		child.Given = true
		rest.Vars[child.ID] = &child
	}
	if soft.at == nil {
		return m, soft, nil
	}
	if opt.Earlier != nil {
		return nil, nil, fmt.Errorf("no counts suffice for the %s, so that there are none to add to", m.FactorName(soft.factors[0]))
	}
	est, err := mle.New(&all, opt.Options)
	if err != nil {
		return nil, nil, err
	}
	logP, err := est.FitSoftmax(&all, s, column, make([]float64, len(m.Factors)))
	for _, i := range soft.at {
		if err == nil {
			soft.logP = append(soft.logP, logP[i])
		}
	}
	soft.params = est.Params()
	return &rest, soft, err
}

// checkGiven returns an error if a row misses a value of a given variable or of the family of a
// softmax CPD, which has no expectation in closed form.
func checkGiven(m *model.Model, s *data.Set, column []int) error {
	why := make([]string, len(m.Vars))
	for _, f := range m.Factors {
		if _, ok := f.Dist.(*model.Softmax); ok {
			for _, v := range f.Scope {
				why[v] = fmt.Sprintf("the softmax %s has no expectation in closed form without it", m.FactorName(f))
			}
		}
	}
	for _, v := range m.Vars {
		if v.Given {
			why[v.ID] = "it is given"
		}
	}
	for v, reason := range why {
		if reason != "" && column[v] < 0 {
			return fmt.Errorf("the data has no column %q, and %s; want a value in each row", m.Vars[v].Name, reason)
		}
	}
	state := make([]int, len(m.Vars))
	for row := range s.Len() {
		if s.Weight(row) == 0 {
			continue
		}
		mle.States(s, row, column, state)
		for v, reason := range why {
			if reason != "" && state[v] == data.Missing {
				return fmt.Errorf("row %d misses a value of %q, and %s; want a value in each row", row+1, m.Vars[v].Name, reason)
			}
		}
	}
	return nil
}

// join adds the CPDs to the result of EM without them.
func (x *softmaxes) join(m *model.Model, fit *Fit) {
	if len(x.at) == 0 {
		return
	}
	out := *fit.Model
	out.Vars, out.Factors = m.Vars, slices.Clone(out.Factors)
	total := 0.0
	for k, i := range x.at {
		out.Factors = slices.Insert(out.Factors, i, x.factors[k])
		fit.Families = slices.Insert(fit.Families, i, x.logP[k])
		total += x.logP[k]
	}
	fit.Model, fit.params = &out, x.params
	for k := range fit.Starts {
		start := &fit.Starts[k]
		start.LogP, start.Objective = start.LogP+total, start.Objective+total
		for i := range start.Trace {
			start.Trace[i] += total
		}
	}
}

// drawGiven adds uniform CPDs of the discrete given variables among the first n of m, so that
// methods take them, and returns ln of the factor by which they lower the probability of a row.
func drawGiven(m *model.Model, n int) (given float64) {
	for _, v := range m.Vars[:n] {
		if !v.Given || m.IsReal(v.ID) {
			continue
		}
		drawn := *v
		drawn.Given = false
		m.Vars[v.ID] = &drawn
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: even(m.Card(v.ID), m.Card(v.ID))}})
		given += pgmrt.Ln(float64(m.Card(v.ID)))
	}
	return given
}
