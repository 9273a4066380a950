package pgmrt

import "math"

// capacities sets the capacities. The energy of a choice is the energy of its cut, or half of it in
// a mirrored graph, plus a constant, which capacities returns.
func (c *cutModel) capacities() (constant float64) {
	clear(c.left)
	for i := range c.keep {
		low := c.own(i, c.keep[i])
		constant += low
		c.terminal[i] = c.own(i, c.change[i]) - low
	}
	for e := range c.from {
		constant += c.addPair(e)
	}
	for i := range c.keep {
		constant += min(c.terminal[i], 0)
		if c.mirror {
			c.terminal[c.n+i] = -c.terminal[i]
		}
	}
	c.round()
	return constant
}

// addPair adds the arcs of a pair. Its energies are a constant, which addPair returns, plus a term
// for each variable, plus a weight for one of the four choices: if the pair is submodular for the
// first state of u and the second of v, and else for the first states of both.
func (c *cutModel) addPair(e int) (constant float64) {
	u, v := c.from[e], c.to[e]
	stay, right := c.pair(e, c.keep[u], c.keep[v]), c.pair(e, c.keep[u], c.change[v])
	left, both := c.pair(e, c.change[u], c.keep[v]), c.pair(e, c.change[u], c.change[v])
	weight, arcs := right+left-stay-both, c.left[cutArcs*e:]
	if c.mirror {
		arcs = c.left[cutMirrorArcs*e:]
	}
	if weight < 0 && c.mirror {
		c.terminal[u] += both - right
		c.terminal[v] += both - left
		arcs[4], arcs[6] = -weight, -weight
		return right + left - both
	}
	if weight < 0 {
		stay, weight = stay+weight, 0
	}
	c.terminal[u] += left - stay
	c.terminal[v] += both - left
	arcs[0] = weight
	if c.mirror {
		arcs[2] = weight
	}
	return stay
}

// flowDigits is the number of bits of the largest sum of capacities at a node: with force added,
// sums stay within the 53 bits of a number.
const flowDigits = 50

// round rounds capacities to multiples of a power of two, so that flows are exact.
func (c *cutModel) round() {
	most := 0.0
	for i, x := range c.terminal {
		sum := math.Abs(x)
		for _, a := range c.arcs[c.maxFlow.first[i]:c.maxFlow.first[i+1]] {
			sum += c.left[a] + c.left[a^1]
		}
		most = max(most, sum)
	}
	_, exp := math.Frexp(most)
	unit := math.Ldexp(1, exp-flowDigits)
	c.force = math.Ldexp(1, exp)
	for i, x := range c.terminal {
		c.terminal[i] = float64(math.Round(x/unit) * unit)
	}
	for a, x := range c.left {
		c.left[a] = float64(math.Round(x/unit) * unit)
	}
}
