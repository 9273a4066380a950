package bound

import (
	"math"
	"math/rand/v2"
)

// climber improves a joint state one variable at a time. It keeps, for each state of each variable,
// the value of the factors that have the variable if nothing else changes.
type climber struct {
	*Problem
	log       [][]float64 // by factor: with a large penalty instead of -Inf
	factorsOf [][]int     // by variable: its factors
	state     []int
	score     [][]float64
	tabu      [][]int // by variable and state: the step from which it may be taken again
	value     float64 // of state, with penalties
	best      float64
	states    []int // of value best
}

// newClimber returns a climber at a joint state.
func newClimber(p *Problem, at []int) *climber {
	c := &climber{Problem: p, factorsOf: make([][]int, len(p.Card)), state: make([]int, len(p.Card))}
	copy(c.state, at)
	least := 0.0
	for i := range p.Factors {
		for _, x := range p.Factors[i].Log {
			if !math.IsInf(x, -1) {
				least = min(least, x)
			}
		}
	}
	for i := range p.Factors {
		f := &p.Factors[i]
		log := make([]float64, len(f.Log))
		for k, x := range f.Log {
			log[k] = max(x, 2*least-10)
		}
		c.log = append(c.log, log)
		for _, v := range f.Scope {
			c.factorsOf[v] = append(c.factorsOf[v], i)
		}
	}
	for _, n := range p.Card {
		c.score, c.tabu = append(c.score, make([]float64, n)), append(c.tabu, make([]int, n))
	}
	for i := range p.Factors {
		c.value += c.log[i][c.index(i)]
		c.count(i, 1)
	}
	c.record()
	return c
}

// index returns the place of the present states in factor i.
func (c *climber) index(i int) int {
	at := 0
	for _, v := range c.Factors[i].Scope {
		at = at*c.Card[v] + c.state[v]
	}
	return at
}

// count adds factor i to the scores of its variables, sign times.
func (c *climber) count(i int, sign float64) {
	scope := c.Factors[i].Scope
	at, step := c.index(i), 1
	for j := len(scope) - 1; j >= 0; j-- {
		v := scope[j]
		first := at - c.state[v]*step
		for k := range c.score[v] {
			c.score[v][k] += sign * c.log[i][first+k*step]
		}
		step *= c.Card[v]
	}
}

// record keeps the present states if they are possible and better than the best.
func (c *climber) record() {
	if c.states != nil && c.value <= c.best {
		return
	}
	exact := c.Problem.Value(c.state)
	if c.states == nil || exact > c.best {
		c.best = exact
		c.states = append(c.states[:0], c.state...)
	}
}

// set gives v a state.
func (c *climber) set(v, k int) {
	c.value += c.score[v][k] - c.score[v][c.state[v]]
	for _, i := range c.factorsOf[v] {
		c.count(i, -1)
	}
	c.state[v] = k
	for _, i := range c.factorsOf[v] {
		c.count(i, 1)
	}
}

// run takes some steps of tabu search (Glover 1989): each to the best neighbour that is not tabu,
// or that is better than all states so far. A state that was left is tabu for some steps.
func (c *climber) run(steps int, rng *rand.Rand, stop func() bool) {
	for step := 1; step <= steps; step++ {
		if step&63 == 0 && stop() {
			return
		}
		v, to, gain := -1, 0, math.Inf(-1)
		for u, scores := range c.score {
			now := scores[c.state[u]]
			for k, x := range scores {
				if k != c.state[u] && x-now > gain && (c.tabu[u][k] <= step || c.value+x-now > c.best) {
					v, to, gain = u, k, x-now
				}
			}
		}
		if v < 0 {
			continue // all are tabu
		}
		c.tabu[v][c.state[v]] = step + 5 + rng.IntN(10)
		c.set(v, to)
		c.record()
	}
}

// greedy returns the states that e's tables prefer, each given the states of the variables that
// come after it in the order of elimination.
func (s *pseudo) greedy(e *elimination) []int {
	state := make([]int, len(s.Card))
	for i := len(s.order) - 1; i >= 0; i-- {
		v := s.order[i]
		value, below := make([]float64, s.Card[v]), make([]float64, s.Card[v])
		s.choices(v, state, value)
		for _, c := range s.children[v] {
			s.below(e, c, state, below)
			for k, x := range below {
				value[k] += x
			}
		}
		for k, x := range value {
			if x > value[state[v]] {
				state[v] = k
			}
		}
	}
	return state
}
