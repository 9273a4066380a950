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
		out.Diagram.Decisions[i] = d.Knowing(append(slices.Clip(d.Known), from))
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
	if isExpression(m, f) {
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
	text := fmt.Sprintf("the coefficient of %s is 0", name(m, v))
	if values, ok := f.Table(); ok {
		if slices.Contains(values, 0) {
			return nil, "", fmt.Errorf("the table of %s has zeros, and a softmax CPD, as a real parent needs, has none; want numbers above 0 first", name(m, f.ChildVar()))
		}
		own := &model.Softmax{Bias: slices.Clone(m.Rearrange(values, f.Scope, scopeOf(f)))}
		for i, x := range own.Bias {
			own.Bias[i] = pgmrt.Ln(x)
		}
		f, text = revised(f, scopeOf(f), own), "its table is a softmax CPD now, and "+text
	}
	d, ok := f.Dist.(model.Regression)
	if !ok {
		return nil, "", fmt.Errorf("the CPD of %s is of kind %s, which takes no real parent", name(m, f.ChildVar()), f.Dist.Kind())
	}
	discrete, real := m.SplitParents(f)
	var rows []float64
	for row := range slices.Chunk(d.ParameterRows(), len(d.Parameters(m, f))) {
		rows = append(rows, slices.Insert(row, 1+len(real), 0)...)
	}
	scope := append(slices.Concat(discrete, real), v, f.ChildVar())
	return revised(f, scope, d.WithParameterRows(rows, len(real)+1)), text, nil
}
