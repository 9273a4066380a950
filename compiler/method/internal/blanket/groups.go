package blanket

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// A group of variables that are drawn together has at most groupStates joint states and groupVars
// variables. Groups decides for factors of up to supportStates joint states whether single changes
// connect their possible states.
const (
	groupStates   = 512
	groupVars     = 9
	supportStates = 1 << 14
)

// Groups partitions the discrete variables into groups that are drawn together, in the order of the
// model. It also returns the factors, ascending, with zeros that keep variables of different groups
// from changing one at a time. In a dependency network every variable is a group, by definition of
// its sampler.
func Groups(m *model.Model) (groups [][]model.VarID, wide []int) {
	group := make([][]model.VarID, len(m.Vars)) // by variable
	for v := range group {
		group[v] = []model.VarID{model.VarID(v)}
	}
	for _, n := range disconnectedSupport(m) {
		union, cut := together(m, group, m.Factors[n].Scope)
		if cut {
			wide = append(wide, n)
			continue
		}
		for _, v := range union {
			group[v] = union
		}
	}
	for v, g := range group {
		if g[0] == model.VarID(v) && !m.IsReal(g[0]) {
			groups = append(groups, g)
		}
	}
	slices.Sort(wide)
	return groups, wide
}

// together returns the union of the groups of a scope, ascending. It reports cut if the union is
// too large.
func together(m *model.Model, group [][]model.VarID, scope []model.VarID) (union []model.VarID, cut bool) {
	for _, v := range scope {
		union = append(union, group[v]...)
	}
	slices.Sort(union)
	union = slices.Compact(union)
	states, ok := m.TableSize(union)
	return union, !ok || states > groupStates || len(union) > groupVars
}

// disconnectedSupport lists the factors with possible states that are not connected by changes of
// one variable at a time, the smallest first. States are possible if their value is not 0.
func disconnectedSupport(m *model.Model) (list []int) {
	if m.Kind == model.Dependency {
		return nil
	}
	for n, f := range m.Factors {
		if !hasReals(m, f) && f.Dist.HasZeros() && !connected(m, f) {
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(m.LogTableSize(m.Factors[a].Scope), m.LogTableSize(m.Factors[b].Scope))
	})
	return list
}

// connected reports whether changes of one variable at a time lead from every possible state of f
// to every other. It returns false if f has more than supportStates joint states.
func connected(m *model.Model, f *model.Factor) bool {
	size, ok := m.TableSize(f.Scope)
	if !ok || size > supportStates {
		return false
	}
	open := make([]bool, size) // possible and not yet reached
	state := make([]int, len(m.Vars))
	first := -1
	for i := range open {
		if open[i] = m.Value(f, state) > 0; open[i] && first < 0 {
			first = i
		}
		m.Next(f.Scope, state)
	}
	if first < 0 {
		return true
	}
	open[first] = false
	for queue := []int{first}; len(queue) > 0; {
		at := queue[0]
		queue = queue[1:]
		stride := 1
		for i := len(f.Scope) - 1; i >= 0; i-- {
			card := m.Card(f.Scope[i])
			line := at - at/stride%card*stride
			for s := range card {
				if next := line + s*stride; open[next] {
					open[next] = false
					queue = append(queue, next)
				}
			}
			stride *= card
		}
	}
	return !slices.Contains(open, true)
}
