package pgmrt

import "math"

// round makes the counts of choices, which are pseudo-marginals, a joint state: each variable in
// turn takes the state to which its factors' pseudo-marginals, reduced to that state and to the
// states of the variables before, give the least mean energy (Koller and Friedman, section 13.5.1).
// States without a count in a factor are compared by its least energy. If the joint state has less
// energy than the present one, it replaces it.
func (c *ascend) round() {
	for v := range c.fixed {
		c.fixed[v] = -1
	}
	sum := 0.0
	for v := range c.n {
		least, best := math.Inf(1), int32(-1)
		for x := range c.card[v] {
			c.fixed[v] = x
			e := c.s[c.base[v]+x]
			for _, i := range c.list[c.edges[v]:c.edges[v+1]] {
				e += c.reduced(int(c.factorOf(i)))
			}
			if e < least {
				least, best = e, x
			}
		}
		if best < 0 || least >= impossible {
			return
		}
		c.fixed[v] = best
		sum += c.s[c.base[v]+best]
	}
	for f := range c.factors {
		sum += c.reduced(f)
	}
	if sum < *c.value {
		*c.value = sum
		copy(c.state, c.fixed)
	}
}

// factorOf returns the factor of an edge, by bisection.
func (c *ascend) factorOf(e int32) int32 {
	low, high := 0, c.factors
	for high-low > 1 {
		if middle := (low + high) / 2; c.scope[middle] <= e {
			low = middle
		} else {
			high = middle
		}
	}
	return int32(low)
}

// reduced returns the mean energy of factor f over its choices that agree with the fixed states, or
// without any, the least energy of such states.
func (c *ascend) reduced(f int) float64 {
	count, sum, least := 0.0, 0.0, math.Inf(1)
	for i, y := range c.tableOf(f) {
		agrees := true
		for e := c.scope[f]; e < c.scope[f+1] && agrees; e++ {
			x := c.fixed[c.vars[e]]
			agrees = x < 0 || x == int32(i)/c.stride[e]%c.card[c.vars[e]]
		}
		if !agrees {
			continue
		}
		least = min(least, y)
		if n := float64(c.visits[c.cell[int32(f)]+int32(i)]); n > 0 {
			count += n
			sum += float64(n * y)
		}
	}
	if count == 0 {
		return least
	}
	return sum / count
}
