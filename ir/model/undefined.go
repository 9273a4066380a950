package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// The rows of a CPD in a [Table] may be undefined: all their numbers are NaN. Estimates from counts
// are so for states of the parents that the data lack, as in R's bnlearn. [Model.NormalizeRows]
// replaces them by uniform rows, and refuses them if the joint distribution gives the states of the
// parents a positive probability.

// Undefined returns the first CPD with an undefined row, or nil.
func (m *Model) Undefined() *Factor {
	factors := m.Factors
	if m.Transition != nil {
		factors = slices.Concat(factors, m.Transition.Factors)
	}
	for _, f := range factors {
		if d, ok := f.Dist.(*Table); ok && slices.ContainsFunc(d.Values, math.IsNaN) {
			return f
		}
	}
	return nil
}

// undefined reports whether a row of f may be undefined and is.
func (c *checker) undefined(f *Factor, row []float64) bool {
	_, table := f.Dist.(*Table)
	return table && f.Child >= 0 && c.m.Kind == Bayes && !slices.ContainsFunc(row, func(x float64) bool { return !math.IsNaN(x) })
}

// define returns f, one of factors, with uniform rows in place of undefined ones. It reports the
// rows that can be reached.
func (c *checker) define(policy Rows, f *Factor, factors []*Factor) *Factor {
	d, ok := f.Dist.(*Table)
	if !ok || !slices.ContainsFunc(d.Values, math.IsNaN) {
		return f
	}
	g, parents, state := *f, f.Parents(), make([]int, len(c.m.Vars))
	values := slices.Clone(d.Values)
	for r, row := range d.rows(c.m, f) {
		if c.undefined(f, row) {
			where := ""
			for _, u := range parents {
				where += fmt.Sprintf(", %s=%s", c.m.Vars[u].Name, c.m.States(u)[state[u]])
			}
			const message = "row of the %s%s is undefined (NaN) and can be reached; "
			where = strings.Replace(where, ",", " at", 1)
			switch reached := c.reaches(factors, parents, state); {
			case reached && policy == RowsUniform:
				c.Warnf(c.rowPos(f, r), message+"it is uniform now", c.m.FactorName(f), where)
			case reached:
				c.Errorf(c.rowPos(f, r), message+"want numbers, or %v", c.m.FactorName(f), where, diag.Option{Name: "rows", Value: "uniform"})
			}
		}
		c.m.Next(parents, state)
	}
	for i, x := range values {
		if math.IsNaN(x) {
			values[i] = 1 / float64(c.m.Card(f.ChildVar()))
		}
	}
	g.Dist = &Table{values}
	return &g
}

// maxReach bounds the joint states of parents that reaches looks at; beyond, it reports true.
const maxReach = 1 << 20

// reaches reports whether vars can be in their states together: whether the product of the CPDs
// among factors, in which an undefined number counts as positive, has a positive term. It looks at
// a variable after its children, and only at parents' states that explain its own.
func (c *checker) reaches(factors []*Factor, vars []VarID, state []int) bool {
	cpd := map[VarID]*Factor{}
	for _, f := range factors {
		cpd[f.ChildVar()] = f
	}
	known := make([]bool, len(c.m.Vars))
	state = slices.Clone(state)
	for _, v := range vars {
		known[v] = true
	}
	order, left := c.m.Topological(), maxReach
	var explain func(at int) bool
	explain = func(at int) bool {
		for at--; at >= 0 && (!known[order[at]] || cpd[order[at]] == nil); at-- {
		}
		if at < 0 {
			return true
		}
		f := cpd[order[at]]
		if _, dense := f.Dist.(dense); dense {
			return explain(at)
		}
		var free []VarID
		for _, u := range f.Parents() {
			if !known[u] {
				free = append(free, u)
				state[u] = 0
			}
		}
		n, _ := c.m.TableSize(free)
		var fits [][]int
		for range n {
			if left--; left < 0 {
				return true
			}
			if x := f.Dist.value(c.m, f, state); x > 0 || math.IsNaN(x) {
				fits = append(fits, pick(state, free))
			}
			c.m.Next(free, state)
		}
		if len(fits) == n {
			return explain(at) // whatever the parents are
		}
		for _, u := range free {
			known[u] = true
		}
		for _, states := range fits {
			for i, u := range free {
				state[u] = states[i]
			}
			if explain(at) {
				return true
			}
		}
		for _, u := range free {
			known[u] = false
		}
		return false
	}
	return explain(len(order))
}

// pick returns the states of vars.
func pick(state []int, vars []VarID) []int {
	out := make([]int, len(vars))
	for i, v := range vars {
		out[i] = state[v]
	}
	return out
}
