package em

import (
	"context"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/pseudo"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// RunMarkov fits the weights of a Markov network by the conditional likelihood of the variables of
// opt.Conditional: of the features that its potentials list, and of each number of other
// potentials. A number that is 0 stays 0. It climbs from the weights of m, without restarts: if
// rows miss no values, the only maximum is the greatest.
func RunMarkov(ctx context.Context, m *model.Model, s *data.Set, column []int, opt RunOptions, job *learner.Job) (*Fit, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	opt.Restarts, opt.Random = 0, false
	if err := checkTargets(m, s, column, opt.Conditional); err != nil {
		return nil, err
	}
	w, err := newWeights(m)
	if err != nil {
		return nil, err
	}
	est, most := mle.NewCounter(w.tables), limits{job.Cores, job.MaxMem, maxListed}
	x, err := newExpecter(ctx, w.tables, est, s, column, most)
	if err != nil {
		return nil, err
	}
	free, err := newExpecter(ctx, w.tables, est, s, without(column, opt.Conditional), most)
	if err != nil {
		return nil, err
	}
	fit, err := (&search{m: w.tables, est: est, by: w, expect: x.expect, free: free.expect}).starts(ctx, opt, job)
	if fit != nil {
		if list := fit.Model.Check(); list.HasErrors() {
			return nil, list.Err()
		}
	}
	return fit, err
}

// weights are the coordinates of a Markov network.
type weights struct {
	m        *model.Model
	tables   *model.Model // m with tables as potentials
	features []pseudo.Feature
	cells    [][]number // by feature: where it holds
	free     []int      // the features whose weights are finite
}

// number is the place of a number of a table.
type number struct{ factor, at int }

// newWeights returns the weights of m.
func newWeights(m *model.Model) (*weights, error) {
	list, err := pseudo.FeaturesOf(m)
	if err != nil {
		return nil, err
	}
	tables, err := tabulate(m)
	if err != nil {
		return nil, err
	}
	w := &weights{m: m, features: list, cells: make([][]number, len(list))}
	flat := *m
	flat.Factors = nil
	for i, f := range m.Factors {
		flat.Factors = append(flat.Factors, &model.Factor{Scope: f.Scope, Child: -1, Dist: &model.Table{Values: tables[i]}, Pos: f.Pos})
	}
	w.tables = &flat
	k := 0
	for i, f := range m.Factors {
		n := len(tables[i])
		d := pseudo.Listed(f)
		if d != nil {
			n = len(d.List)
		}
		w.find(i, f, k, n, d != nil)
		k += n
	}
	for i, x := range list {
		if !math.IsInf(x.Weight, -1) {
			w.free = append(w.free, i)
		}
	}
	if w.free == nil {
		return nil, fmt.Errorf("the model has no weights to fit; want features, or tables with numbers above 0")
	}
	return w, nil
}

// find finds the cells of n features from number first, of factor i. If they are not listed, each
// has one cell.
func (w *weights) find(i int, f *model.Factor, first, n int, listed bool) {
	if !listed {
		for at := range n {
			w.cells[first+at] = []number{{i, at}}
		}
		return
	}
	state := make([]int, len(w.m.Vars))
	for at := range w.tables.Factors[i].Dist.Size() {
		for k := first; k < first+n; k++ {
			if w.features[k].Holds(state) {
				w.cells[k] = append(w.cells[k], number{i, at})
			}
		}
		w.m.Next(f.Scope, state)
	}
}

// Logits returns the finite weights of m.
func (w *weights) Logits(*model.Model) (x []float64) {
	for _, i := range w.free {
		x = append(x, w.features[i].Weight)
	}
	return x
}

// all returns the features with other finite weights.
func (w *weights) all(x []float64) []pseudo.Feature {
	list := append([]pseudo.Feature(nil), w.features...)
	for k, i := range w.free {
		list[i].Weight = x[k]
	}
	return list
}

// FromLogits returns the tables of the weights. The largest number of each is 1.
func (w *weights) FromLogits(_ *model.Model, x []float64) *model.Model {
	out := *w.tables
	out.Factors = nil
	logs := make([][]float64, len(w.tables.Factors))
	for i, f := range w.tables.Factors {
		g := *f
		out.Factors = append(out.Factors, &g)
		logs[i] = make([]float64, f.Dist.Size())
	}
	for k, f := range w.all(x) {
		for _, c := range w.cells[k] {
			logs[c.factor][c.at] += f.Weight
		}
	}
	for i, list := range logs {
		out.Factors[i].Dist = &model.Table{Values: pseudo.Exponentials(list)}
	}
	return &out
}

// Gradient returns the counts of the features with finite weights.
func (w *weights) Gradient(n mle.Counts, _, _ *model.Model) []float64 {
	out := make([]float64, len(w.free))
	for k, i := range w.free {
		for _, c := range w.cells[i] {
			out[k] += n[c.factor][c.at]
		}
	}
	return out
}

// network returns the network with the weights, and the number of weights that are not 0.
func (w *weights) network(x []float64) (m *model.Model, params int) {
	for _, v := range x {
		if v != 0 {
			params++
		}
	}
	return pseudo.Rewrite(w.m, w.all(x)), params
}
