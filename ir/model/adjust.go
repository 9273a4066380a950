package model

import "slices"

// Adjusts reports whether adjustment for the variables of set gives the effect of an intervention
// on x for y in every Bayesian network of the graph: whether P(y | do(x)) is the sum over the
// states z of set of P(y | x, z) P(z). x and y must differ and not be in set.
//
// Source: Shpitser, VanderWeele and Robins 2010, On the validity of covariate adjustment for
// estimating causal effects; van der Zander, Liśkiewicz and Textor 2014, section 3: set holds no
// descendant of a variable on a directed path from x to y, and separates the two once the first
// edges of these paths are gone.
func (g *Graph) Adjusts(x, y VarID, set []VarID) bool {
	forbidden := g.afterCause(x, y)
	if slices.ContainsFunc(set, func(v VarID) bool { return forbidden[v] }) {
		return false
	}
	return g.backDoor(x, y).ActiveTrail(x, y, set) == nil
}

// Causes reports whether a directed path leads from x to y. If none does, no intervention on x
// changes y.
func (g *Graph) Causes(x, y VarID) bool { return g.ancestors([]VarID{y})[x] }

// mostChecked bounds the sets that AdjustmentSets looks at: some seconds on 1,000 variables.
const mostChecked = 20_000

// AdjustmentSets returns the smallest sets of the variables for which usable is true that adjust
// for the effect of x on y, see [Graph.Adjusts], by size and then by variable: sets without a part
// that adjusts. all reports whether there are no others. If there are too many variables to look at
// all sets, the result may be one that loses its property with any variable less. It is nil if no
// set adjusts.
func (g *Graph) AdjustmentSets(x, y VarID, usable []bool, most int) (sets [][]VarID, all bool) {
	back, forbidden := g.backDoor(x, y), g.afterCause(x, y)
	separates := func(set []VarID) bool { return back.ActiveTrail(x, y, set) == nil }
	var from []VarID // minimal separators are ancestors of x and y
	for v, is := range g.ancestors([]VarID{x, y}) {
		if v := VarID(v); is && usable[v] && !forbidden[v] && v != x && v != y {
			from = append(from, v)
		}
	}
	if !separates(from) { // then no part of from does either
		return nil, true
	}
	checked := 0
	for size := 0; size <= len(from); size++ {
		for set := range subsets(from, size) {
			if checked++; len(sets) == most || checked > mostChecked {
				return orLess(sets, from, separates), false
			}
			if !slices.ContainsFunc(sets, func(s []VarID) bool { return containsAll(set, s) }) && separates(set) {
				sets = append(sets, set)
			}
		}
	}
	return sets, true
}

// orLess returns sets, or if there are none, the set from without its unneeded variables.
func orLess(sets [][]VarID, from []VarID, separates func([]VarID) bool) [][]VarID {
	if sets != nil {
		return sets
	}
	set := slices.Clone(from)
	for i := len(set) - 1; i >= 0; i-- {
		if less := slices.Delete(slices.Clone(set), i, i+1); separates(less) {
			set = less
		}
	}
	return [][]VarID{set}
}

// subsets returns the subsets of a size, in lexical order.
func subsets(from []VarID, size int) func(yield func([]VarID) bool) {
	return func(yield func([]VarID) bool) {
		at := make([]int, size)
		for i := range at {
			at[i] = i
		}
		for {
			set := make([]VarID, size)
			for i, k := range at {
				set[i] = from[k]
			}
			if !yield(set) {
				return
			}
			i := size - 1
			for i >= 0 && at[i] == len(from)-size+i {
				i--
			}
			if i < 0 {
				return
			}
			at[i]++
			for j := i + 1; j < size; j++ {
				at[j] = at[j-1] + 1
			}
		}
	}
}

func containsAll(set, part []VarID) bool {
	return !slices.ContainsFunc(part, func(v VarID) bool { return !slices.Contains(set, v) })
}

// descendants marks vars and their descendants.
func (g *Graph) descendants(vars []VarID) []bool {
	in := make([]bool, g.len())
	for list := slices.Clone(vars); len(list) > 0; {
		v := list[len(list)-1]
		list = list[:len(list)-1]
		if !in[v] {
			list = append(list, g.Children[v]...)
		}
		in[v] = true
	}
	return in
}

// afterCause marks the variables on directed paths from x to y, but x, and their descendants.
func (g *Graph) afterCause(x, y VarID) []bool {
	before, after := g.ancestors([]VarID{y}), g.descendants([]VarID{x})
	var on []VarID
	for v := range before {
		if before[v] && after[v] && VarID(v) != x {
			on = append(on, VarID(v))
		}
	}
	return g.descendants(on)
}

// backDoor returns the graph without the edges from x that begin a directed path to y.
func (g *Graph) backDoor(x, y VarID) *Graph {
	before := g.ancestors([]VarID{y})
	out := &Graph{Kind: g.Kind, Parents: slices.Clone(g.Parents), Children: slices.Clone(g.Children)}
	out.Children[x] = nil
	for _, c := range g.Children[x] {
		if !before[c] {
			out.Children[x] = append(out.Children[x], c)
			continue
		}
		out.Parents[c] = slices.DeleteFunc(slices.Clone(g.Parents[c]), func(p VarID) bool { return p == x })
	}
	return out
}
