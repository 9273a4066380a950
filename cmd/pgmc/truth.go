package main

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// truth is the structure that a learned one is compared with; nil for none.
type truth [][]int

// loadTruth reads it from a model, which must have the variables of the data.
func (a *app) loadTruth(ctx context.Context, path string, vars []data.Var) (truth, error) {
	if path == "" {
		return nil, nil
	}
	m, err := a.Load(ctx, path, "")
	if err != nil {
		return nil, err
	}
	if m.Kind != model.Bayes {
		return nil, fmt.Errorf("%s: the model is no Bayesian network; --truth wants one", path)
	}
	known := map[string]bool{}
	for _, v := range m.Vars {
		known[v.Name] = true
	}
	for _, v := range vars {
		if !known[v.Name] {
			return nil, fmt.Errorf("%s: the model has no variable %q, which the data has; --truth wants the same variables", path, v.Name)
		}
		delete(known, v.Name)
	}
	for _, v := range m.Vars {
		if known[v.Name] {
			return nil, fmt.Errorf("%s: the data has no variable %q, which the model has; --truth wants the same variables", path, v.Name)
		}
	}
	return data.Parents(m, vars), nil
}

// compare says how far the structure of a model is from the truth; nil where one of them has none.
func (t truth) compare(m *model.Model, vars []data.Var) *rate.Distance {
	if t == nil || m.Kind != model.Bayes {
		return nil
	}
	d := rate.CompareStructures(t, data.Parents(m, vars))
	return &d
}
