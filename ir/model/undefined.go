package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// The rows of a CPD in a [Table] or a [Gaussian] may be undefined: all their numbers are NaN.
// Estimates from data are so for states of the parents that the data lack, as in R's bnlearn.
// [Model.NormalizeRows] replaces them by uniform rows, in a Gaussian CPD by another one of
// its rows, and refuses them if the joint distribution gives the states of the parents a positive
// probability.

// Undefined returns the first CPD with an undefined row, or nil.
func (m *Model) Undefined() *Factor {
	factors := m.Factors
	if m.Transition != nil {
		factors = slices.Concat(factors, m.Transition.Factors)
	}
	for _, f := range factors {
		if f.undefined() {
			return f
		}
	}
	return nil
}

// definable is a CPD that may have undefined rows.
type definable interface{ undefined() bool }

func (d *Table) undefined() bool    { return slices.ContainsFunc(d.Values, math.IsNaN) }
func (d *Gaussian) undefined() bool { return slices.ContainsFunc(d.Mean, math.IsNaN) }

// undefined reports whether f, which passed Check, has undefined rows.
func (f *Factor) undefined() bool {
	d, ok := f.Dist.(definable)
	return ok && d.undefined()
}

// undefined reports whether a row of f may be undefined and is.
func (c *checker) undefined(f *Factor, row []float64) bool {
	_, ok := f.Dist.(definable)
	return ok && f.Child >= 0 && c.m.Kind == Bayes && !slices.ContainsFunc(row, func(x float64) bool { return !math.IsNaN(x) })
}

// define returns f, one of factors, with other rows in place of undefined ones. It reports the rows
// that can be reached.
func (c *checker) define(policy Rows, f *Factor, factors []*Factor) *Factor {
	if !f.undefined() {
		return f
	}
	g, d := *f, f.Gaussian()
	if d == nil {
		table := f.Dist.(*Table)
		c.reached(policy, f, f.Parents(), table.rows(c.m, f), factors)
		g.Dist = table.defined(c.m.Card(f.ChildVar()))
		return &g
	}
	var rows [][]float64
	for r := range d.Mean {
		rows = append(rows, d.row(r))
	}
	discrete, _ := c.m.SplitParents(f)
	c.reached(RowsNormalize, f, discrete, rows, factors) // no distribution of all numbers is uniform
	g.Dist = d.defined()
	return &g
}

// reached reports the rows of f that are undefined and can be reached: one for each joint state of
// parents.
func (c *checker) reached(policy Rows, f *Factor, parents []VarID, rows [][]float64, factors []*Factor) {
	want, options := "want numbers", []any{}
	if f.Gaussian() == nil {
		want, options = want+", or %v", append(options, diag.Option{Name: "rows", Value: "uniform"})
	}
	state := make([]int, len(c.m.Vars))
	for r, row := range rows {
		if c.undefined(f, row) {
			where := ""
			for _, u := range parents {
				where += fmt.Sprintf(", %s=%s", c.m.Vars[u].Name, c.m.States(u)[state[u]])
			}
			const message = "row of the %s%s is undefined (NaN) and can be reached; "
			where = strings.Replace(where, ",", " at", 1)
			switch reached := c.reach(factors, parents, state) != nil; {
			case reached && policy == RowsUniform:
				c.Warnf(c.rowPos(f, r), message+"it is uniform now", c.m.FactorName(f), where)
			case reached:
				c.Errorf(c.rowPos(f, r), message+want, append([]any{c.m.FactorName(f), where}, options...)...)
			}
		}
		c.m.Next(parents, state)
	}
}

// defined returns the table with uniform rows in place of undefined ones.
func (d *Table) defined(card int) *Table {
	values := slices.Clone(d.Values)
	for i, x := range values {
		if math.IsNaN(x) {
			values[i] = 1 / float64(card)
		}
	}
	return &Table{values}
}

// defined returns the CPD with its first defined row in place of undefined ones: nothing reaches
// them, and no number gets another size by them. Without a defined row they are standard normal.
func (d *Gaussian) defined() *Gaussian {
	mean, coef, variance := 0.0, make([]float64, len(d.Coef)/len(d.Mean)), 1.0
	if r := slices.IndexFunc(d.Mean, func(x float64) bool { return !math.IsNaN(x) }); r >= 0 {
		mean, coef, variance = d.Row(r)
	}
	out := &Gaussian{}
	for r := range d.Mean {
		m, by, v := d.Row(r)
		if math.IsNaN(m) {
			m, by, v = mean, coef, variance
		}
		out.Mean, out.Coef, out.Var = append(out.Mean, m), append(out.Coef, by...), append(out.Var, v)
	}
	return out
}

// maxReach bounds the joint states of parents that reach looks at; beyond, it finds a case.
const maxReach = 1 << 20

// reach returns a case in which vars are in their states together, or nil if the product of the
// CPDs among factors, in which an undefined number counts as positive, has no positive term. It
// looks at a variable after its children, and only at parents' states that explain its own.
func (c *checker) reach(factors []*Factor, vars []VarID, state []int) *reach {
	cpd := map[VarID]*Factor{}
	for _, f := range factors {
		cpd[f.ChildVar()] = f
	}
	known := make([]bool, len(c.m.Vars))
	state = slices.Clone(state)
	for _, v := range vars {
		known[v] = true
	}
	r := &reach{m: c.m, cpd: cpd, known: known, state: state, order: c.m.Topological(), left: maxReach}
	if !r.explain(len(r.order)) {
		return nil
	}
	return r
}

// reach is a search for states of parents that explain known states.
type reach struct {
	m     *Model
	cpd   map[VarID]*Factor
	known []bool // by variable: its state is known, or chosen
	state []int
	order []VarID // parents before children
	left  int     // the joint states of parents that it may still look at
}

// explain reports whether the known states of the first variables of the order can be explained.
func (r *reach) explain(at int) bool {
	for at--; at >= 0 && (!r.known[r.order[at]] || r.cpd[r.order[at]] == nil); at-- {
	}
	if at < 0 {
		return true
	}
	f := r.cpd[r.order[at]]
	if _, dense := f.Dist.(dense); dense {
		return r.explain(at)
	}
	var free []VarID
	for _, u := range f.Parents() {
		if !r.known[u] {
			free = append(free, u)
			r.state[u] = 0
		}
	}
	n, _ := r.m.TableSize(free)
	var fits [][]int
	for range n {
		if r.left--; r.left < 0 {
			return true
		}
		if x := f.Dist.value(r.m, f, r.state); x > 0 || math.IsNaN(x) {
			fits = append(fits, pick(r.state, free))
		}
		r.m.Next(free, r.state)
	}
	if len(fits) == n {
		return r.explain(at) // whatever the parents are
	}
	for _, u := range free {
		r.known[u] = true
	}
	for _, states := range fits {
		for i, u := range free {
			r.state[u] = states[i]
		}
		if r.explain(at) {
			return true
		}
	}
	for _, u := range free {
		r.known[u] = false
	}
	return false
}

// pick returns the states of vars.
func pick(state []int, vars []VarID) []int {
	out := make([]int, len(vars))
	for i, v := range vars {
		out[i] = state[v]
	}
	return out
}
