package mle

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// cpd is a CPD as a list of numbers, row after row. A row holds the child's distribution under some
// condition on the parents.
type cpd struct {
	model.Layout
	m    *model.Model
	f    *model.Factor
	card int
	n    int                   // how many numbers there are
	at   func(state []int) int // returns the number that a joint state counts for; nil if counts are by joint state
}

// newCPD returns the cpd of a factor, or nil if it has no numbers to fit.
func newCPD(m *model.Model, f *model.Factor) (*cpd, error) {
	if f.Child < 0 {
		return nil, fmt.Errorf("%v: the model has a %s; want a network of CPDs, whose numbers have counts", f.Pos, m.FactorName(f))
	}
	d, ok := f.Dist.(model.Fitted)
	if !ok {
		return nil, fmt.Errorf("%v: the %s is a %T; want a table, a tree, a noisy-max, or a Gaussian or softmax CPD", f.Pos, m.FactorName(f), f.Dist)
	}
	c := &cpd{Layout: d.Layout(m, f), m: m, f: f, card: m.Card(f.ChildVar()), n: len(d.Numbers())}
	if c.n == 0 {
		return nil, nil
	}
	if d, ok := f.Dist.(model.Partitioned); ok {
		c.at = d.Places(f)
	}
	return c, nil
}

func (c *cpd) rows() int { return c.n / c.card }

// row calls do for each state of the child with the index of its number in row r.
func (c *cpd) row(r int, do func(x, at int)) {
	start := r/c.Inner*c.card*c.Inner + r%c.Inner
	for x := range c.card {
		do(x, start+x*c.Inner)
	}
}

func (c *cpd) isFixed(r int) bool { return c.Fixed != nil && c.Fixed[r] }

// dist returns the distribution of this form with the given numbers, which it keeps.
func (c *cpd) dist(numbers []float64) model.Dist {
	return c.f.Dist.(model.Fitted).WithNumbers(numbers)
}

// fold adds a table over the scope to counts.
func (c *cpd) fold(table, to []float64) {
	if c.at == nil {
		for i, x := range table {
			to[i] += x
		}
		return
	}
	state := make([]int, len(c.m.Vars))
	for _, x := range table {
		to[c.at(state)] += x
		c.m.Next(c.f.Scope, state)
	}
}
