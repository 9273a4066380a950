package mle

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// cpd says how the numbers of a CPD lie in one list: a table as it is, a tree leaf after leaf, a noisy-max its leak and then the rows of
// its causes. A row holds the child's distribution under some condition on the parents.
type cpd struct {
	m     *model.Model
	f     *model.Factor
	card  int
	n     int       // numbers
	inner int       // the distance between the numbers of a row: above 1 in a table whose child is not last
	share []float64 // by row: of the joint states of the parents that it is about, or of those of its cause
	fixed []bool    // by row: it is no number to be fitted; nil where all are
	leaf  []int     // by node of a tree: the first of its numbers
}

// newCPD looks at a CPD; nil is one without numbers.
func newCPD(m *model.Model, f *model.Factor) (*cpd, error) {
	if f.Child < 0 {
		return nil, fmt.Errorf("%v: the model has a %s; want a network of CPDs, whose numbers have counts", f.Pos, m.FactorName(f))
	}
	c := &cpd{m: m, f: f, card: m.Card(f.ChildVar()), inner: 1}
	switch d := f.Dist.(type) {
	case *model.Deterministic:
		return nil, nil
	case *model.Table:
		c.n = len(d.Values)
		for _, v := range f.Scope[f.Child+1:] {
			c.inner *= m.Card(v)
		}
		for range c.n / c.card {
			c.share = append(c.share, float64(c.card)/float64(c.n))
		}
	case *model.Tree:
		c.tree(d)
	case *model.NoisyMax:
		c.noisyMax(d)
	default:
		return nil, fmt.Errorf("%v: the %s is a %T; want a table, a tree or a noisy-max", f.Pos, m.FactorName(f), f.Dist)
	}
	return c, nil
}

// tree lays out the leaves, and finds the share of each: the sum over the ways to it, since nodes may be shared.
func (c *cpd) tree(d *model.Tree) {
	c.leaf = make([]int, len(d.Nodes))
	share := make([]float64, len(d.Nodes))
	share[0] = 1
	for i, n := range d.Nodes {
		if n.Leaf != nil {
			c.leaf[i] = c.n
			c.n += c.card
			c.share = append(c.share, share[i])
			continue
		}
		for _, next := range n.Next {
			share[next] += share[i] / float64(len(n.Next))
		}
	}
}

// noisyMax lays out the contributions. Those that are certain say what a state is, such as that of an absent cause, and stay.
func (c *cpd) noisyMax(d *model.NoisyMax) {
	add := func(row []float64, share float64) {
		certain := false
		for _, p := range row {
			certain = certain || p == 1
		}
		c.fixed = append(c.fixed, certain)
		c.share = append(c.share, share)
		c.n += c.card
	}
	add(d.Leak, 1)
	for _, cause := range d.Cause {
		states := len(cause) / c.card
		for s := range states {
			add(cause[s*c.card:(s+1)*c.card], 1/float64(states))
		}
	}
}

func (c *cpd) rows() int { return c.n / c.card }

// row gives the states of the child and where their numbers stand.
func (c *cpd) row(r int, do func(x, at int)) {
	start := r/c.inner*c.card*c.inner + r%c.inner
	for x := range c.card {
		do(x, start+x*c.inner)
	}
}

func (c *cpd) isFixed(r int) bool { return c.fixed != nil && c.fixed[r] }

// numbers are those of a distribution of this form.
func (c *cpd) numbers(d model.Dist) []float64 {
	switch d := d.(type) {
	case *model.Table:
		return d.Values
	case *model.Tree:
		out := make([]float64, 0, c.n)
		for _, n := range d.Nodes {
			out = append(out, n.Leaf...)
		}
		return out
	case *model.NoisyMax:
		out := append(make([]float64, 0, c.n), d.Leak...)
		for _, cause := range d.Cause {
			out = append(out, cause...)
		}
		return out
	}
	panic(fmt.Sprintf("mle: numbers of a %T", d))
}

// dist is the distribution of this form with the given numbers, which it keeps.
func (c *cpd) dist(numbers []float64) model.Dist {
	switch d := c.f.Dist.(type) {
	case *model.Tree:
		out := &model.Tree{Nodes: append([]model.TreeNode(nil), d.Nodes...)}
		for i := range out.Nodes {
			if out.Nodes[i].Leaf != nil {
				out.Nodes[i].Leaf = numbers[c.leaf[i] : c.leaf[i]+c.card]
			}
		}
		return out
	case *model.NoisyMax:
		out := &model.NoisyMax{Leak: numbers[:c.card]}
		numbers = numbers[c.card:]
		for _, cause := range d.Cause {
			out.Cause = append(out.Cause, numbers[:len(cause)])
			numbers = numbers[len(cause):]
		}
		return out
	}
	return &model.Table{Values: numbers}
}

// fold adds a table over the scope to the numbers of a table or a tree.
func (c *cpd) fold(table, to []float64) {
	d, ok := c.f.Dist.(*model.Tree)
	if !ok {
		for i, x := range table {
			to[i] += x
		}
		return
	}
	state := make([]int, len(c.m.Vars))
	for _, x := range table {
		to[c.at(d, state)] += x
		c.m.Next(c.f.Scope, state)
	}
}

// at is the number of a tree that a joint state of the variables uses.
func (c *cpd) at(d *model.Tree, state []int) int {
	i := 0
	for d.Nodes[i].Leaf == nil {
		i = int(d.Nodes[i].Next[state[c.f.Scope[d.Nodes[i].Axis]]])
	}
	return c.leaf[i] + state[c.f.ChildVar()]
}
