package topdown

import "slices"

// split returns the components of what is left of a component, the small ones first.
func (c *compiler) split(of *component) []*component {
	c.steps += int64(len(of.vars) + len(of.factors))
	left := &component{vars: make([]int32, 0, len(of.vars)), factors: make([]int32, 0, len(of.factors))}
	for _, v := range of.vars {
		if !c.known(v) {
			c.parent[v], c.part[v] = v, -1
			left.vars = append(left.vars, v)
		}
	}
	trees := len(left.vars)
	for _, f := range of.factors {
		t := &c.list[c.table[f]]
		if t.constant() {
			continue
		}
		left.factors = append(left.factors, f)
		if trees > 1 {
			trees -= c.join(c.factors[f].scope, t.axes)
		}
	}
	switch trees {
	case 0:
		return nil
	case 1:
		return []*component{left}
	}
	parts := make([]*component, 0, trees)
	at := func(v int32) *component {
		r := c.root(v)
		if c.part[r] < 0 {
			c.part[r] = int32(len(parts))
			parts = append(parts, &component{})
		}
		return parts[c.part[r]]
	}
	for _, v := range left.vars {
		p := at(v)
		p.vars = append(p.vars, v)
	}
	for _, f := range left.factors {
		p := at(c.factors[f].scope[c.list[c.table[f]].axes[0]])
		p.factors = append(p.factors, f)
	}
	slices.SortStableFunc(parts, func(a, b *component) int { return len(a.vars) - len(b.vars) })
	return parts
}

// join makes one tree of those of the given variables and returns by how many trees there are
// fewer.
func (c *compiler) join(scope, axes []int32) (fewer int) {
	r := c.root(scope[axes[0]])
	for _, a := range axes[1:] {
		if x := c.root(scope[a]); x != r {
			c.parent[x] = r
			fewer++
		}
	}
	return fewer
}

// root returns the root of the tree of a variable.
func (c *compiler) root(v int32) int32 {
	for c.parent[v] != v {
		c.parent[v] = c.parent[c.parent[v]]
		v = c.parent[v]
	}
	return v
}
