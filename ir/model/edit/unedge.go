package edit

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// RemoveEdge makes from no parent of to. Rows over the states of from become their mean, weighted
// by the marginal of from: a probability for each state, or the mean and the variance of a real
// variable. If the marginal is nil, the states have equal weights, and a real variable is 0. If to
// is a decision, from is not known when it is made.
func RemoveEdge(m *model.Model, from, to model.VarID, marginal []float64, limit int) (*model.Model, []Effect, error) {
	missing := fmt.Errorf("there is no edge %s->%s", m.Vars[from].Name, m.Vars[to].Name)
	out := copyOf(m)
	if d := m.Decides(to); d != nil {
		if !slices.Contains(d.Known, from) {
			return nil, nil, missing
		}
		known := slices.DeleteFunc(slices.Clone(d.Known), func(v model.VarID) bool { return v == from })
		out.Diagram.Decisions[slices.Index(m.Diagram.Decisions, d)] = d.Knowing(known)
		return checked(out, []Effect{{Of: fmt.Sprintf("decision %q", m.Vars[to].Name), Text: fmt.Sprintf("%q is not known", m.Vars[from].Name)}})
	}
	i, err := cpd(m, to)
	switch {
	case err != nil:
		return nil, nil, err
	case from == to || !slices.Contains(m.Factors[i].Scope, from):
		return nil, nil, missing
	case slices.Contains(governed(m, from), to):
		return nil, nil, fmt.Errorf("%q restricts or reveals %q; want an edge between variables that do neither", m.Vars[from].Name, m.Vars[to].Name)
	}
	g, text, err := withoutOne(m, m.Factors[i], from, marginal, limit)
	if err != nil {
		return nil, nil, fmt.Errorf("the edge %s->%s: %w", m.Vars[from].Name, m.Vars[to].Name, err)
	}
	out.Factors[i], out.Tied = g, untie(m.Tied, to)
	return checked(out, []Effect{{Of: m.FactorName(g), Text: text}})
}

// withoutOne returns f without the parent v, and a text that says what is kept.
func withoutOne(m *model.Model, f *model.Factor, v model.VarID, marginal []float64, limit int) (*model.Factor, string, error) {
	weights, by := marginal, fmt.Sprintf("by the marginal of %s", name(m, v))
	if weights == nil {
		weights, by = unknownMarginal(m, v), "by equal weights"
	}
	if len(weights) != m.Width(v) {
		return nil, "", fmt.Errorf("found a marginal of %d numbers; want %d for %s", len(weights), m.Width(v), name(m, v))
	}
	if m.IsReal(v) {
		return withoutReal(m, f, v, weights, marginal != nil)
	}
	if isExpression(m, f) {
		return nil, "", inExpression(m, f, name(m, v))
	}
	discrete, real := m.SplitParents(f)
	scope := append(slices.DeleteFunc(slices.Concat(discrete, real), func(u model.VarID) bool { return u == v }), f.ChildVar())
	r := &recoding{m: m, v: v, card: m.Card(v), weights: weights, zeros: zerosAllowed(m, f), limit: limit}
	g, note, err := r.factor(f, scope, r.rows)
	if err != nil {
		return nil, "", err
	}
	return g, fmt.Sprintf(wordsOf(g).removed, name(m, v), by) + note, nil
}

// zerosAllowed reports whether f may have rows of zeros, as a table of an influence diagram may.
func zerosAllowed(m *model.Model, f *model.Factor) bool {
	_, table := f.Dist.(*model.Table)
	return table && m.Diagram != nil
}

// inExpression returns the error for a CPD that may name what is to change.
func inExpression(m *model.Model, f *model.Factor, what string) error {
	return fmt.Errorf("the CPD of %s is of kind %s, an expression that may name %s; want another expression", name(m, f.ChildVar()), f.Dist.Kind(), what)
}

// unknownMarginal returns equal probabilities, or the mean 0 and the variance 0.
func unknownMarginal(m *model.Model, v model.VarID) []float64 {
	if m.IsReal(v) {
		return make([]float64, model.RealWidth)
	}
	return uniform(m.Card(v))
}

// withoutReal is withoutOne for a real parent with a mean and a variance. A softmax CPD without
// real parents becomes a table.
func withoutReal(m *model.Model, f *model.Factor, v model.VarID, moments []float64, known bool) (*model.Factor, string, error) {
	text := fmt.Sprintf("%s is replaced by its mean", name(m, v))
	if !known {
		text = fmt.Sprintf("%s is replaced by 0", name(m, v))
	}
	d, ok := f.Dist.(model.Regression)
	if !ok {
		return nil, "", inExpression(m, f, name(m, v))
	}
	columns := d.Parameters(m, f)
	k, last := slices.Index(columns, model.Parameter{Kind: model.Coefficient, Parent: v}), len(columns)-1
	var rows []float64
	for row := range slices.Chunk(d.ParameterRows(), len(columns)) {
		row[0] += float64(row[k] * moments[0])
		if columns[last].Kind == model.Variance {
			row[last] += float64(row[k] * row[k] * moments[1])
		}
		rows = append(rows, slices.Delete(row, k, k+1)...)
	}
	discrete, real := m.SplitParents(f)
	real = slices.DeleteFunc(real, func(u model.VarID) bool { return u == v })
	own := d.WithParameterRows(rows, len(real))
	if weights, ok := own.(*model.Softmax); ok && len(real) == 0 {
		own, text = weights.Table(m.Card(f.ChildVar())), text+"; it is a table now"
	}
	return revised(f, append(slices.Concat(discrete, real), f.ChildVar()), own), text, nil
}
