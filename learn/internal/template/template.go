// Package template treats a network with a transition as the static network of its first two
// slices, so that parameters are fitted, tied and reported as in other networks.
//
// The static network has a factor for each CPD of slice 0, and then one for each CPD of the
// transition. Only the shapes and numbers of its CPDs count: nothing infers in it.
package template

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Ties says which CPDs of slice 0 share their numbers with the CPD of the same variable in later
// slices. Both must have parents only in their own slice, the same ones in the same order.
type Ties uint8

// The ties.
const (
	Equal Ties = iota // those that have equal numbers in the model
	All               // all of them
	None
)

// Static returns the static network of the model: Unroll(2), in which CPDs of slice 0 are tied to
// CPDs of the transition as ties and the groups of more say. The groups are of variables of the
// static network.
func Static(m *model.Model, ties Ties, more [][]model.VarID) *model.Model {
	out := m.Unroll(2)
	n := model.VarID(len(m.Vars))
	groups := append(slices.Clone(out.Tied), more...)
	for _, f := range out.Factors[:len(m.Factors)] {
		g := out.CPD(f.ChildVar() + n)
		if ties != None && g != nil && within(f, g, n) && (ties == All || slices.Equal(numbers(f), numbers(g))) {
			groups = append(groups, []model.VarID{f.ChildVar(), g.ChildVar()})
		}
	}
	out.Tied = merged(groups)
	return out
}

// within reports whether the CPD g is over the variables of f, n variables later, and both are
// tables or Gaussian.
func within(f, g *model.Factor, n model.VarID) bool {
	_, table := f.Table()
	_, other := g.Table()
	alike := table && other || f.Gaussian() != nil && g.Gaussian() != nil
	return alike && f.Child == g.Child &&
		slices.EqualFunc(f.Scope, g.Scope, func(u, v model.VarID) bool { return u+n == v })
}

// numbers returns the numbers of a table or a Gaussian CPD.
func numbers(f *model.Factor) []float64 {
	if d := f.Gaussian(); d != nil {
		return d.Columns()
	}
	values, _ := f.Table()
	return values
}

// merged joins groups that share variables, and drops groups of one variable.
func merged(groups [][]model.VarID) [][]model.VarID {
	var out [][]model.VarID
	for _, g := range groups {
		g = slices.Clone(g)
		out = slices.DeleteFunc(out, func(other []model.VarID) bool {
			shares := slices.ContainsFunc(other, func(v model.VarID) bool { return slices.Contains(g, v) })
			if shares {
				g = append(g, other...)
			}
			return shares
		})
		slices.Sort(g)
		if g = slices.Compact(g); len(g) > 1 {
			out = append(out, g)
		}
	}
	return out
}

// Fill returns the model with the numbers and the counts of its static network.
func Fill(m, static *model.Model) *model.Model {
	out, transition := *m, *m.Transition
	fill := func(list, from []*model.Factor) []*model.Factor {
		filled := make([]*model.Factor, len(list))
		for i, f := range list {
			g := *f
			g.Dist, g.Counts, g.RowPos = from[i].Dist, from[i].Counts, from[i].RowPos
			filled[i] = &g
		}
		return filled
	}
	out.Factors = fill(m.Factors, static.Factors)
	transition.Factors = fill(transition.Factors, static.Factors[len(m.Factors):])
	out.Transition = &transition
	return &out
}

// Sticky returns, by factor of the static network of m, pseudo-counts of a variable staying as it
// is: size for each joint state in which the child of a CPD of the transition has the state that it
// had a slice ago. Only tables have them.
func Sticky(m, static *model.Model, size float64) [][]float64 {
	out := make([][]float64, len(static.Factors))
	n := model.VarID(len(m.Vars))
	state := make([]int, len(static.Vars))
	for i, f := range static.Factors {
		v := f.ChildVar()
		values, table := f.Table()
		if !table || v < n || !slices.Contains(f.Scope, v-n) {
			continue
		}
		out[i] = make([]float64, len(values))
		clear(state)
		for at := range values {
			if state[v] == state[v-n] {
				out[i][at] = size
			}
			static.Next(f.Scope, state)
		}
	}
	return out
}
