package hillclimb

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/graph"
	"github.com/pgmc-go/pgmc/learn/network"
)

// rules says which edges must be there, and which must not.
type rules struct {
	vars                []data.Var
	order               [][2]int // the required ones, as they were given
	required, forbidden map[[2]int]bool
}

// newRules reads lists of edges, in which no edge may stand in both.
func newRules(vars []data.Var, required, forbidden string) (*rules, error) {
	r := &rules{vars: vars, required: map[[2]int]bool{}, forbidden: map[[2]int]bool{}}
	not, err := network.Edges(vars, forbidden)
	if err != nil {
		return nil, fmt.Errorf("forbidden: %w", err)
	}
	for _, e := range not {
		r.forbidden[e] = true
	}
	if r.order, err = network.Edges(vars, required); err != nil {
		return nil, fmt.Errorf("required: %w", err)
	}
	for _, e := range r.order {
		if r.forbidden[e] {
			return nil, fmt.Errorf("edge %s is required and forbidden", r.name(e))
		}
		r.required[e] = true
	}
	return r, nil
}

func (r *rules) name(e [2]int) string {
	return fmt.Sprintf("%s->%s", r.vars[e[0]].Name, r.vars[e[1]].Name)
}

// allow reports whether a move breaks no rule.
func (r *rules) allow(m move) bool {
	e, back := [2]int{m.x, m.y}, [2]int{m.y, m.x}
	switch m.kind {
	case add:
		return !r.forbidden[e]
	case remove:
		return !r.required[e]
	}
	return !r.required[e] && !r.forbidden[back]
}

// impose takes the forbidden edges out of a structure and puts the required ones in, which must not make a cycle.
func (r *rules) impose(parents [][]int) ([][]int, error) {
	parents = graph.Clone(parents)
	for y, p := range parents {
		parents[y] = slices.DeleteFunc(p, func(x int) bool { return r.forbidden[[2]int{x, y}] })
	}
	for _, e := range r.order {
		if slices.Contains(parents[e[1]], e[0]) {
			continue
		}
		if graph.Reaches(parents, e[1], e[0]) {
			return nil, fmt.Errorf("required edge %s makes a cycle with the other edges", r.name(e))
		}
		parents[e[1]] = append(parents[e[1]], e[0])
	}
	return parents, nil
}
