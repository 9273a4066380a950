// Package factors takes factors apart for methods that read them in parts, lays out their tables,
// and walks the graph that they and the variables form.
//
// It changes no distribution: the product of the parts, summed over the variables that they bring,
// is the factor.
package factors

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// localGain is how many times larger than its parts a table must be for its factor to be
// decomposed: parts bring variables of their own, for which an order has to be found.
const localGain = 2

// maxPaths is the most paths of a tree that become states of a variable, which the tries of
// circuits hold in 16 bits.
const maxPaths = 1 << 16

// Decompose replaces factors that are much larger as tables by factors over few variables each:
// CPDs that take in one parent after the other (noisy-max), and factors that are a choice between
// paths (trees, and potentials of features of which exactly one holds at a time). Those bring
// auxiliary variables, which are summed out and appear nowhere else: they are numbered after p's.
// All values are at least zero, as circuits and messages want, so that the difference of two
// products by which noisy-max is often factored (Diez and Galan 2003) does not serve. Parameters
// that may change are numbers of whole tables, and stay there.
//
// Only sums allow this: the largest product over an auxiliary variable is not the largest over its
// sum, so that best completions can't be had from the result.
func Decompose(p *ir.Problem) *model.Model { return decompose(p, true) }

// DecomposeTrees is Decompose for paths alone, of which one at most goes with any states of the
// other variables, so that maxima allow it too.
func DecomposeTrees(p *ir.Problem) *model.Model { return decompose(p, false) }

func decompose(p *ir.Problem, noisy bool) *model.Model {
	if p.Params == ir.Var {
		return p.Model
	}
	l := &local{m: *p.Model}
	l.m.Vars, l.m.Factors = slices.Clone(p.Model.Vars), nil
	for _, f := range p.Model.Factors {
		parts := []*model.Factor{f}
		if d, ok := f.Dist.(model.Sequential); ok && noisy {
			parts = l.chain(f, d)
		} else if d, ok := f.Dist.(model.Pathed); ok {
			parts = l.paths(f, d.Paths(&l.m, f, l.mostPaths(f)))
		}
		l.m.Factors = append(l.m.Factors, parts...)
	}
	if len(l.m.Vars) == len(p.Model.Vars) {
		return p.Model
	}
	return &l.m
}

// Trees is Decompose for methods that average over a factor instead of multiplying it: it gives the
// model with an auxiliary variable for each tree that is much larger as a table, its factors as
// they were, and by factor the parts of such a tree, nil for others. The first part has what the
// leaves hold, over the path and the child, the others say which states of a tested variable go
// with which paths. Trees of which other, which may be nil, holds stay whole.
func Trees(m *model.Model, other func(m *model.Model, f *model.Factor) bool) (with *model.Model, parts [][]*model.Factor) {
	l := &local{m: *m}
	l.m.Vars = slices.Clone(m.Vars)
	for _, f := range m.Factors {
		var list []*model.Factor
		if d, ok := f.Dist.(*model.Tree); ok && (other == nil || !other(m, f)) {
			if list = l.paths(f, d.Paths(&l.m, f, l.mostPaths(f))); len(list) == 1 {
				list = nil
			}
		}
		parts = append(parts, list)
	}
	return &l.m, parts
}

// Causes is Decompose for methods that draw a variable given its parents: only noisy-max CPDs are
// taken in parts, each of which draws the last variable of its scope given the others. It gives the
// model with the auxiliary variables, and by factor of m the numbers of its parts.
func Causes(m *model.Model) (with *model.Model, parts [][]int) {
	l := &local{m: *m}
	l.m.Vars, l.m.Factors = slices.Clone(m.Vars), nil
	for _, f := range m.Factors {
		list := []*model.Factor{f}
		if d, ok := f.Dist.(model.Sequential); ok {
			list = l.chain(f, d)
		}
		var numbers []int
		for _, g := range list {
			numbers = append(numbers, len(l.m.Factors))
			l.m.Factors = append(l.m.Factors, g)
		}
		parts = append(parts, numbers)
	}
	return &l.m, parts
}

// local is the model that decompositions go to.
type local struct{ m model.Model }

// pays reports whether parts of so many numbers take the place of f's table.
func (l *local) pays(f *model.Factor, numbers int) bool {
	n, ok := l.m.TableSize(f.Scope)
	return !ok || n/localGain > numbers
}

// hidden adds an auxiliary variable.
func (l *local) hidden(f *model.Factor, what string, states int) model.VarID {
	names := make([]string, states)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	v := l.m.NewVar(fmt.Sprintf("%s of %s", what, l.m.FactorName(f)), names...)
	v.Latent = true
	return v.ID
}

// chain takes in the parents of a CPD one by one: each partial result is a hidden variable that
// depends on the one before and on a parent, and the last is the child.
func (l *local) chain(f *model.Factor, d model.Sequential) []*model.Factor {
	k, parents := l.m.Card(f.ChildVar()), f.Parents()
	numbers := 0
	for i, u := range parents {
		numbers += l.m.Card(u) * k
		if i > 0 {
			numbers += l.m.Card(u) * k * (k - 1)
		}
	}
	if len(parents) < 3 || !l.pays(f, numbers) {
		return []*model.Factor{f}
	}
	var parts []*model.Factor
	last := model.VarID(-1) // the partial result, once there is one
	for i, values := range d.Links(&l.m, f) {
		next := f.ChildVar()
		if i < len(parents)-1 {
			next = l.hidden(f, fmt.Sprintf("maximum of %d causes", i+1), k)
		}
		g := &model.Factor{Child: -1, Scope: []model.VarID{parents[i], next}, Dist: &model.Table{Values: values}, Pos: f.Pos}
		if last >= 0 {
			g.Scope = []model.VarID{parents[i], last, next}
		}
		parts, last = append(parts, g), next
	}
	return parts
}

// paths gives a tree by an auxiliary variable that says which path is taken: one factor for each
// variable that is tested, one where a state goes with a path, and one with what the leaves hold.
// Without two paths it is f itself.
func (l *local) paths(f *model.Factor, list []model.Path) []*model.Factor {
	same := []*model.Factor{f}
	if len(list) < 2 {
		return same
	}
	width, numbers := len(list[0].Leaf), 0
	var tested []int
	for axis, v := range f.Scope {
		if slices.ContainsFunc(list, func(p model.Path) bool { return p.States[axis] != nil }) {
			tested = append(tested, axis)
			numbers += l.m.Card(v) * len(list)
		}
	}
	if !l.pays(f, numbers+width*len(list)) {
		return same
	}
	way := l.hidden(f, "path", len(list))
	leaves := &model.Factor{Child: -1, Scope: []model.VarID{way}, Pos: f.Pos}
	if f.Child >= 0 {
		leaves.Scope = append(leaves.Scope, f.ChildVar())
	}
	var values []float64
	for _, p := range list {
		values = append(values, p.Leaf...)
	}
	leaves.Dist = &model.Table{Values: values}
	parts := []*model.Factor{leaves}
	for _, axis := range tested {
		v := f.Scope[axis]
		table := make([]float64, 0, l.m.Card(v)*len(list))
		for s := range l.m.Card(v) {
			for _, p := range list {
				goes := 0.0
				if p.States[axis] == nil || p.States[axis][s] {
					goes = 1
				}
				table = append(table, goes)
			}
		}
		parts = append(parts, &model.Factor{Child: -1, Scope: []model.VarID{v, way}, Dist: &model.Table{Values: table}, Pos: f.Pos})
	}
	return parts
}

// mostPaths is the most paths of f that are worth a variable: no more than joint states.
func (l *local) mostPaths(f *model.Factor) int {
	if n, fits := l.m.TableSize(f.Scope); fits {
		return min(maxPaths-1, n)
	}
	return maxPaths - 1
}
