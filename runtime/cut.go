package pgmrt

import "math"

// cutModel is a sum of energies of variables and of pairs of them. Moves search for its least
// value: each variable has two states to choose from, and a cut of a graph chooses for all at once
// (Boykov, Veksler and Zabih 2001; Kolmogorov and Zabih 2004). The cut is a best choice if the
// energies of all pairs are submodular in it. For others, either the energy of the pair of first
// states is lowered until they are, so that the choice is no worse than the first states (Rother,
// Kumar, Kolmogorov and Blake 2005), or, if the graph is mirrored, each variable has a second node
// for the opposite of its choice, and the cut decides some of the variables as every best choice
// does (roof duality: Hammer, Hansen and Simeone 1984; Kolmogorov and Rother 2007).
//
// Energies are at least 0. An impossible state has the energy penalty instead, which exceeds the
// sum of the largest finite ones.
type cutModel struct {
	n, labels, nodes int
	mirror           bool
	card, from, to   []int32 // by variable; by pair: its variables
	at               []int32 // by pair: the offset of its table in pairs
	base             []int32 // by variable: the offset of its energies in s
	s, pairs         []float64
	penalty          float64
	state            []int32
	keep, change     []int32   // by variable: the first and the second state to choose from
	fixed            []int32   // by variable: its state in every best completion, or -1
	messages, sums   []float64 // of the sweeps for a bound: by arc and state of its head; by state
	force            float64   // exceeds what the arcs of any node carry
	maxFlow
}

// The words of CutMoves after the place of the states, up to those for each variable.
const (
	cutMove = 1 + iota
	cutVars
	cutPairs
	cutLabels
	cutMirror
	cutHeader
)

// The moves of CutMoves.
const (
	cutChoose = iota // two states a variable
	cutExpand        // a variable keeps its state or takes that of the move
	cutSwap          // variables in two states choose again between them
)

// The numbers of arcs of a pair, in a graph that is mirrored and in one that is not.
const (
	cutArcs       = 2
	cutMirrorArcs = 8
)

// Factors of the work of CutMoves, by variable: integers besides the nodes' integers.
const cutInts = 3

// cutOf reads the words of CutMoves: the place of the states; the move, the numbers of variables,
// of pairs and of states, and 1 if the graph is mirrored; by variable its number of states; by pair
// its variables, then the offset of its table; by node the place of its first arc, and the end; the
// arcs by node; by arc its head; then the offsets of the energies of the variables, of the tables
// of pairs, of work memory, of integers and of the numbers of the run. After the tables stands the
// sum of their largest finite energies.
func cutOf(k []int32, s, p []float64, t []int32) (c cutModel, run []int32) {
	n, pairs, labels := int(k[cutVars]), int(k[cutPairs]), int(k[cutLabels])
	mirror := k[cutMirror] != 0
	nodes, arcs := n, cutArcs*pairs
	if mirror {
		nodes, arcs = 2*n, cutMirrorArcs*pairs
	}
	words := k[cutHeader:]
	take := func(n int) []int32 {
		part := words[:n]
		words = words[n:]
		return part
	}
	c = cutModel{n: n, labels: labels, nodes: nodes, mirror: mirror, s: s, state: t[k[0]:][:n]}
	c.card, c.from, c.to, c.at = take(n), take(pairs), take(pairs), take(pairs+1)
	first, list, head := take(nodes+1), take(arcs), take(arcs)
	c.base = take(n)
	c.pairs = p[take(1)[0]:][:c.at[pairs]+1]
	work, ints := s[take(1)[0]:], t[take(1)[0]:]
	c.maxFlow = newMaxFlow(first, list, head, work, ints)
	ints = ints[flowInts*nodes:]
	if labels > 2 {
		work = work[nodes+arcs:]
		c.messages, c.sums = work[:arcs*labels], work[arcs*labels:][:labels]
	}
	c.keep, c.change, c.fixed = ints[:n], ints[n:2*n], ints[2*n:3*n]
	c.penalty = 1 + c.pairs[c.at[pairs]]
	return c, words
}

// The numbers of a run of CutMoves, in the order of their offsets.
const (
	cutAlive = iota
	cutValue
	cutBound
	cutResidual
	cutTies
	cutRounds
)

// CutMoves runs one round of a method that minimises energies by cuts. The first round chooses
// initial states, and a bound; it is the only one if a cut chooses among all states. Every other
// round tries each move once, and takes those that lower the energy. The residual is by how much it
// fell, or 0 if the states are proven to be best. For the words see cutOf.
func CutMoves(k []int32, s, p []float64, t []int32, _ *Rand) {
	c, run := cutOf(k, s, p, t)
	number := func(i int) *float64 { return &s[run[i]] }
	lower, possible := c.least()
	if !possible {
		*number(cutAlive), *number(cutResidual) = 0, 0
		return
	}
	before := math.Inf(1)
	move := k[cutMove]
	if *number(cutRounds) > 0 {
		before = c.energy(c.state)
		if move == cutChoose {
			move = cutExpand
		}
	} else {
		for i := range c.state {
			c.state[i] = c.best(i)
		}
	}
	switch move {
	case cutChoose:
		lower = c.chooseAll()
	case cutExpand:
		c.expand()
	case cutSwap:
		c.swap()
	}
	if *number(cutRounds) == 0 {
		if c.messages != nil {
			lower = c.sweeps(c.energy(c.state), lower)
		}
		*number(cutBound) = lower
		if c.excludes(lower) {
			*number(cutAlive) = 0
		}
	}
	*number(cutRounds)++
	c.finish(number(cutValue), number(cutResidual), number(cutTies), *number(cutBound), before)
}

// excludes reports whether energies from e on belong to impossible states. The others are less than
// the penalty by at least 1.
func (c *cutModel) excludes(e float64) bool { return e > c.penalty-.5 }

// finish stores the energy of the states and how far the round got.
func (c *cutModel) finish(value, residual, ties *float64, bound, before float64) {
	*value = c.energy(c.state)
	*residual = min(before-*value, math.MaxFloat64)
	*ties = 1
	if *value-bound <= proofGap {
		*residual, *ties = 0, 0
	}
	if c.excludes(*value) {
		*value = math.Inf(1)
	}
}

// least sets the penalty and returns the sum of the least energies of the variables. possible is
// false if some variable has no possible state.
func (c *cutModel) least() (sum float64, possible bool) {
	for i, at := range c.base {
		low, high := math.Inf(1), 0.0
		for _, e := range c.s[at:][:c.card[i]] {
			low = min(low, e)
			if e < impossible {
				high = max(high, e)
			}
		}
		if low >= impossible {
			return 0, false
		}
		sum += low
		c.penalty += high
	}
	return sum, true
}

// best returns the first state of least energy of a variable by itself.
func (c *cutModel) best(i int) (state int32) {
	row := c.s[c.base[i]:][:c.card[i]]
	for x, e := range row {
		if e < row[state] {
			state = int32(x)
		}
	}
	return state
}

// own returns the energy of a state of a variable.
func (c *cutModel) own(i int, state int32) float64 { return min(c.s[c.base[i]+state], c.penalty) }

// pair returns the energy of two states of the variables of a pair.
func (c *cutModel) pair(e int, x, y int32) float64 {
	return min(c.pairs[c.at[e]+x*c.card[c.to[e]]+y], c.penalty)
}

// energy returns the energy of states.
func (c *cutModel) energy(state []int32) float64 {
	sum := 0.0
	for i, x := range state {
		sum += c.own(i, x)
	}
	for e, u := range c.from {
		sum += c.pair(e, state[u], state[c.to[e]])
	}
	return sum
}

// chooseAll chooses among all states of variables with at most two. It returns a bound on the
// energy of all states.
func (c *cutModel) chooseAll() (bound float64) {
	for i := range c.keep {
		c.keep[i], c.change[i], c.fixed[i] = 0, min(1, c.card[i]-1), -1
	}
	bound = c.cut()
	for i := range c.keep {
		if t := c.side(i); t >= 0 {
			c.fixed[i] = min(t, c.change[i])
		}
	}
	c.complete()
	for i := range c.keep {
		if t := c.side(i); t >= 0 {
			c.state[i] = min(t, c.change[i])
		}
	}
	return bound
}

// mostWork bounds the nodes and arcs that complete looks at, which it does again for each variable.
const mostWork = 1 << 28

// complete decides the variables that the cut left open, one after the other: it fixes the first
// open one at its best state by itself, which decides others.
func (c *cutModel) complete() {
	if !c.mirror {
		return
	}
	tries := 1 + mostWork/(c.nodes+len(c.head))
	for i := range c.n {
		if c.side(i) >= 0 {
			continue
		}
		if tries--; tries < 0 {
			return
		}
		force := c.force // towards the source, and the first state
		if c.best(i) != 0 {
			force = -force
		}
		c.terminal[i] += force
		c.terminal[c.n+i] -= force
		c.run()
	}
}

// side returns the choice of variable i by the last cut: 0 or 1, or -1 if it is open.
func (c *cutModel) side(i int) int32 {
	switch {
	case c.beyond(i):
		return 1
	case c.mirror && !c.beyond(c.n+i):
		return -1
	}
	return 0
}

// expand tries to expand each state in turn.
func (c *cutModel) expand() {
	now := c.energy(c.state)
	for label := range int32(c.labels) {
		for i, x := range c.state {
			c.keep[i], c.change[i] = x, x
			if label < c.card[i] && c.open(i) {
				c.change[i] = label
			}
		}
		c.try(&now)
	}
}

// swap tries to swap each pair of states in turn.
func (c *cutModel) swap() {
	now := c.energy(c.state)
	for b := range int32(c.labels) {
		for a := range b {
			for i, x := range c.state {
				c.keep[i], c.change[i] = x, x
				if (x == a || x == b) && b < c.card[i] {
					c.keep[i], c.change[i] = a, b
				}
			}
			c.try(&now)
		}
	}
}

// open reports whether no cut has decided variable i for good.
func (c *cutModel) open(i int) bool { return !c.mirror || c.fixed[i] < 0 }

// moveGain is the least relative gain of a move that is taken, a few times the rounding of
// energies.
const moveGain = 1e-12

// try takes the states that a cut chooses if they lower the energy.
func (c *cutModel) try(now *float64) {
	c.cut()
	for i, x := range c.change {
		if c.side(i) == 1 {
			c.keep[i] = x
		}
	}
	if e := c.energy(c.keep); e < *now-float64(moveGain*max(1, *now)) {
		copy(c.state, c.keep)
		*now = e
	}
}

// cut chooses between the first and the second states by a minimum cut. It returns a bound on the
// energy of all choices, up to lowered energies.
func (c *cutModel) cut() (bound float64) {
	bound = c.capacities()
	c.total = 0
	c.run()
	if c.mirror {
		return bound + c.total/2
	}
	return bound + c.total
}
