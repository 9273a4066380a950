package pgmrt

import "math"

// polish is a local search for states of less energy, which changes one variable at a time.
// Energies are at least 0, and an impossible one counts as penalty, which exceeds the sum of the
// largest finite ones: so the search first leaves impossible states, and then improves possible
// ones.
type polish struct {
	card, row      []int32 // by variable: its number of states, and the place of its first in gains
	scope          []int32 // by factor: the place of its first edge, and the end
	vars, stride   []int32 // by edge: its variable, and the step of its states in the factor's table; if negative, from the last state
	edges          []int32 // by variable: the place in list of its first edge, and the end
	list, factor   []int32 // edges by variable; by edge: its factor
	base, table    []int32 // by variable: the offset of its energies in s; by factor: of its table in p
	s, p           []float64
	penalty        float64
	gains          []float64 // by state of each variable: the energy of what has it, given all other states
	state, best    []int32
	until          []int32 // by state of each variable: the move before which it is not taken again
	tenure, budget int32
	search         bool
	value          *float64
}

// The words of PolishStates after the place of the states, up to those for each variable.
const (
	polishVars = 1 + iota
	polishFactors
	polishEdges
	polishTenure
	polishBudget
	polishHeader
)

// polishOf reads the words of PolishStates: the place of the states; the numbers of variables, of
// factors and of edges, the tenure and the largest number of moves; by variable its number of
// states, and the place of its first among all; by factor the place of its first edge, and the end;
// by edge its variable and its stride; by variable the place of its first edge in the list, and the
// end; the list, and by edge its factor; then the offsets of the energies of variables, of the
// tables of factors, of the sum of their largest finite energies and of the number of rounds
// before; of work memory, of integers, and of the energy of the states.
func polishOf(k []int32, s, p []float64, t []int32) (c polish) {
	n, factors, edges := int(k[polishVars]), int(k[polishFactors]), int(k[polishEdges])
	words := k[polishHeader:]
	take := func(n int) []int32 {
		part := words[:n]
		words = words[n:]
		return part
	}
	c = polish{s: s, p: p, tenure: k[polishTenure], budget: k[polishBudget], state: t[k[0]:][:n]}
	c.card, c.row = take(n), take(n+1)
	c.scope, c.vars, c.stride = take(factors+1), take(edges), take(edges)
	c.edges, c.list, c.factor = take(n+1), take(edges), take(edges)
	c.base, c.table = take(n), take(factors)
	c.penalty = 1 + p[take(1)[0]]
	rounds := int(s[take(1)[0]])
	c.search = rounds&(rounds-1) == 0
	all := c.row[n]
	c.gains = s[take(1)[0]:][:all]
	ints := t[take(1)[0]:]
	c.best, c.until = ints[:n], ints[n:][:all]
	c.value = &s[take(1)[0]]
	return c
}

// polishTie is the difference of energies, relative to the penalty, that counts as rounding.
const polishTie = 1e-10

// PolishStates improves states by changing one variable at a time as long as that lowers the
// energy; and after 0, 1, 2, 4, 8, ... rounds by tabu search, which also takes the best change if
// none does, but does not return to a state for some moves (Glover 1989). Of equally good changes
// it takes the first, beginning with another variable each time. For the words see polishOf.
func PolishStates(k []int32, s, p []float64, t []int32, _ *Rand) {
	c := polishOf(k, s, p, t)
	if !c.start() {
		return
	}
	now := c.energy()
	least := now
	tie := float64(polishTie * c.penalty)
	copy(c.best, c.state)
	clear(c.until)
	for move := range c.budget {
		i, x, delta := c.next(move, least-now-tie, tie)
		if i < 0 || !c.search && delta >= -tie {
			break
		}
		c.until[c.row[i]+c.state[i]] = move + c.tenure
		c.set(i, x)
		if now += delta; now < least-tie {
			least = now
			copy(c.best, c.state)
		}
	}
	copy(c.state, c.best)
	if *c.value = c.energy(); *c.value > c.penalty-.5 {
		*c.value = math.Inf(1)
	}
}

// start adds the largest energies of variables to the penalty, and sets gains. It reports false if
// some variable has no possible state.
func (c *polish) start() bool {
	for i, at := range c.base {
		low, high := math.Inf(1), 0.0
		for _, e := range c.s[at:][:c.card[i]] {
			low = min(low, e)
			if e < impossible {
				high = max(high, e)
			}
		}
		if low >= impossible {
			return false
		}
		c.penalty += high
	}
	for i, at := range c.base {
		row := c.gains[c.row[i]:c.row[i+1]]
		for x := range row {
			row[x] = min(c.s[int(at)+x], c.penalty)
		}
		for _, e := range c.list[c.edges[i]:c.edges[i+1]] {
			c.add(e, 1)
		}
	}
	return true
}

// add adds sign times the energies of the factor of edge e, given the other states, to the gains of
// its variable.
func (c *polish) add(e int32, sign float64) {
	f, i := c.factor[e], c.vars[e]
	at := c.place(f) - int(c.stride[e]*c.state[i])
	table := c.p[c.table[f]:]
	row := c.gains[c.row[i]:c.row[i+1]]
	for x := range row {
		row[x] += float64(sign * min(table[at+x*int(c.stride[e])], c.penalty))
	}
}

// place returns the index of the present states in the table of a factor.
func (c *polish) place(f int32) (at int) {
	for e := c.scope[f]; e < c.scope[f+1]; e++ {
		v, step := c.vars[e], c.stride[e]
		at += int(step*c.state[v] - min(step, 0)*(c.card[v]-1))
	}
	return at
}

// energy returns the energy of the present states.
func (c *polish) energy() (sum float64) {
	for i, at := range c.base {
		sum += min(c.s[at+c.state[i]], c.penalty)
	}
	for f, at := range c.table {
		sum += min(c.p[int(at)+c.place(int32(f))], c.penalty)
	}
	return sum
}

// next returns the change that lowers the energy most, or raises it least, and by how much. Those
// that are tabu must lower it by more than to a new minimum, which is aspire away. It returns -1 if
// there is none.
func (c *polish) next(move int32, aspire, tie float64) (variable int, state int32, delta float64) {
	variable, delta = -1, math.Inf(1)
	n := len(c.card)
	for k := range n {
		i := (k + int(move)) % n
		row := c.gains[c.row[i]:c.row[i+1]]
		until := c.until[c.row[i]:][:len(row)]
		for x, e := range row {
			d := e - row[c.state[i]]
			if d < delta-tie && int32(x) != c.state[i] && (until[x] <= move || d < aspire) {
				variable, state, delta = i, int32(x), d
			}
		}
	}
	return variable, state, delta
}

// set changes the state of a variable, and the gains of its neighbours.
func (c *polish) set(i int, x int32) {
	list := c.list[c.edges[i]:c.edges[i+1]]
	for _, sign := range [...]float64{-1, 1} {
		for _, e := range list {
			f := c.factor[e]
			for o := c.scope[f]; o < c.scope[f+1]; o++ {
				if o != e {
					c.add(o, sign)
				}
			}
		}
		c.state[i] = x
	}
}
