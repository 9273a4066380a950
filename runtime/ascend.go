package pgmrt

import "math"

// ascend takes subgradient steps on the dual of the linear relaxation of a most probable completion
// (Komodakis, Paragios and Tziritas 2007, MRF optimization via dual decomposition): each factor and
// each variable is a subproblem of its own, and messages move energies between them. Descent along
// one message after another may stop above the optimum of the relaxation, since the bound is not
// smooth; subgradients do not.
//
// The joint states that subproblems choose are counted. Their shares tend to a solution of the
// relaxation (Larsson, Patriksson and Strömberg 1999, Ergodic, primal convergence in dual
// subgradient schemes), which is rounded to one joint state.
type ascend struct {
	n, factors, steps int
	card, row         []int32 // by variable: its number of states, and the place of its first among all
	scope             []int32 // by factor: the place of its first edge, and the end
	vars, stride      []int32 // by edge: its variable, and the step of its states in the factor's table
	at                []int32 // by edge: the place of its message among all of them, and the end
	cell              []int32 // by factor: the place of its first joint state among all, and the end
	edges, list       []int32 // by variable: the place in list of its first edge, and the end
	s, p              []float64
	base              []int32   // by variable: the offset of its energies in s
	moving, constant  []int32   // by factor: the offsets of its table in s, or -1, and in p if that is -1
	message, own      []int32   // by edge: the offsets in s of the message of the method, and of the subgradient's
	belief            []float64 // of one variable at a time
	direction         []float64 // by state of each message
	visits            []int32   // by joint state of each factor: how often it was chosen
	chosen, place     []int32   // by variable: its state; by factor: the place of its states in its table
	fixed             []int32   // by variable: its state after rounding, or -1
	halvings          *int32    // of the length of a step
	state             []int32
	gain, least       float64
	before, rounds    float64
	residual, value   *float64
}

// The words of AscendDual after the place of the states, up to those for each variable.
const (
	ascendVars = 1 + iota
	ascendFactors
	ascendEdges
	ascendSteps
	ascendHeader
)

// ascendOf reads the words of AscendDual: the place of the states; the numbers of variables, of
// factors, of edges and of steps; by variable its number of states, and the place of its first
// among all, and the end; by factor the place of its first edge, and the end; by edge its variable
// and its stride; by edge the place of its message among all, and the end; by factor the place of
// its first joint state among all, and the end; by variable the place of its first edge in the
// list, and the end; the list; then the offsets of the energies of variables, of the tables of
// factors that change, or -1, of those that are constant, of the last gain of the bound, of the
// least energy so far, of the bound before and of the number of rounds; of work memory and of
// integers; of the residual, of the energy of the states, and by edge of both messages.
func ascendOf(k []int32, s, p []float64, t []int32) (c ascend) {
	n, factors, edges := int(k[ascendVars]), int(k[ascendFactors]), int(k[ascendEdges])
	words := k[ascendHeader:]
	take := func(n int) []int32 {
		part := words[:n]
		words = words[n:]
		return part
	}
	c = ascend{n: n, factors: factors, steps: int(k[ascendSteps]), s: s, p: p, state: t[k[0]:][:n]}
	c.card, c.row, c.scope = take(n), take(n+1), take(factors+1)
	c.vars, c.stride, c.at = take(edges), take(edges), take(edges+1)
	c.cell, c.edges, c.list = take(factors+1), take(n+1), take(edges)
	c.base = take(n)
	c.moving, c.constant = take(factors), take(factors)
	run := take(4)
	c.gain, c.least, c.before, c.rounds = s[run[0]], s[run[1]], s[run[2]], s[run[3]]
	work := s[take(1)[0]:]
	c.belief, c.direction = work[:c.row[n]], work[c.row[n]:][:c.at[edges]]
	ints := t[take(1)[0]:]
	c.visits, ints = ints[:c.cell[factors]], ints[c.cell[factors]:]
	c.chosen, c.fixed, c.place = ints[:n], ints[n:2*n], ints[2*n:][:factors]
	c.halvings = &ints[2*n+factors]
	c.residual, c.value = &s[take(1)[0]], &s[take(1)[0]]
	c.message, c.own = take(edges), take(edges)
	return c
}

// Steps go from the messages of the largest bound so far along a mean of the subgradients since, to
// which the latest has the weight turnShare (Barahona and Anbil 2000, The volume algorithm). A step
// gains a share of the gap if the bound rises as its slope promises (Polyak 1969). That share is
// halved after mostFailed steps without a larger bound, and doubled after one with it; after
// mostHalvings the bound counts as the optimum. On 61 relaxations on which sweeps stall, these
// numbers came within a hundredth of the gap by 3,000 steps a call.
const (
	turnShare    = .01
	mostFailed   = 50
	mostHalvings = 20
	flatNorm     = 1e-12 // of the square of a mean that counts as 0
)

// AscendDual takes subgradient steps if the bound of a method has stalled, and hands the messages
// of the largest bound to the method. Its sweeps go on from there. States that round the choices so
// far replace the present ones if their energy is less. While steps are long enough the residual
// stays above 0. For the words see ascendOf.
func AscendDual(k []int32, s, p []float64, t []int32, _ *Rand) {
	c := ascendOf(k, s, p, t)
	if c.rounds == 0 {
		*c.halvings = 0
	}
	gap := c.least - c.before
	if c.rounds < 2 || gap <= proofGap || c.least >= impossible || c.gain > float64(stallShare*gap) || *c.halvings >= mostHalvings {
		return
	}
	clear(c.visits)
	best := c.dual(c.message)
	if best >= impossible {
		return
	}
	clear(c.direction)
	c.turn(1)
	for i, failed := 0, 0; i < c.steps && *c.halvings < mostHalvings && c.step(math.Ldexp(c.least-best, -int(*c.halvings))); i++ {
		now := c.dual(c.own)
		c.turn(turnShare)
		if failed++; now > best {
			best, failed = now, 0
			c.copy(c.message, c.own)
			*c.halvings = max(0, *c.halvings-1)
		} else if failed == mostFailed {
			failed = 0
			*c.halvings++
		}
	}
	c.round()
	if *c.halvings < mostHalvings {
		*c.residual = max(*c.residual, c.least-best)
	}
}

// copy copies all messages.
func (c *ascend) copy(to, from []int32) {
	for e := range to {
		n := int(c.at[e+1] - c.at[e])
		copy(c.s[to[e]:][:n], c.s[from[e]:][:n])
	}
}

// dual returns the bound of some messages: the sum of the least energies of variables, from which
// their messages are taken, and of factors, to which they are added. It notes and counts the states
// that have them; of equal ones the first.
func (c *ascend) dual(message []int32) (sum float64) {
	for v := range c.n {
		e := c.belief[c.row[v]:c.row[v+1]]
		copy(e, c.s[c.base[v]:])
		for _, i := range c.list[c.edges[v]:c.edges[v+1]] {
			for x := range e {
				e[x] -= c.s[int(message[i])+x]
			}
		}
		least := math.Inf(1)
		for x, y := range e {
			if y < least && y > -impossible { // messages about impossible states are infinite
				least, c.chosen[v] = y, int32(x)
			}
		}
		sum += least
	}
	for f := range c.factors {
		sum += c.factor(f, message)
	}
	return sum
}

// factor returns the least energy of factor f with messages, and counts its states.
func (c *ascend) factor(f int, message []int32) float64 {
	table := c.tableOf(f)
	least, first := math.Inf(1), c.scope[f]
	for i, y := range table {
		if y >= impossible {
			continue
		}
		for e := first; e < c.scope[f+1]; e++ {
			y += c.s[message[e]+int32(i)/c.stride[e]%c.card[c.vars[e]]]
		}
		if y < least {
			least, c.place[f] = y, int32(i)
		}
	}
	c.visits[c.cell[f]+c.place[f]]++
	return least
}

// tableOf returns the energies of factor f.
func (c *ascend) tableOf(f int) []float64 {
	n := int(c.cell[f+1] - c.cell[f])
	if at := c.moving[f]; at >= 0 {
		return c.s[at:][:n]
	}
	return c.p[c.constant[f]:][:n]
}

// turn moves the direction a share of the way to the subgradient of the last choices: up where a
// factor chose a state of a variable, and down at the variable's own choice.
func (c *ascend) turn(share float64) {
	for i := range c.direction {
		c.direction[i] *= 1 - share
	}
	for f := range c.factors {
		for e := c.scope[f]; e < c.scope[f+1]; e++ {
			if x, y := c.chosenBy(f, e), c.chosen[c.vars[e]]; x != y {
				c.direction[c.at[e]+x] += share
				c.direction[c.at[e]+y] -= share
			}
		}
	}
}

// step sets the messages of the subgradient to the method's and a step along the direction, which
// gains so much by its slope. It reports false if the direction is 0: no step gains anything.
func (c *ascend) step(gain float64) bool {
	norm := 0.0
	for _, d := range c.direction {
		norm += float64(d * d)
	}
	if norm <= flatNorm {
		return false
	}
	by := gain / norm
	for e, at := range c.own {
		direction := c.direction[c.at[e]:c.at[e+1]]
		for x, y := range c.s[c.message[e]:][:len(direction)] {
			c.s[int(at)+x] = y + float64(by*direction[x])
		}
	}
	return true
}

// chosenBy returns the state that factor f chose for the variable of its edge e.
func (c *ascend) chosenBy(f int, e int32) int32 {
	return c.place[f] / c.stride[e] % c.card[c.vars[e]]
}
