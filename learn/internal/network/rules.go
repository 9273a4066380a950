package network

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
)

// Rules holds the edges that a structure must have and must not have. No edge leads from a real
// variable to a discrete one unless softmax CPDs are allowed.
type Rules struct {
	Required, Forbidden map[[2]int]bool

	vars  []data.Var
	order [][2]int // the required edges, as given
}

// NewRules reads lists of edges. No edge may be in both lists, and the required ones must not form
// a cycle. Edges from real to discrete variables are forbidden unless softmax is set.
func NewRules(vars []data.Var, required, forbidden string, softmax bool) (*Rules, error) {
	r := &Rules{vars: vars, Required: map[[2]int]bool{}, Forbidden: map[[2]int]bool{}}
	not, err := edges(vars, forbidden)
	if err != nil {
		return nil, fmt.Errorf("forbidden: %w", err)
	}
	for _, e := range not {
		r.Forbidden[e] = true
	}
	if r.order, err = edges(vars, required); err != nil {
		return nil, fmt.Errorf("required: %w", err)
	}
	for _, e := range r.order {
		if r.Forbidden[e] {
			return nil, fmt.Errorf("edge %s is both required and forbidden", r.name(e))
		}
		r.Required[e] = true
	}
	if !softmax {
		if err := r.keepReals(); err != nil {
			return nil, err
		}
	}
	if err := r.keepBefore(); err != nil {
		return nil, err
	}
	_, err = r.Impose(make([][]int, len(vars)))
	return r, err
}

// edges reads a list of edges. In data of single slices it leaves out those from the slice before.
func edges(vars []data.Var, list string) ([][2]int, error) {
	all, err := data.Edges(vars, list)
	if err == nil || slices.ContainsFunc(vars, func(v data.Var) bool { return v.Before }) {
		return all, err
	}
	known := slices.Clone(vars)
	for _, v := range vars {
		known = append(known, data.Var{Name: model.NameBefore(v.Name)})
	}
	all, failed := data.Edges(known, list)
	if failed != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(e [2]int) bool { return max(e[0], e[1]) >= len(vars) }), nil
}

// keepBefore forbids edges to variables of the slice before.
func (r *Rules) keepBefore() error {
	for y, to := range r.vars {
		for x := range r.vars {
			if e := [2]int{x, y}; to.Before && r.Required[e] {
				return fmt.Errorf("edge %s is required, and nothing can be a parent of a variable a slice ago", r.name(e))
			} else if to.Before {
				r.Forbidden[e] = true
			}
		}
	}
	return nil
}

// keepReals forbids edges from real to discrete variables, for which there are no CPDs.
func (r *Rules) keepReals() error {
	for x, from := range r.vars {
		if !from.Real {
			continue
		}
		for y, to := range r.vars {
			if to.Real {
				continue
			}
			if r.Required[[2]int{x, y}] {
				return fmt.Errorf("edge %s is required, and a real variable can't be a parent of a discrete one", r.name([2]int{x, y}))
			}
			r.Forbidden[[2]int{x, y}] = true
		}
	}
	return nil
}

func (r *Rules) name(e [2]int) string {
	return fmt.Sprintf("%s->%s", r.vars[e[0]].Name, r.vars[e[1]].Name)
}

// Impose removes the forbidden edges from a structure and adds the required ones. It returns an
// error if that makes a cycle.
func (r *Rules) Impose(parents [][]int) ([][]int, error) {
	parents = graph.Clone(parents)
	for y, p := range parents {
		parents[y] = slices.DeleteFunc(p, func(x int) bool { return r.Forbidden[[2]int{x, y}] })
	}
	for _, e := range r.order {
		if slices.Contains(parents[e[1]], e[0]) {
			continue
		}
		if graph.Reaches(parents, e[1], e[0]) {
			return nil, fmt.Errorf("required edge %s closes a cycle with the other edges", r.name(e))
		}
		parents[e[1]] = append(parents[e[1]], e[0])
	}
	return parents, nil
}
