package boost

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
)

// conjunctions sums the numbers at leaves by the tests on the paths to them.
type conjunctions struct {
	vars  []data.Var
	place map[string]int
	list  []conjunction
}

type conjunction struct {
	state  int // of the target
	tests  []rowset.Test
	weight float64
}

// tree adds the leaves of a tree for one state of the target.
func (c *conjunctions) tree(t *tree, state int) {
	type way struct {
		node  int32
		tests []rowset.Test
	}
	for stack := []way{{}}; len(stack) > 0; {
		w := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &t.nodes[w.node]
		if n.v < 0 {
			c.add(state, w.tests, n.value)
			continue
		}
		for _, not := range []bool{true, false} {
			next := n.yes
			if not {
				next = n.no
			}
			stack = append(stack, way{next, append(slices.Clone(w.tests), rowset.Test{Var: n.v, State: n.state, Not: not})})
		}
	}
}

// add adds to the weight of a conjunction of tests. Each test requires that a variable has a state
// or does not have it. A positive test of a variable replaces its negative tests.
func (c *conjunctions) add(state int, tests []rowset.Test, weight float64) {
	var simple []rowset.Test
	for _, t := range tests {
		if t.Not && len(c.vars[t.Var].States) == 2 {
			t.State, t.Not = 1-t.State, false
		}
		if t.Not && slices.ContainsFunc(tests, func(u rowset.Test) bool { return u.Var == t.Var && !u.Not }) {
			continue // the positive test implies it
		}
		simple = append(simple, t)
	}
	slices.SortFunc(simple, func(a, b rowset.Test) int {
		return cmp.Or(cmp.Compare(a.Var, b.Var), cmp.Compare(a.State, b.State))
	})
	key := fmt.Sprint(state, simple)
	i, ok := c.place[key]
	if !ok {
		i = len(c.list)
		c.place[key] = i
		c.list = append(c.list, conjunction{state: state, tests: simple})
	}
	c.list[i].weight += weight
}

// cpd returns the result, with the tested variables in order.
func (f *fit) cpd() CPD {
	c := conjunctions{vars: f.d.vars, place: map[string]int{}}
	for k := 1; k < f.card; k++ {
		c.add(k, nil, f.first[k])
	}
	for i := range f.trees {
		c.tree(&f.trees[i], f.states[i%len(f.states)])
	}
	r := CPD{Trees: len(f.trees)}
	r.Params, r.Score = len(c.list), f.score()
	for _, x := range c.list {
		for _, t := range x.tests {
			r.Others = append(r.Others, t.Var)
		}
	}
	slices.Sort(r.Others)
	r.Others = slices.Compact(r.Others)
	d := &model.Features{}
	r.Factor = &model.Factor{Child: len(r.Others), Dist: d}
	for _, v := range append(r.Others[:len(r.Others):len(r.Others)], f.target) {
		r.Factor.Scope = append(r.Factor.Scope, model.VarID(v))
	}
	for _, x := range c.list {
		y := model.Feature{Weight: x.weight, Literals: []model.Literal{{Axis: len(r.Others), State: int32(x.state)}}}
		for _, t := range x.tests {
			axis, _ := slices.BinarySearch(r.Others, t.Var)
			y.Literals = append(y.Literals, model.Literal{Axis: axis, State: int32(t.State), Not: t.Not})
		}
		d.List = append(d.List, y)
	}
	return r
}

// score returns the log-likelihood of the training rows under the trees that are kept.
func (f *fit) score() float64 {
	p := f.part(&f.d.train)
	for i := range f.trees {
		p.add(&f.trees[i], f.states[i%len(f.states)])
	}
	return p.log()
}
