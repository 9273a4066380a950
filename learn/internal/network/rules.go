package network

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/forest"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Rules holds the edges that a structure must have and must not have. No edge leads from a real
// variable to a discrete one unless softmax CPDs are allowed.
type Rules struct {
	Required, Forbidden map[[2]int]bool

	vars  []data.Var
	order [][2]int // the required edges, as given
}

// Canonical is [Common.Canonical] for learners without a score.
func Canonical(ctx context.Context, job *learner.Job, c learner.Constraints, softmax bool, learn func(context.Context, *learner.Job) (*learner.Result, error)) (*learner.Result, error) {
	if _, err := NewRules(job.Train.Vars, c, softmax); err != nil {
		return nil, err
	}
	return job.Canonical(ctx, false, learn)
}

// NewRules reads constraints. No edge may be both required and forbidden, and the required ones
// must not form a cycle. Edges from real to discrete variables are forbidden unless softmax is set.
func NewRules(vars []data.Var, c learner.Constraints, softmax bool) (*Rules, error) {
	r := &Rules{vars: vars, Required: map[[2]int]bool{}, Forbidden: map[[2]int]bool{}}
	not, err := edges(vars, c.Forbid)
	if err != nil {
		return nil, fmt.Errorf("forbidden: %w", err)
	}
	for _, e := range not {
		r.Forbidden[e] = true
	}
	if err := r.keepAllowed(c.Allow); err != nil {
		return nil, fmt.Errorf("allowed: %w", err)
	}
	if err := r.keepTiers(c.Tiers); err != nil {
		return nil, fmt.Errorf("tiers: %w", err)
	}
	if r.order, err = edges(vars, c.Require); err != nil {
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

// keepAllowed forbids all edges that a list lacks, unless it is empty.
func (r *Rules) keepAllowed(list string) error {
	items, err := data.Items(list)
	if err != nil || len(items) == 0 {
		return err
	}
	allowed := map[[2]int]bool{}
	for _, item := range items {
		both, err := edgesOf(r.vars, item)
		if err != nil {
			return err
		}
		for _, e := range both {
			allowed[e] = true
		}
	}
	for x := range r.vars {
		for y := range r.vars {
			if e := [2]int{x, y}; !allowed[e] {
				r.Forbidden[e] = true
			}
		}
	}
	return nil
}

// keepTiers forbids edges from later tiers to earlier ones.
func (r *Rules) keepTiers(list string) error {
	tiers := make([]int, len(r.vars)) // by variable, from 1; 0 for none
	for i, part := range splitTiers(list) {
		names, err := data.Names(r.vars, part)
		if err != nil {
			return err
		}
		for _, v := range names {
			if tiers[v] > 0 {
				return fmt.Errorf("%q is in two tiers", r.vars[v].Name)
			}
			tiers[v] = i + 1
		}
	}
	for x, late := range tiers {
		for y, early := range tiers {
			if early > 0 && late > early {
				r.Forbidden[[2]int{x, y}] = true
			}
		}
	}
	return nil
}

// splitTiers splits a list at each < outside of quotes.
func splitTiers(list string) []string {
	quoted := false
	return strings.FieldsFunc(list, func(c rune) bool {
		quoted = quoted != (c == '"')
		return c == '<' && !quoted
	})
}

// None reports whether there are no rules.
func (r *Rules) None() bool { return len(r.Forbidden) == 0 && len(r.order) == 0 }

// ParentsOf returns the required parents of a variable, ascending.
func (r *Rules) ParentsOf(y int) (list []int) {
	for _, e := range r.order {
		if e[1] == y && !slices.Contains(list, e[0]) {
			list = append(list, e[0])
		}
	}
	slices.Sort(list)
	return list
}

// fit returns an error if the required edges give a variable more than most parents.
func (r *Rules) fit(most int) error {
	for y := range r.vars {
		if n := len(r.ParentsOf(y)); n > most {
			return fmt.Errorf("%q has %d required parents; want at most %d", r.vars[y].Name, n, most)
		}
	}
	return nil
}

// Forest returns the parents in the best forest of all variables except one, or of all if that is
// negative: no forest that keeps the rules has a larger sum of weights. weight returns the weight
// of an edge, and ok false if it may not be.
func (r *Rules) Forest(except int, weight func(parent, child int) (w float64, ok bool)) ([][]int, error) {
	n := len(r.vars)
	weights, required, sum := make([]float64, n*n), make([]bool, n), 1.0
	for y := range n {
		list := slices.DeleteFunc(r.ParentsOf(y), func(x int) bool { return x == except })
		if len(list) > 1 {
			return nil, fmt.Errorf("%q has %d required parents; want at most 1 in a forest", r.vars[y].Name, len(list))
		}
		required[y] = len(list) == 1
		for x := range n {
			if x == y || x == except || y == except || required[y] && list[0] != x {
				continue
			}
			if w, ok := weight(x, y); ok {
				weights[x*n+y] = w
				sum += max(0, w)
			}
		}
	}
	for _, e := range r.order {
		if e[0] != except && e[1] != except {
			weights[e[0]*n+e[1]] = sum // more than all others together
		}
	}
	parents := make([][]int, n)
	for y, x := range forest.Branching(n, func(x, y int) float64 { return weights[x*n+y] }) {
		if x >= 0 {
			parents[y] = []int{x}
		}
	}
	return parents, nil
}

// Agree returns an error if a required edge goes against an order of all variables.
func (r *Rules) Agree(order []int) error {
	for _, e := range r.order {
		if slices.Index(order, e[0]) > slices.Index(order, e[1]) {
			return fmt.Errorf("edge %s is required, and the order has %q first; want an order with parents before children", r.name(e), r.vars[e[1]].Name)
		}
	}
	return nil
}

// Sort returns the variables in an order with the ends of required edges in their directions, and
// otherwise as near to the given one as that allows.
func (r *Rules) Sort(order []int) []int {
	if len(r.order) == 0 {
		return order
	}
	out, done := make([]int, 0, len(order)), make([]bool, len(order))
	var add func(v int)
	add = func(v int) {
		if done[v] {
			return
		}
		done[v] = true
		for _, u := range r.ParentsOf(v) {
			add(u)
		}
		out = append(out, v)
	}
	for _, v := range order {
		add(v)
	}
	return out
}

// Direct returns a class with the directions that the rules ask for, and those that follow from
// them. ok is false if no structure of the class keeps the rules.
func (r *Rules) Direct(class *graph.Partial) (directed *graph.Partial, ok bool) {
	p := class.Clone()
	for _, e := range class.Edges() {
		there, back := [2]int{e.A, e.B}, [2]int{e.B, e.A}
		switch {
		case e.Directed:
		case r.Required[there] || r.Forbidden[back]:
			p.Direct(e.A, e.B)
		case r.Required[back] || r.Forbidden[there]:
			p.Direct(e.B, e.A)
		}
	}
	if slices.ContainsFunc(p.Edges(), func(e graph.Edge) bool { return e.Directed && p.Leads(e.B, e.A) }) {
		return nil, false
	}
	p.Close()
	parents, forced := p.Extend()
	return p, forced == 0 && !r.Broken(parents) && graph.Of(parents).Equal(class)
}

// Broken reports whether a structure has a forbidden edge or lacks a required one.
func (r *Rules) Broken(parents [][]int) bool {
	for y, p := range parents {
		if slices.ContainsFunc(p, func(x int) bool { return r.Forbidden[[2]int{x, y}] }) {
			return true
		}
	}
	return slices.ContainsFunc(r.order, func(e [2]int) bool { return !slices.Contains(parents[e[1]], e[0]) })
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
