package exact

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
	"github.com/pgmc-go/pgmc/learn/score"
)

// part is a strongly connected part of the graph of allowed edges, or all variables. Sets of its
// variables have bits by their index in it.
type part struct {
	vars  []int   // ascending
	outer [][]int // by index: the variables outside that may be its parents
}

// whole returns all n variables as one part.
func whole(n int) part {
	p := part{outer: make([][]int, n)}
	for x := range n {
		p.vars = append(p.vars, x)
	}
	return p
}

// split returns the strongly connected parts of n variables, by their first variables.
func split(rules *network.Rules, n int) (list []part) {
	may := func(u, x int) bool { return u != x && !rules.Forbidden[[2]int{u, x}] }
	from := make([]graph.Set, n) // by variable: all that paths of allowed edges lead to
	for u := range from {
		from[u] = graph.SetOf(n, u)
		for x := range n {
			if may(u, x) {
				from[u].Add(x)
			}
		}
	}
	for by := range from {
		for _, set := range from {
			if set.Has(by) {
				set.Join(from[by])
			}
		}
	}
	for first := range n {
		var p part
		for x := range n {
			if from[first].Has(x) && from[x].Has(first) {
				p.vars = append(p.vars, x)
			}
		}
		if p.vars[0] < first {
			continue
		}
		for _, x := range p.vars {
			var outer []int
			for u := range n {
				if may(u, x) && !slices.Contains(p.vars, u) {
					outer = append(outer, u)
				}
			}
			p.outer = append(p.outer, outer)
		}
		list = append(list, p)
	}
	return list
}

// check returns an error if a part of n variables is too large, or if too many families would be
// scored for variables outside of their parts.
func (l *Options) check(list []part, n int) error {
	if len(list) == 1 && n > maxVars {
		return fmt.Errorf("the data has %d variables; want at most %d, or rules about edges that leave no cycle through more: try hillclimb", n, maxVars)
	}
	families := 0.0
	for _, p := range list {
		if len(p.vars) > maxVars {
			return fmt.Errorf("edges may lead from each of %d variables of the data to each other one, directly or by others; want at most %d, by rules about edges: try hillclimb", len(p.vars), maxVars)
		}
		for _, outer := range p.outer {
			choices := 1.0
			for k, of := 0, len(p.vars)-1+len(outer); len(list) > 1 && k <= min(l.MaxParents, of); k++ {
				families += choices
				choices *= float64(of-k) / float64(k+1)
			}
		}
	}
	if families > parentsets.MaxSets {
		return fmt.Errorf("there are %.3g families with at most %d parents; want at most %g: fewer parents, or more rules about edges", families, l.MaxParents, float64(parentsets.MaxSets))
	}
	return nil
}

// members lists the variables of a set.
func (p *part) members(set uint32) (list []int) {
	for i, x := range p.vars {
		if set>>i&1 == 1 {
			list = append(list, x)
		}
	}
	return list
}

// best returns the best parents outside of the part of the variable with an index, which has the
// parents of a set in the part, and the score of the family. ok is false if no family fits that has
// the required parents and at most most ones.
func (p *part) best(s *score.Scorer, x int, set uint32, most int, required []int, tie float64) (outer []int, f float64, ok bool) {
	inner := p.members(set)
	f = math.Inf(-1)
	var extend func(added []int, from int)
	extend = func(added []int, from int) {
		all := slices.Concat(inner, added)
		slices.Sort(all)
		if s.Fits(p.vars[x], all...) && !slices.ContainsFunc(required, func(u int) bool { return !slices.Contains(added, u) }) {
			if g := s.Family(p.vars[x], all...); !ok || g > f+tie {
				outer, f, ok = slices.Clone(added), g, true
			}
		}
		for i := from; i < len(p.outer[x]) && len(all) < most; i++ {
			extend(append(added, p.outer[x][i]), i+1)
		}
	}
	extend(nil, 0)
	return outer, f, ok
}
