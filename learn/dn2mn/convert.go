package dn2mn

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// test tests whether the state of one variable is in a set.
type test struct {
	v        model.VarID
	literals []model.Literal // the axis is the variable's number
	p        float64         // probability of the test under the frequencies of the states
}

// rule is a part of a CPD: if all tests hold, the log-probability of each state of the child has a
// term, up to a constant for all states.
type rule struct {
	tests []test
	logs  []float64
}

// maxRules is the most rows of a table that are converted to rules.
const maxRules = 1 << 20

// converter converts the CPDs of a network to conjunctions.
type converter struct {
	dn    *model.Model
	freq  [][]float64 // by variable and state
	place map[string]int
	list  []conjunction
}

// conjunction is a feature of the Markov network, its literals in order.
type conjunction struct {
	literals []model.Literal
	weight   float64
}

// convert returns the Markov network of a dependency network.
func convert(dn *model.Model, freq [][]float64) (*model.Model, error) {
	c := &converter{dn: dn, freq: freq, place: map[string]int{}}
	for _, f := range dn.Factors {
		rules, err := c.rules(f)
		if err != nil {
			return nil, err
		}
		for _, r := range rules {
			c.add(f.ChildVar(), r)
		}
	}
	m := &model.Model{Name: dn.Name, Kind: model.Markov, Vars: dn.Vars}
	for _, x := range c.list {
		if x.weight != 0 {
			m.Factors = append(m.Factors, factor(x))
		}
	}
	return m, nil
}

// factor returns a conjunction as a potential.
func factor(x conjunction) *model.Factor {
	f := &model.Factor{Child: -1}
	out := model.Feature{Weight: x.weight}
	for _, l := range x.literals {
		v := model.VarID(l.Axis)
		if l.Axis = slices.Index(f.Scope, v); l.Axis < 0 {
			l.Axis = len(f.Scope)
			f.Scope = append(f.Scope, v)
		}
		out.Literals = append(out.Literals, l)
	}
	f.Dist = &model.Features{List: []model.Feature{out}}
	return f
}

// rules splits a CPD into rules: a tree by its paths, features one by one, and other CPDs by the
// rows of their table.
func (c *converter) rules(f *model.Factor) ([]rule, error) {
	if d, ok := f.Dist.(*model.Tree); ok {
		return c.leaves(f, d)
	}
	if d, ok := f.Dist.(*model.Features); ok {
		return c.features(f, d)
	}
	values, err := c.dn.Tabulate(f, maxRules)
	if err != nil {
		return nil, err
	}
	return c.rows(f, values)
}

// logs returns the logarithms of a row of a CPD. A row with a zero is an error.
func (c *converter) logs(f *model.Factor, row []float64) ([]float64, error) {
	out := make([]float64, len(row))
	for k, p := range row {
		if p == 0 {
			return nil, fmt.Errorf("%v: the %s holds 0; want numbers above it, since the average of its logarithm with others has no meaning", f.Pos, c.dn.FactorName(f))
		}
		out[k] = pgmrt.Ln(p)
	}
	return out, nil
}

// leaves returns a rule for each path through a tree. A test on the path to a child is that the
// state is one of those that lead to it.
func (c *converter) leaves(f *model.Factor, d *model.Tree) ([]rule, error) {
	type way struct {
		node     int32
		literals []model.Literal
	}
	var out []rule
	for stack := []way{{}}; len(stack) > 0; {
		w := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &d.Nodes[w.node]
		if n.Leaf != nil {
			logs, err := c.logs(f, n.Leaf)
			if err != nil {
				return nil, err
			}
			if tests, ok := c.tests(w.literals); ok {
				out = append(out, rule{tests, logs})
			}
			continue
		}
		if len(out)+len(stack) > maxRules {
			return nil, fmt.Errorf("%v: the %s has more than %d ways to its leaves", f.Pos, c.dn.FactorName(f), maxRules)
		}
		v := int(f.Scope[n.Axis])
		for _, next := range slices.Compact(slices.Sorted(slices.Values(n.Next))) {
			stack = append(stack, way{next, append(slices.Clone(w.literals), literals(v, n.Next, next)...)})
		}
	}
	return out, nil
}

// literals returns the literals that a variable has one of the states that lead to a node: that it
// has the only such state, or none of the others.
func literals(v int, to []int32, node int32) []model.Literal {
	var yes, no []model.Literal
	for s, next := range to {
		if next == node {
			yes = append(yes, model.Literal{Axis: v, State: int32(s)})
		} else {
			no = append(no, model.Literal{Axis: v, State: int32(s), Not: true})
		}
	}
	if len(yes) == 1 {
		return yes
	}
	return no
}

// rows returns a rule for each row of a table.
func (c *converter) rows(f *model.Factor, values []float64) ([]rule, error) {
	var out []rule
	parents := f.Parents()
	state := make([]int, len(c.dn.Vars))
	child := f.ChildVar()
	row := make([]float64, c.dn.Card(child))
	for more := true; more; more = c.dn.Next(parents, state) {
		var list []model.Literal
		for _, p := range parents {
			list = append(list, model.Literal{Axis: int(p), State: int32(state[p])})
		}
		for k := range row {
			state[child] = k
			row[k] = c.dn.Value(f, state)
		}
		state[child] = 0
		logs, err := c.logs(f, row)
		if err != nil {
			return nil, err
		}
		if tests, ok := c.tests(list); ok {
			out = append(out, rule{tests, logs})
		}
	}
	return out, nil
}

// features returns a rule for each feature. The normaliser of a logistic regression is the same for
// all states, so it is dropped.
func (c *converter) features(f *model.Factor, d *model.Features) ([]rule, error) {
	var out []rule
	for _, x := range d.List {
		if math.IsInf(x.Weight, -1) {
			return nil, fmt.Errorf("%v: the %s has a weight of minus infinity; want finite ones, since its average with others has no meaning", f.Pos, c.dn.FactorName(f))
		}
		var others []model.Literal
		logs := make([]float64, c.dn.Card(f.ChildVar()))
		for k := range logs {
			logs[k] = x.Weight
		}
		for _, l := range x.Literals {
			if l.Axis == f.Child {
				for k := range logs {
					if (k == int(l.State)) == l.Not {
						logs[k] = 0
					}
				}
				continue
			}
			l.Axis = int(f.Scope[l.Axis])
			others = append(others, l)
		}
		if tests, ok := c.tests(others); ok {
			out = append(out, rule{tests, logs})
		}
	}
	return out, nil
}

// tests joins the literals of each variable; the axes of literals are numbers of variables. ok is
// false if they contradict each other.
func (c *converter) tests(list []model.Literal) (tests []test, ok bool) {
	for _, l := range list {
		i := slices.IndexFunc(tests, func(t test) bool { return int(t.v) == l.Axis })
		if i < 0 {
			i = len(tests)
			tests = append(tests, test{v: model.VarID(l.Axis)})
		}
		if !slices.Contains(tests[i].literals, l) {
			tests[i].literals = append(tests[i].literals, l)
		}
	}
	for i := range tests {
		t := &tests[i]
		possible := false
		for s, p := range c.freq[t.v] {
			if !slices.ContainsFunc(t.literals, func(l model.Literal) bool { return (s == int(l.State)) == l.Not }) {
				t.p += p
				possible = true
			}
		}
		if !possible {
			return nil, false
		}
		if at := slices.IndexFunc(t.literals, func(l model.Literal) bool { return !l.Not }); at >= 0 {
			t.literals = t.literals[at : at+1] // a positive literal implies the others
		}
		slices.SortFunc(t.literals, func(a, b model.Literal) int { return cmp.Compare(a.State, b.State) })
	}
	return tests, true
}

// add adds the conjunctions of a rule, half for the orders of each direction.
func (c *converter) add(child model.VarID, r rule) {
	base := 0.0
	for k, p := range c.freq[child] {
		base += p * r.logs[k]
	}
	n := len(c.dn.Vars)
	for _, back := range []bool{false, true} {
		distance := func(t test) int {
			if back {
				return (int(t.v-child) + n) % n
			}
			return (int(child-t.v) + n) % n
		}
		tests := slices.SortedFunc(slices.Values(r.tests), func(a, b test) int { return cmp.Compare(distance(a), distance(b)) })
		rest := make([]float64, len(tests)+1) // rest[i]: the probability of all tests from i on
		rest[len(tests)] = 1
		for i := len(tests) - 1; i >= 0; i-- {
			rest[i] = rest[i+1] * tests[i].p
		}
		last := 0
		for i := range rest {
			// The first i tests come before the child in the orders that start here, up to the next
			// test.
			next := n
			if i < len(tests) {
				next = distance(tests[i])
			}
			share := float64(next-last) / float64(n) / 2
			last = next
			for k, log := range r.logs {
				c.note(tests[:i], model.Literal{Axis: int(child), State: int32(k)}, share*rest[i]*(log-base))
			}
		}
	}
}

// note adds to the weight of the conjunction of tests and a state of the child.
func (c *converter) note(tests []test, child model.Literal, weight float64) {
	list := []model.Literal{child}
	for _, t := range tests {
		list = append(list, t.literals...)
	}
	slices.SortFunc(list, func(a, b model.Literal) int {
		return cmp.Or(cmp.Compare(a.Axis, b.Axis), cmp.Compare(a.State, b.State))
	})
	key := fmt.Sprint(list)
	i, ok := c.place[key]
	if !ok {
		i = len(c.list)
		c.place[key] = i
		c.list = append(c.list, conjunction{literals: list})
	}
	c.list[i].weight += weight
}
