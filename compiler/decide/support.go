package decide

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// support holds the states that each variable can have, ascending. A clock has one in each slice.
type support [][]int32

// every returns the support of variables about which nothing is known.
func every(m *model.Model) support {
	out := make(support, len(m.Vars))
	for v := range m.Vars {
		for s := range m.Card(model.VarID(v)) {
			out[v] = append(out[v], int32(s))
		}
	}
	return out
}

// reach reduces the support of the children of CPDs to the states that have a positive probability
// for some states of the parents. Values returns the table of a CPD.
func (x support) reach(m *model.Model, values func(*model.Factor) ([]float64, error)) error {
	of := make([]*model.Factor, len(m.Vars))
	for _, f := range m.Factors {
		of[f.ChildVar()] = f
	}
	state := make([]int, len(m.Vars))
	for _, v := range m.Topological() {
		f := of[v]
		if f == nil {
			continue
		}
		table, err := values(f)
		if err != nil {
			return err
		}
		possible := make([]bool, m.Card(v))
		for more := true; more; more = x.next(f.Scope, state) {
			at := 0
			for _, u := range f.Scope {
				at = at*m.Card(u) + int(x[u][state[u]])
			}
			if table[at] != 0 {
				possible[x[v][state[v]]] = true
			}
		}
		x[v] = slices.DeleteFunc(slices.Clone(x[v]), func(s int32) bool { return !possible[s] })
		if len(x[v]) == 0 {
			return ErrImpossible
		}
	}
	return nil
}

// next goes to the next joint state of a scope, by the places of the states in their supports.
func (x support) next(scope []model.VarID, state []int) bool {
	for i := len(scope) - 1; i >= 0; i-- {
		v := scope[i]
		if state[v]++; state[v] < len(x[v]) {
			return true
		}
		state[v] = 0
	}
	return false
}

// pick returns the numbers of a table over a scope that belong to states of the support.
func (x support) pick(m *model.Model, scope []model.VarID, table []float64) (out []float64) {
	state := make([]int, len(m.Vars))
	for more := true; more; more = x.next(scope, state) {
		at := 0
		for _, v := range scope {
			at = at*m.Card(v) + int(x[v][state[v]])
		}
		out = append(out, table[at])
	}
	return out
}

// spread returns a table over the states of the support y that has the numbers of one over those of
// x, and other ones elsewhere.
func spread[T any](x, y support, scope []model.VarID, table []T, other T) []T {
	size, state := 1, make([]int, len(x))
	for _, v := range scope {
		size *= len(y[v])
	}
	out := make([]T, size)
	for i := range out {
		out[i] = other
	}
	for _, number := range table {
		at := 0
		for _, v := range scope {
			at = at*len(y[v]) + slices.Index(y[v], x[v][state[v]])
		}
		out[at] = number
		x.next(scope, state)
	}
	return out
}

// narrow returns a network whose variables have the states of the support only. Its CPDs are
// tables.
func (x support) narrow(m *model.Model, values func(*model.Factor) ([]float64, error)) (*model.Model, error) {
	out, d := *m, *m.Diagram
	out.Vars, out.Factors, out.Diagram, d.Utilities = nil, nil, &d, nil
	for i, v := range m.Vars {
		w, names := *v, []string(nil)
		for _, s := range x[i] {
			names = append(names, m.States(v.ID)[s])
		}
		w.Domain = model.Discrete{States: names}
		out.Vars = append(out.Vars, &w)
	}
	for _, f := range m.Factors {
		table, err := values(f)
		if err != nil {
			return nil, err
		}
		out.Factors = append(out.Factors, &model.Factor{Scope: f.Scope, Child: f.Child, Dist: &model.Table{Values: x.pick(m, f.Scope, table)}, Pos: f.Pos})
	}
	for _, u := range m.Diagram.Utilities {
		w := *u
		if u.Function == nil {
			w.Values = x.pick(m, u.Scope, u.Values)
		}
		d.Utilities = append(d.Utilities, &w)
	}
	return &out, nil
}

// equal reports whether two supports are the same.
func (x support) equal(y support) bool {
	return slices.EqualFunc(x, y, func(a, b []int32) bool { return slices.Equal(a, b) })
}

// values returns a function that returns the table of a CPD.
func (n *induction) values(m *model.Model) func(*model.Factor) ([]float64, error) {
	return func(f *model.Factor) ([]float64, error) {
		if _, ok := n.tables[f]; !ok {
			values, err := m.Tabulate(f, cmp.Or(n.options.MaxTable, defaultMaxTable))
			if err != nil {
				return nil, err
			}
			n.tables[f] = values
		}
		return n.tables[f], nil
	}
}

// small is the most joint states between slices for which supports do not pay. Policies then have
// choices for all states.
const small = 1 << 10

// reach finds the supports of all slices, given likelihoods in slice 0. They stay the same from the
// first two that are equal.
func (n *induction) reach(likelihood [][]float64) {
	if slices.ContainsFunc(n.m.Vars, func(v *model.Var) bool { return n.m.IsReal(v.ID) }) {
		return
	}
	x := every(n.m)
	for v, l := range likelihood {
		if l != nil {
			x[v] = slices.DeleteFunc(x[v], func(s int32) bool { return !(l[s] > 0) })
		}
	}
	list, all := []support{}, every(n.step)
	full := true
	for t := range n.m.Diagram.Horizon {
		m := n.m
		if t > 0 {
			m = n.step
			before := list[t-1]
			x = slices.Clone(all)
			for _, v := range n.kept {
				x[v] = before[n.now(v)]
			}
		}
		if err := x.reach(m, n.values(m)); err != nil {
			return
		}
		if t > 1 && x.equal(list[t-1]) {
			x = list[t-1]
		}
		full = full && t > 0 && x.equal(all)
		list = append(list, x)
	}
	if !full {
		n.supports = list
	}
}

// narrowed returns the network of a step with the states that its variables can have in slice t.
func (n *induction) narrowed(t int) (*model.Model, error) {
	if n.supports == nil {
		return n.step, nil
	}
	if x := n.supports[t]; n.last == nil || !x.equal(n.support) {
		m, err := x.narrow(n.step, n.values(n.step))
		if err != nil {
			return nil, err
		}
		n.last, n.support = m, x
	}
	return n.last, nil
}

// widen makes a policy of slice t one of all states.
func (n *induction) widen(p *Policy, t int) {
	if n.supports == nil {
		return
	}
	x := n.supports[t]
	for i, c := range p.Choice {
		if c >= 0 {
			p.Choice[i] = int(x[p.Decision][c])
		}
	}
	p.Choice = spread(x, every(n.step), p.Known, p.Choice, -1)
}

// first returns slice 0 with the utilities of what follows, and its likelihoods. Decisions and what
// they know have all their states.
func (n *induction) first(later []*model.Utility, likelihood [][]float64) (*model.Model, [][]float64, error) {
	if n.supports == nil {
		return n.of(n.m, 0, n.m.Diagram, later), likelihood, nil
	}
	x, all := slices.Clone(n.supports[0]), every(n.m)
	for _, d := range n.m.Diagram.Decisions {
		for _, v := range append([]model.VarID{d.Var}, d.Known...) {
			x[v] = all[v]
		}
	}
	for _, u := range later {
		u.Values = spread(n.supports[0], x, u.Scope, u.Values, 0)
	}
	likelihood = slices.Clone(likelihood)
	for v, l := range likelihood {
		if l != nil {
			likelihood[v] = x.pick(n.m, []model.VarID{model.VarID(v)}, l)
		}
	}
	m, err := x.narrow(n.m, n.values(n.m))
	if err != nil {
		return nil, nil, err
	}
	return n.of(m, 0, m.Diagram, later), likelihood, nil
}
