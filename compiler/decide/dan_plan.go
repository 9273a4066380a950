package decide

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// trim forgets the histories that the best strategy and the options beside it do not lead to.
func (n *asymmetric) trim() {
	all := n.memo
	n.memo = map[string]*outcome{}
	keep := func(v model.VarID) {
		for n.state[v] = range n.to.Card(v) {
			if key := n.key(); all[key] != nil {
				n.memo[key] = all[key]
			}
		}
		n.state[v] = -1
	}
	var visit func(o *outcome)
	visit = func(o *outcome) {
		switch v := o.next; {
		case v < 0:
		case n.m.Vars[v].Given:
			for _, d := range n.candidates() {
				keep(d)
			}
			n.state[v] = o.choice
			visit(n.memo[n.key()])
			n.state[v] = -1
		default:
			keep(v)
			for k := range n.to.Card(v) {
				n.state[v] = k
				if x := n.memo[n.key()]; x.probability > 0 {
					visit(x)
				}
			}
			n.state[v] = -1
		}
	}
	n.memo[n.key()] = all[n.key()]
	visit(n.memo[n.key()])
}

// plan returns the tree of the best strategy, or nil and why it is not shown.
func (n *asymmetric) plan() (*Branch, error) {
	o := n.memo[n.key()]
	root := &Branch{Var: -1, Probability: 1, Utility: o.utility, sum: o.probability}
	n.leaves = 1
	n.grow(root, o)
	if n.leaves > MaxLeaves {
		return nil, errLeaves
	}
	return root, nil
}

// grow adds what follows a history. What certainly does not exist is left out.
func (n *asymmetric) grow(b *Branch, o *outcome) {
	if o.next < 0 || n.leaves > MaxLeaves {
		return
	}
	v := o.next
	states, options := []int{o.choice}, []Option(nil)
	if n.m.Vars[v].Given {
		options = n.worth()
	} else {
		states = states[:0]
		for k := range n.to.Card(v) {
			states = append(states, k)
		}
	}
	defer func() { n.state[v] = -1 }()
	for _, k := range states {
		n.state[v] = k
		x := n.memo[n.key()]
		if x.probability == 0 {
			continue
		}
		if k == n.absent[v] && (n.m.Vars[v].Given || x.probability == o.probability) {
			n.grow(b, x)
			continue
		}
		c := &Branch{Var: v, State: k, Probability: x.probability / o.probability, Utility: x.utility, Options: options, sum: x.probability}
		if k == n.absent[v] {
			c.State = -1
		}
		if b.Branches = append(b.Branches, c); len(b.Branches) > 1 {
			n.leaves++
		}
		n.grow(c, x)
	}
}

// worth returns the options that were compared after a history.
func (n *asymmetric) worth() (list []Option) {
	for _, d := range n.candidates() {
		for k := range n.m.Card(d) {
			n.state[d] = k
			if x := n.memo[n.key()]; x != nil && x.probability > 0 {
				list = append(list, Option{d, k, x.utility})
			}
		}
		n.state[d] = -1
	}
	return list
}

// followed returns the probability and the utility under the best strategy, with the potentials of
// s, as a bucket without variables.
func (n *asymmetric) followed(s *solver) (*bucket, error) {
	m := *n
	m.state = slices.Repeat([]int{-1}, len(n.state))
	c, err := m.start(s)
	if err != nil {
		return nil, err
	}
	b, err := m.follow(c)
	s.lawful = c.lawful
	return b, err
}

// follow returns the bucket that is left after a history. At an observation, it is the sum over the
// states of a variable on which alone the buckets depend that are left after these.
func (n *asymmetric) follow(c *solver) (*bucket, error) {
	o := n.memo[n.key()]
	if o.next < 0 {
		err := c.sumOut(n.rest())
		return c.left(nil), err
	}
	v := o.next
	defer func() { n.state[v] = -1 }()
	after := func(k int) (*bucket, error) {
		n.state[v] = k
		d := c.with(nil, -1)
		d.slice(v, k)
		b, err := n.follow(d)
		c.lawful, c.work = d.lawful, d.work
		return b, err
	}
	if n.m.Vars[v].Given {
		return after(o.choice)
	}
	scope, p, u := []model.VarID{v}, []float64(nil), newPotential(n.to, []model.VarID{v}, nil)
	for k := range n.to.Card(v) {
		n.state[v] = k
		if n.memo[n.key()].probability == 0 {
			p, u.values, u.spread, u.laws = append(p, 0), append(u.values, 0), append(u.spread, 0), append(u.laws, law{{0, 1}})
			continue
		}
		b, err := after(k)
		if err != nil {
			return nil, err
		}
		q, w := b.value(nil)
		p, u.values, u.spread, u.laws = append(p, q), append(u.values, w), append(u.spread, b.variance(nil)), append(u.laws, b.law(c, nil))
	}
	c.chances, c.utilities = pool{by: make([][]*potential, len(n.state))}, pool{by: make([][]*potential, len(n.state))}
	c.chances.add(newPotential(n.to, scope, p))
	c.utilities.add(u)
	if _, err := c.sum(v); err != nil {
		return nil, err
	}
	return c.left(nil), nil
}
