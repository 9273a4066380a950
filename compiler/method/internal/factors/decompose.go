// Package factors decomposes factors for methods that read them in parts, lays out their tables,
// and traverses the factor graph.
//
// It changes no distribution: the product of the parts, summed over their auxiliary variables, is
// the factor.
package factors

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// localGain is how many times larger than its parts the table of a factor must be for the factor to
// be decomposed. Parts bring auxiliary variables, for which an elimination order must be found.
const localGain = 2

// maxPaths is the largest number of paths of a tree that become states of an auxiliary variable.
// The tries of circuits store such a state in 16 bits.
const maxPaths = 1 << 16

// Decompose returns a model in which factors whose tables are large are replaced by several factors
// over few variables each. These are CPDs that combine one parent after the other (noisy-max), and
// factors that choose between paths: trees, and potentials of features of which exactly one holds
// at a time. The parts bring auxiliary variables, which are to be summed out; their numbers follow
// those of p's variables. All values are at least 0, as circuits and messages require, so the usual
// factorization of noisy-max into a difference of two products (Diez and Galan 2003) is not used.
// If parameters are variable, Decompose returns the model unchanged, because they are numbers of
// whole tables.
//
// The result is valid for sums only. The maximum of a product over an auxiliary variable is not the
// maximum of its sum, so most probable completions cannot be computed from it.
func Decompose(p *ir.Problem) *model.Model { return decompose(p, true) }

// DecomposeTrees is Decompose only for trees and features. At most one of their paths agrees with
// any joint state of the other variables, so the result is also valid for maxima.
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

// Trees is Decompose for methods that average over a factor instead of multiplying it. It returns
// the model with an auxiliary variable for each decomposed tree and with its factors unchanged. The
// slice parts holds, by factor, the parts of such a tree, and nil for other factors. The first part
// holds the numbers of the leaves, over the path and the child. Each other part says which states
// of a tested variable agree with which paths. Trees for which skip returns true are not
// decomposed; skip may be nil.
func Trees(m *model.Model, skip func(m *model.Model, f *model.Factor) bool) (with *model.Model, parts [][]*model.Factor) {
	l := &local{m: *m}
	l.m.Vars = slices.Clone(m.Vars)
	for _, f := range m.Factors {
		var list []*model.Factor
		if d, ok := f.Dist.(*model.Tree); ok && (skip == nil || !skip(m, f)) {
			if list = l.paths(f, d.Paths(&l.m, f, l.mostPaths(f))); len(list) == 1 {
				list = nil
			}
		}
		parts = append(parts, list)
	}
	return &l.m, parts
}

// Causes is Decompose for methods that draw a variable given its parents. It decomposes only
// noisy-max CPDs, into parts that each define the last variable of their scope given the others. It
// returns the model with the auxiliary variables, and by factor of m the indices of its parts.
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

// local is the model under construction.
type local struct{ m model.Model }

// smaller reports whether parts of that many numbers are to replace the table of f.
func (l *local) smaller(f *model.Factor, numbers int) bool {
	n, ok := l.m.TableSize(f.Scope)
	return !ok || n/localGain > numbers
}

// auxiliary adds an auxiliary variable.
func (l *local) auxiliary(f *model.Factor, what string, states int) model.VarID {
	names := make([]string, states)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	v := l.m.NewVar(fmt.Sprintf("%s of %s", what, l.m.FactorName(f)), names...)
	v.Latent = true
	return v.ID
}

// chain decomposes a CPD that combines its parents one by one. Each partial result is an auxiliary
// variable that depends on the previous one and on a parent, and the last is the child.
func (l *local) chain(f *model.Factor, d model.Sequential) []*model.Factor {
	k, parents := l.m.Card(f.ChildVar()), f.Parents()
	numbers := 0
	for i, u := range parents {
		numbers += l.m.Card(u) * k
		if i > 0 {
			numbers += l.m.Card(u) * k * (k - 1)
		}
	}
	if len(parents) < 3 || !l.smaller(f, numbers) {
		return []*model.Factor{f}
	}
	var parts []*model.Factor
	last := model.VarID(-1) // the partial result so far, or -1
	for i, values := range d.Links(&l.m, f) {
		next := f.ChildVar()
		if i < len(parents)-1 {
			next = l.auxiliary(f, fmt.Sprintf("maximum of %d causes", i+1), k)
		}
		g := &model.Factor{Child: -1, Scope: []model.VarID{parents[i], next}, Dist: &model.Table{Values: values}, Pos: f.Pos}
		if last >= 0 {
			g.Scope = []model.VarID{parents[i], last, next}
		}
		parts, last = append(parts, g), next
	}
	return parts
}

// paths decomposes a tree by an auxiliary variable whose states are the paths of list. The first
// part holds the numbers of the leaves. There is one more part for each tested variable, which is 1
// if a state agrees with a path and 0 otherwise. The result is f itself if there are fewer than two
// paths or the parts are not smaller.
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
	if !l.smaller(f, numbers+width*len(list)) {
		return same
	}
	path := l.auxiliary(f, "path", len(list))
	leaves := &model.Factor{Child: -1, Scope: []model.VarID{path}, Pos: f.Pos}
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
				agrees := 0.0
				if p.States[axis] == nil || p.States[axis][s] {
					agrees = 1
				}
				table = append(table, agrees)
			}
		}
		parts = append(parts, &model.Factor{Child: -1, Scope: []model.VarID{v, path}, Dist: &model.Table{Values: table}, Pos: f.Pos})
	}
	return parts
}

// mostPaths returns the largest number of paths of f that are worth a variable: the number of its
// joint states.
func (l *local) mostPaths(f *model.Factor) int {
	if n, fits := l.m.TableSize(f.Scope); fits {
		return min(maxPaths-1, n)
	}
	return maxPaths - 1
}
