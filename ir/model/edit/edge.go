package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// AddEdge makes from a parent of to, which does not depend on it yet. If to is a decision, from is
// known when it is made.
func AddEdge(m *model.Model, from, to model.VarID, limit int) (*model.Model, []Effect, error) {
	edge := m.Vars[from].Name + "->" + m.Vars[to].Name
	if from == to {
		return nil, nil, fmt.Errorf("the edge %s joins a variable to itself", edge)
	}
	out := copyOf(m)
	if d := m.Decides(to); d != nil {
		if slices.Contains(d.Known, from) {
			return nil, nil, fmt.Errorf("the edge %s is there already", edge)
		}
		i := slices.Index(m.Diagram.Decisions, d)
		out.Diagram.Decisions[i] = &model.Decision{Var: to, Known: append(slices.Clip(d.Known), from), Pos: d.Pos}
		return acyclic(out, from, to, []Effect{{Of: fmt.Sprintf("decision %q", m.Vars[to].Name), Text: fmt.Sprintf("%q is known", m.Vars[from].Name)}})
	}
	i, err := cpd(m, to)
	if err != nil {
		return nil, nil, fmt.Errorf("the edge %s: %w", edge, err)
	}
	f := m.Factors[i]
	if slices.Contains(f.Scope, from) {
		return nil, nil, fmt.Errorf("the edge %s is there already", edge)
	}
	g, text, err := withParent(m, f, from, limit)
	if err != nil {
		return nil, nil, fmt.Errorf("the edge %s: %w", edge, err)
	}
	out.Factors[i], out.Tied = g, untie(m.Tied, to)
	return acyclic(out, from, to, []Effect{{Of: m.FactorName(f), Text: text}})
}

// acyclic returns m, or an error if the edge from from to to makes a cycle.
func acyclic(m *model.Model, from, to model.VarID, effects []Effect) (*model.Model, []Effect, error) {
	if path := pathBetween(m, to, from); path != nil && m.Kind == model.Bayes {
		var list []string
		for _, v := range append(path, to) {
			list = append(list, m.Vars[v].Name)
		}
		return nil, nil, fmt.Errorf("the edge %s->%s makes a cycle: %s", m.Vars[from].Name, m.Vars[to].Name, strings.Join(list, " -> "))
	}
	return checked(m, effects)
}

// pathBetween returns a directed path, or nil if there is none.
func pathBetween(m *model.Model, from, to model.VarID) []model.VarID {
	parents := make([][]model.VarID, len(m.Vars))
	for _, f := range m.Factors {
		if f.Child >= 0 {
			parents[f.ChildVar()] = f.Parents()
		}
	}
	if m.Diagram != nil {
		for _, d := range m.Diagram.Decisions {
			parents[d.Var] = d.Known
		}
	}
	next := map[model.VarID]model.VarID{to: to} // on the path to to
	for list := []model.VarID{to}; len(list) > 0; list = list[1:] {
		if list[0] == from {
			path := []model.VarID{from}
			for v := from; v != to; path = append(path, v) {
				v = next[v]
			}
			return path
		}
		for _, p := range parents[list[0]] {
			if _, seen := next[p]; !seen {
				next[p] = list[0]
				list = append(list, p)
			}
		}
	}
	return nil
}

// withParent returns f with one more parent that has no influence, and a text that says so.
func withParent(m *model.Model, f *model.Factor, v model.VarID, limit int) (*model.Factor, string, error) {
	if m.IsReal(v) {
		return withRealParent(m, f, v)
	}
	if _, ok := f.Dist.(model.Branching); ok { // it tests variables by their positions
		g := revised(f, append(slices.Clip(f.Scope), v), f.Dist)
		g.Child = f.Child
		return g, fmt.Sprintf(wordsOf(f).added, name(m, v)), nil
	}
	discrete, real := m.SplitParents(f)
	child := f.ChildVar()
	if untabled(m, f) {
		return nil, "", fmt.Errorf("the CPD of %s is of kind %s, which takes no further parent", name(m, child), f.Dist.Kind())
	}
	var lowest []State // of the child
	if !m.IsReal(child) {
		lowest = []State{{child, 0}}
	}
	r := &recoding{m: m, v: v, card: 1, from: make([]int, m.Card(v)), limit: limit}
	g, note, err := r.factor(f, append(slices.Concat(discrete, []model.VarID{v}, real), child), r.rows)
	if err != nil {
		return nil, "", err
	}
	return g, fmt.Sprintf(wordsOf(g).added, name(m, v), stateText(m, lowest)) + note, nil
}

// withRealParent is withParent for a real parent. A table becomes a softmax CPD.
func withRealParent(m *model.Model, f *model.Factor, v model.VarID) (*model.Factor, string, error) {
	discrete, real := m.SplitParents(f)
	child := f.ChildVar()
	scope := append(slices.Concat(discrete, real), v, child)
	text := fmt.Sprintf("the coefficient of %s is 0", name(m, v))
	switch d := f.Dist.(type) {
	case *model.Gaussian:
		return revised(f, scope, &model.Gaussian{Mean: d.Mean, Coef: widened(d.Coef, len(real), len(d.Mean)), Var: d.Var}), text, nil
	case *model.Softmax:
		return revised(f, scope, &model.Softmax{Bias: d.Bias, Coef: widened(d.Coef, len(real), len(d.Bias))}), text, nil
	case *model.Table:
		if slices.Contains(d.Values, 0) {
			return nil, "", fmt.Errorf("the table of %s has zeros, and a softmax CPD, as a real parent needs, has none; want numbers above 0 first", name(m, child))
		}
		bias := slices.Clone(m.Permute(d.Values, f.Scope, scopeOf(f)))
		for i, x := range bias {
			bias[i] = pgmrt.Ln(x)
		}
		return revised(f, scope, &model.Softmax{Bias: bias, Coef: make([]float64, len(bias))}), "its table is a softmax CPD now, and " + text, nil
	}
	return nil, "", fmt.Errorf("the CPD of %s is of kind %s, which takes no real parent", name(m, child), f.Dist.Kind())
}

// widened returns rows of n coefficients with a further one, 0.
func widened(coef []float64, n, rows int) []float64 {
	out := make([]float64, 0, rows*(n+1))
	for r := range rows {
		out = append(append(out, coef[r*n:][:n]...), 0)
	}
	return out
}
