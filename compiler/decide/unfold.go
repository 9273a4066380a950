package decide

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// unfolded is a decision analysis network in which variables that may not exist have a further
// state, the last, for that. What remains is a symmetric diagram with observations.
type unfolded struct {
	m      *model.Model // the network
	to     *model.Model
	absent []int           // by variable: the further state, or -1
	above  [][]model.VarID // by variable: its parents, with those of restrictions and revelations
}

// unfold adds the further states.
func unfold(m *model.Model, most int) (*unfolded, error) {
	u := &unfolded{m: m, to: &model.Model{Name: m.Name, Kind: m.Kind, Diagram: &model.Diagram{Asymmetry: &model.Asymmetry{}}}, above: make([][]model.VarID, len(m.Vars))}
	for _, v := range m.Vars {
		if m.IsReal(v.ID) {
			return nil, diag.ErrorfAt(v.Pos, "variable %q is real; want discrete ones in a decision analysis network", v.Name)
		}
	}
	for _, f := range m.Factors {
		u.above[f.ChildVar()] = slices.Clone(f.Parents())
	}
	for _, d := range m.Diagram.Decisions {
		u.above[d.Var] = slices.Clone(d.Known)
	}
	for _, r := range m.Diagram.Asymmetry.Restrictions {
		if !slices.Contains(u.above[r.Child], r.Parent) {
			u.above[r.Child] = append(u.above[r.Child], r.Parent)
		}
	}
	tables := make([][]float64, len(m.Factors))
	for i, f := range m.Factors {
		var err error
		if tables[i], err = m.Tabulate(f, most); err != nil {
			return nil, err
		}
	}
	if err := u.findAbsent(tables, most); err != nil {
		return nil, err
	}
	for _, v := range m.Vars {
		states := m.States(v.ID)
		if u.absent[v.ID] >= 0 {
			states = append(slices.Clip(states), "")
		}
		u.to.NewVar(v.Name, states...).Given = v.Given
	}
	for i, f := range m.Factors {
		if err := u.factor(f, tables[i], most); err != nil {
			return nil, err
		}
	}
	terms, err := m.Terms(m.Diagram.Roots(), most)
	if err != nil {
		return nil, err
	}
	for _, x := range m.Diagram.Utilities { // those as well whose weights cancel in the sum: they have moments
		for _, v := range x.Scope {
			if !slices.ContainsFunc(terms, func(t *model.Utility) bool { return slices.Contains(t.Scope, v) }) {
				terms = append(terms, &model.Utility{Name: x.Name, Scope: []model.VarID{v}, Values: make([]float64, m.Card(v))})
			}
		}
	}
	u.decisions()
	u.to.Diagram.Utilities, err = u.utilities(terms, most)
	return u, err
}

// allows reports whether restrictions allow a state of v, given the states of its parents.
func (u *unfolded) allows(v model.VarID, k int, state []int) bool {
	for _, r := range u.m.Diagram.Asymmetry.Restrictions {
		if x := state[r.Parent]; r.Child == v && x >= 0 && x < u.m.Card(r.Parent) && !r.Allowed[x*u.m.Card(v)+k] {
			return false
		}
	}
	return true
}

// barred reports whether a restriction by itself excludes all states of v.
func (u *unfolded) barred(v model.VarID, state []int) bool {
	n := u.m.Card(v)
	return slices.ContainsFunc(u.m.Diagram.Asymmetry.Restrictions, func(r *model.Restriction) bool {
		x := state[r.Parent]
		return r.Child == v && x >= 0 && x < u.m.Card(r.Parent) && !slices.Contains(r.Allowed[x*n:(x+1)*n], true)
	})
}

// findAbsent finds the variables that may not exist.
func (u *unfolded) findAbsent(tables [][]float64, most int) error {
	m := u.m
	u.absent = slices.Repeat([]int{-1}, len(m.Vars))
	cpd := make([]int, len(m.Vars)) // by variable: its factor
	for i, f := range m.Factors {
		cpd[f.ChildVar()] = i
	}
	for _, v := range m.Vars {
		above := u.above[v.ID]
		if n, ok := m.TableSize(above); !ok || n > most {
			return tableSize(v.Pos, fmt.Sprintf("variable %q", v.Name), m, above, most)
		}
		state, options := make([]int, len(m.Vars)), false
		for more := true; more && (u.absent[v.ID] < 0 || !options); more = m.Next(above, state) {
			if u.barred(v.ID, state) || !v.Given && u.empty(m.Factors[cpd[v.ID]], tables[cpd[v.ID]], state) {
				u.absent[v.ID] = m.Card(v.ID)
			} else {
				options = true
			}
		}
		if d := m.Decides(v.ID); d != nil && !options {
			return diag.ErrorfAt(d.Pos, "restrictions leave no option of the decision %q in any case; want one in some", v.Name)
		}
	}
	for more := true; more; {
		more = false
		for v, above := range u.above {
			if u.absent[v] < 0 && slices.ContainsFunc(above, func(p model.VarID) bool { return u.absent[p] >= 0 }) {
				u.absent[v], more = m.Card(model.VarID(v)), true
			}
		}
	}
	return nil
}

// empty reports whether the row of a CPD is zero.
func (u *unfolded) empty(f *model.Factor, table []float64, state []int) bool {
	state, p := slices.Clone(state), newPotential(u.m, f.Scope, table)
	for state[f.ChildVar()] = range u.m.Card(f.ChildVar()) {
		if p.at(state) > 0 {
			return false
		}
	}
	return true
}

// tableSize is the error of a table of more than most entries.
func tableSize(pos diag.Pos, what string, m *model.Model, scope []model.VarID, most int) error {
	return diag.ErrorfAt(pos, "%s needs a table of %.3g entries; want more than %v", what, math.Exp(m.LogTableSize(scope)), diag.Option{Name: "max-table", Value: strconv.Itoa(most)})
}

// gone reports whether one of vars does not exist.
func (u *unfolded) gone(vars []model.VarID, state []int) bool {
	return slices.ContainsFunc(vars, func(v model.VarID) bool { return state[v] >= 0 && state[v] == u.absent[v] })
}

// factor adds the CPD of a variable, with the parents of its restrictions.
func (u *unfolded) factor(f *model.Factor, table []float64, most int) error {
	v, above := f.ChildVar(), u.above[f.ChildVar()]
	scope := append(slices.Clip(above), v)
	if n, ok := u.to.TableSize(scope); !ok || n > most {
		return tableSize(f.Pos, u.m.FactorName(f), u.to, scope, most)
	}
	p, state := newPotential(u.m, f.Scope, table), make([]int, len(u.m.Vars))
	var values []float64
	for more := true; more; more = u.to.Next(above, state) {
		row := make([]float64, u.to.Card(v))
		if u.gone(above, state) || u.barred(v, state) || u.empty(f, table, state) {
			row[u.absent[v]] = 1
		} else {
			for k := range u.m.Card(v) {
				if state[v] = k; u.allows(v, k, state) {
					row[k] = p.at(state)
				} else if x := p.at(state); x > 0 {
					return diag.ErrorfAt(f.Pos, "%q has probability %v in the state %q, which a restriction excludes%s; want 0", u.m.Vars[v].Name, x, u.m.States(v)[k], u.where(above, state))
				}
			}
			state[v] = 0
		}
		values = append(values, row...)
	}
	u.to.Factors = append(u.to.Factors, &model.Factor{Scope: scope, Child: len(above), Dist: &model.Table{Values: values}, Pos: f.Pos})
	return nil
}

// where names the states of variables.
func (u *unfolded) where(vars []model.VarID, state []int) (text string) {
	for i, v := range vars {
		text += []string{" at ", ", "}[min(i, 1)] + u.m.Vars[v].Name + "=" + u.m.States(v)[state[v]]
	}
	return text
}

// decisions adds the decisions, after those and the variables that they follow.
func (u *unfolded) decisions() {
	for _, d := range u.m.Diagram.Decisions {
		u.to.Diagram.Decisions = append(u.to.Diagram.Decisions, d.Knowing(u.above[d.Var]))
	}
	a := u.m.Diagram.Asymmetry
	seen := &u.to.Diagram.Asymmetry.Observed
	*seen = slices.Clone(a.Observed)
	for _, r := range a.Reveals {
		if !slices.Contains(*seen, r.Var) {
			*seen = append(*seen, r.Var)
		}
		if !slices.Contains(u.above[r.Var], r.By) {
			u.above[r.Var] = append(slices.Clip(u.above[r.Var]), r.By)
		}
	}
}

// utilities returns utilities of the network as those of what it unfolds to, which are 0 if one of
// their variables does not exist.
func (u *unfolded) utilities(terms []*model.Utility, most int) (list []*model.Utility, err error) {
	for _, t := range terms {
		if n, ok := u.to.TableSize(t.Scope); !ok || n > most {
			return nil, tableSize(t.Pos, fmt.Sprintf("utility %q", t.Name), u.to, t.Scope, most)
		}
		p, out := newPotential(u.m, t.Scope, t.Values), *t
		out.Criterion, out.Values = "", nil // the values are in the unit of the sum
		state := make([]int, len(u.m.Vars))
		for more := true; more; more = u.to.Next(t.Scope, state) {
			x := 0.0
			if !u.gone(t.Scope, state) {
				x = p.at(state)
			}
			out.Values = append(out.Values, x)
		}
		list = append(list, &out)
	}
	return list, nil
}

// likelihood returns evidence about the network as evidence about what it unfolds to.
func (u *unfolded) likelihood(of [][]float64) [][]float64 {
	out := slices.Clone(of)
	for v, l := range of {
		if l != nil && u.absent[v] >= 0 {
			out[v] = append(slices.Clip(l), 0)
		}
	}
	return out
}

// diagram returns a solver of an influence diagram, or of what a decision analysis network unfolds
// to.
func diagram(ctx context.Context, m *model.Model, likelihood [][]float64, o Options) (*solver, *unfolded, error) {
	if m.Diagram == nil || m.Diagram.Asymmetry == nil {
		s, err := newSolver(ctx, m, likelihood, o)
		return s, nil, err
	}
	u, err := unfold(m, cmp.Or(o.MaxTable, defaultMaxTable))
	if err != nil {
		return nil, nil, err
	}
	s, err := newSolver(ctx, u.to, u.likelihood(likelihood), o)
	return s, u, err
}

// solveNetwork solves a decision analysis network with the elimination of the symmetric diagram to
// which it unfolds. Its decisions follow steps, unless these are nil.
func solveNetwork(ctx context.Context, m *model.Model, likelihood [][]float64, steps []Step, o Options) (*Solution, error) {
	if o.Limited {
		return nil, errLimited
	}
	s, u, err := diagram(ctx, m, likelihood, o)
	if err != nil {
		return nil, err
	}
	n := newAsymmetric(u, s)
	out, err := n.best(steps)
	if err != nil {
		return nil, err
	}
	n.trim()
	return &Solution{Utility: out.utility, Bound: out.utility, solver: s, network: n}, nil
}
