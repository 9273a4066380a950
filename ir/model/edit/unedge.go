package edit

import (
	"fmt"
	"math"
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
		out.Diagram.Decisions[slices.Index(m.Diagram.Decisions, d)] = &model.Decision{Var: to, Known: known, Pos: d.Pos}
		return checked(out, []Effect{{Of: fmt.Sprintf("decision %q", m.Vars[to].Name), Text: fmt.Sprintf("%q is not known", m.Vars[from].Name)}})
	}
	i, err := cpd(m, to)
	switch {
	case err != nil:
		return nil, nil, err
	case from == to || !slices.Contains(m.Factors[i].Scope, from):
		return nil, nil, missing
	}
	g, text, err := withoutOne(m, m.Factors[i], from, marginal, limit)
	if err != nil {
		return nil, nil, fmt.Errorf("the edge %s->%s: %w", m.Vars[from].Name, m.Vars[to].Name, err)
	}
	out.Factors[i], out.Tied = g, untie(m.Tied, to)
	return checked(out, []Effect{{Of: m.FactorName(g), Text: text}})
}

// withoutParent takes v out of all CPDs of m that have it as a parent.
func withoutParent(m *model.Model, v model.VarID, marginal []float64, limit int) (effects []Effect, err error) {
	for i, f := range m.Factors {
		if f.Child < 0 || f.ChildVar() == v || !slices.Contains(f.Scope, v) {
			continue
		}
		g, text, err := withoutOne(m, f, v, marginal, limit)
		if err != nil {
			return nil, err
		}
		m.Factors[i], m.Tied = g, untie(m.Tied, f.ChildVar())
		effects = append(effects, Effect{Of: m.FactorName(g), Text: text})
	}
	return effects, nil
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
	text := fmt.Sprintf("its rows are means over the states of %s, %s", name(m, v), by)
	discrete, real := m.SplitParents(f)
	scope := append(slices.DeleteFunc(slices.Concat(discrete, real), func(u model.VarID) bool { return u == v }), f.ChildVar())
	switch d := f.Dist.(type) {
	case *model.Gaussian:
		return revised(f, scope, meanGaussian(m, d, discrete, v, weights)), text + ", and variances have the variance of their means added", nil
	case *model.Softmax:
		n := m.Card(f.ChildVar())
		return revised(f, scope, &model.Softmax{Bias: averaged(m, d.Bias, discrete, n, v, weights), Coef: averaged(m, d.Coef, discrete, n*len(real), v, weights)}), text, nil
	case *model.NoisyMax:
		return revised(f, scope, intoLeak(m, d, f, v, weights)), fmt.Sprintf("the leak has the mean contribution of %s, %s", name(m, v), by), nil
	case *model.Func:
		return nil, "", fmt.Errorf("the CPD of %s is of kind func, an expression that may name %s; want another expression", name(m, f.ChildVar()), name(m, v))
	case *model.Tree:
		if g := untested(d, f, v); g != nil {
			return g, fmt.Sprintf("its tree did not test %s", name(m, v)), nil
		}
	}
	table, err := tabulated(m, f, limit)
	if err != nil {
		return nil, "", err
	}
	values, _ := table.Table()
	if f.Dist.Kind() != table.Dist.Kind() {
		text += "; it is a table now"
	}
	return revised(f, scope, &model.Table{Values: averaged(m, values, discrete, m.Card(f.ChildVar()), v, weights)}), text, nil
}

// unknownMarginal returns equal probabilities, or the mean 0 and the variance 0.
func unknownMarginal(m *model.Model, v model.VarID) []float64 {
	if m.IsReal(v) {
		return make([]float64, model.RealWidth)
	}
	return uniform(m.Card(v))
}

// averaged returns rows of n numbers over the joint states of vars without v: the weighted means
// over the states of v, to 15 digits.
func averaged(m *model.Model, numbers []float64, vars []model.VarID, n int, v model.VarID, weights []float64) []float64 {
	inner := n
	for _, u := range vars[slices.Index(vars, v)+1:] {
		inner *= m.Card(u)
	}
	out := make([]float64, len(numbers)/len(weights))
	for at := range out {
		from := at/max(inner, 1)*inner*len(weights) + at%max(inner, 1)
		for s, w := range weights {
			out[at] += float64(w * numbers[from+s*inner])
		}
		out[at] = rounded(out[at])
	}
	return out
}

// meanGaussian returns the rows with the mean and the variance of a mixture over the states of v,
// at values 0 of the real parents.
func meanGaussian(m *model.Model, d *model.Gaussian, discrete []model.VarID, v model.VarID, weights []float64) *model.Gaussian {
	n := len(d.Coef) / len(d.Mean)
	squares := make([]float64, len(d.Mean))
	for r, x := range d.Mean {
		squares[r] = x * x
	}
	out := &model.Gaussian{Mean: averaged(m, d.Mean, discrete, 1, v, weights), Coef: averaged(m, d.Coef, discrete, n, v, weights), Var: averaged(m, d.Var, discrete, 1, v, weights)}
	for r, x := range averaged(m, squares, discrete, 1, v, weights) {
		out.Var[r] += max(0, x-float64(out.Mean[r]*out.Mean[r]))
	}
	return out
}

// intoLeak returns d without the cause v. Contributions are independent, so the mean over the
// states of v is the maximum of the leak and the mean contribution, exactly.
func intoLeak(m *model.Model, d *model.NoisyMax, f *model.Factor, v model.VarID, weights []float64) *model.NoisyMax {
	i, card := slices.Index(f.Parents(), v), len(d.Leak)
	mean := averaged(m, d.Cause[i], []model.VarID{v}, card, v, weights)
	out := &model.NoisyMax{Cause: slices.Delete(slices.Clone(d.Cause), i, i+1)}
	for x := range card {
		out.Leak = append(out.Leak, model.ExtremeOf(d.Leak[:x], d.Leak[x]).With(model.ExtremeOf(mean[:x], mean[x])).At)
	}
	return out
}

// untested returns f without v, or nil if its tree tests v.
func untested(d *model.Tree, f *model.Factor, v model.VarID) *model.Factor {
	axis := slices.Index(f.Scope, v)
	own := &model.Tree{Nodes: slices.Clone(d.Nodes)}
	for i, n := range own.Nodes {
		if n.Leaf == nil && n.Axis == axis {
			return nil
		}
		if n.Axis > axis {
			own.Nodes[i].Axis--
		}
	}
	g := &model.Factor{Scope: slices.Delete(slices.Clone(f.Scope), axis, axis+1), Child: f.Child, Dist: own, Pos: f.Pos}
	if axis < f.Child {
		g.Child--
	}
	return g
}

// withoutReal is withoutOne for a real parent with a mean and a variance. A softmax CPD without
// real parents becomes a table.
func withoutReal(m *model.Model, f *model.Factor, v model.VarID, moments []float64, known bool) (*model.Factor, string, error) {
	discrete, real := m.SplitParents(f)
	k, n := slices.Index(real, v), len(real)
	scope := append(slices.Concat(discrete, slices.Delete(slices.Clone(real), k, k+1)), f.ChildVar())
	text := fmt.Sprintf("%s is replaced by its mean", name(m, v))
	if !known {
		text = fmt.Sprintf("%s is replaced by 0", name(m, v))
	}
	switch d := f.Dist.(type) {
	case *model.Gaussian:
		out := &model.Gaussian{Mean: slices.Clone(d.Mean), Coef: []float64{}, Var: slices.Clone(d.Var)}
		for r := range d.Mean {
			_, coef, _ := d.Row(r)
			out.Mean[r] += float64(coef[k] * moments[0])
			out.Var[r] += float64(coef[k] * coef[k] * moments[1])
			out.Coef = append(out.Coef, slices.Delete(slices.Clone(coef), k, k+1)...)
		}
		return revised(f, scope, out), text, nil
	case *model.Softmax:
		out := &model.Softmax{Bias: slices.Clone(d.Bias)}
		for i := range d.Bias {
			coef := d.Coef[i*n:][:n]
			out.Bias[i] += float64(coef[k] * moments[0])
			out.Coef = append(out.Coef, slices.Delete(slices.Clone(coef), k, k+1)...)
		}
		if n > 1 {
			return revised(f, scope, out), text, nil
		}
		card := m.Card(f.ChildVar())
		for at := 0; at < len(out.Bias); at += card {
			row := out.Bias[at:][:card]
			(&model.Softmax{Bias: slices.Clone(row)}).Logs(0, nil, row)
			for s, x := range row {
				row[s] = math.Exp(x)
			}
		}
		return revised(f, scope, &model.Table{Values: out.Bias}), text + "; it is a table now", nil
	}
	return nil, "", fmt.Errorf("the CPD of %s is of kind %s, an expression that may name %s; want another expression", name(m, f.ChildVar()), f.Dist.Kind(), name(m, v))
}
