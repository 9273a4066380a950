package topdown

import "slices"

// branch returns the sum over the states of a variable of a component. Clauses that it learns may
// rule some of them out, and states of other variables.
func (c *compiler) branch(of component, v int32, share float64) (int32, error) {
	var terms []int32
	sets := c.sets.singles(c.domain[v])
	share /= float64(len(sets))
	for _, set := range sets {
		if !c.possible(c.base[v] + c.sets.states(set)[0]) {
			continue
		}
		term, err := c.term(of, v, set, share)
		if err != nil {
			return nodeZero, err
		}
		if terms = append(terms, term); term == nodeZero && !c.recheckClauses() {
			return nodeZero, nil
		}
	}
	return c.out.sum(terms), nil
}

// term returns the node of the rest of a component if v has the state of set.
func (c *compiler) term(of component, v, set int32, share float64) (n int32, err error) {
	if c.domain[v] == set {
		return c.remainder(of, share)
	}
	mark := len(c.trail)
	c.levels = append(c.levels, int32(mark))
	c.setDomain(v, set, branched)
	if n = nodeZero; c.propagate() {
		n, err = c.remainder(of, share)
	} else {
		c.learnClause()
		c.progress += share
	}
	c.undo(mark)
	c.levels = c.levels[:len(c.levels)-1]
	return n, err
}

// delayedClause is a clause that leaves one pair possible at that many branches, and more at fewer.
type delayedClause struct{ clause, level int32 }

// maxDelayed is the most clauses that are looked at again.
const maxDelayed = 256

// recheckClauses lets the clauses that were learned below rule out pairs at the present branches.
// It returns false if nothing is left.
func (c *compiler) recheckClauses() bool {
	level := int32(len(c.levels))
	kept := c.delayed[:0]
	ok := true
	for _, x := range c.delayed {
		pairs := c.learned[x.clause].pairs
		if ok && x.level <= level && pairs != nil && (len(pairs) == 1 || !slices.ContainsFunc(pairs[1:], c.possible)) {
			ok = c.propagateUnit(x.clause)
		}
		if x.level < level && pairs != nil {
			kept = append(kept, x)
		}
	}
	if c.delayed = kept; ok {
		ok = c.propagate()
	}
	if !ok {
		c.pending, c.queue = c.pending[:0], c.queue[:0]
		c.learnClause()
	}
	return ok
}

// learnClause learns from the conflict that propagation found.
func (c *compiler) learnClause() {
	c.conflicts++
	pairs, vars := c.learn(c.levels)
	for _, v := range vars {
		c.activity[v] += c.bump
	}
	if len(pairs) > 0 {
		level := int32(0)
		if len(pairs) > 1 {
			level = c.levelOf(c.trailAt[pairs[1]])
		}
		if len(c.delayed) == maxDelayed {
			c.delayed = slices.Delete(c.delayed, 0, 1)
		}
		c.delayed = append(c.delayed, delayedClause{c.addClause(pairs), level})
	}
	if c.bump /= activityDecay; c.bump > 1e100 {
		for v := range c.activity {
			c.activity[v] /= c.bump
		}
		c.bump = 1
	}
}

// levelOf returns the number of branches that were open at a place of the trail.
func (c *compiler) levelOf(at int32) int32 {
	n, found := slices.BinarySearch(c.levels, at)
	if found {
		n++
	}
	return int32(n)
}
