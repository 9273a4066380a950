package pgmrt

import "math"

// Completions finds the most probable completions of evidence, best first, by passes of maxima up
// and down a clique tree. It is a state machine: after Start, as long as More, the caller runs a
// pass and calls Step.
//
// A completion that was found stands for a part of the space, in which it is the best. The pass
// over a part shows the second best value in it, and a state of a variable by which that differs:
// max-marginals tell without ties being any matter, since they need not belong only to the best.
// The part with the best second best of all is split in two by that state, so that a completion
// takes two passes. A part is no list of states, but the splits that led to it.
//
// Sources: Nilsson 1998, An efficient algorithm for finding the M most probable configurations in
// probabilistic expert systems; Yanover and Weiss 2003, Finding the M most probable configurations
// using loopy belief propagation.
type Completions struct {
	narrowing
	states []int32 // the states of completion k begin at k times the number of variables
	logp   []float64
	split  []choice // by completion: the state that its part has in common; unused for the first
	parent []int32  // the part from which this one was split
	second []choice // the second best completion of each part
	want   int
	found  int
	part   int  // the current part; negative if the search is over
	fresh  bool // the best completion of the current part is not known yet
}

// choice is a state of a variable, and the best value with it.
type choice struct {
	v, state int32
	logp     float64
}

// NewCompletions returns a search for up to k completions, with all the memory that it needs.
func NewCompletions(p *SearchPlan, k int) *Completions {
	return &Completions{
		narrowing: newNarrowing(p), states: make([]int32, k*len(p.Vars)), logp: make([]float64, k),
		split: make([]choice, k), parent: make([]int32, k), second: make([]choice, k), part: -1,
	}
}

// Start begins a search for up to k completions with the likelihoods in s.
func (c *Completions) Start(s []float64, k int) {
	c.save(s)
	c.want, c.found, c.part, c.fresh = min(k, len(c.logp)), 0, -1, true
	if c.want > 0 {
		c.part = 0
	}
}

// More reports whether the search needs a pass.
func (c *Completions) More() bool { return c.part >= 0 }

// Found returns the number of completions so far.
func (c *Completions) Found() int { return c.found }

// LogP returns the logarithm of the value of completion k, relative to the scale of the
// likelihoods.
func (c *Completions) LogP(k int) float64 { return c.logp[k] }

// States copies the states of completion k to state memory.
func (c *Completions) States(k int, t []int32) {
	for i, state := range c.states[k*len(c.plan.Vars) : (k+1)*len(c.plan.Vars)] {
		t[c.plan.Vars[i].State] = state
	}
}

// Stop ends a search before its time, and restores the likelihoods.
func (c *Completions) Stop(s []float64) { c.end(s) }

// Step uses the result of a pass, and prepares the next one.
func (c *Completions) Step(s []float64, t []int32) {
	if c.fresh {
		if s[c.plan.Root] == 0 { // no completion, or one whose probability underflows
			c.end(s)
			return
		}
		c.take(s, t)
	}
	if c.found == c.want {
		c.end(s)
		return
	}
	c.second[c.part] = c.runnerUp(s)
	if c.fresh && c.part > 0 {
		c.part, c.fresh = int(c.parent[c.part]), false
	} else if !c.next() {
		c.end(s)
		return
	}
	c.narrow(s)
}

func (c *Completions) end(s []float64) {
	c.part = -1
	c.restore(s)
}

// take stores the best completion of a part.
func (c *Completions) take(s []float64, t []int32) {
	n := len(c.plan.Vars)
	for i := range c.plan.Vars {
		c.states[c.part*n+i] = t[c.plan.Vars[i].State]
	}
	c.logp[c.part] = c.plan.logRoot(s, t)
	if c.part > 0 {
		c.logp[c.part] = min(c.logp[c.part], c.logp[c.part-1]) // a larger value could only be rounding
	}
	c.found++
}

// runnerUp returns the best choice of the current part other than its best completion. The numbers
// of each variable have their own scale, in which the largest belongs to the best completion of the
// part.
func (c *Completions) runnerUp(s []float64) choice {
	out, most := choice{logp: math.Inf(-1)}, 0.0
	n := len(c.plan.Vars)
	for i, best := range c.states[c.part*n : (c.part+1)*n] {
		v := &c.plan.Vars[i]
		top, other, at := 0.0, 0.0, 0
		for k, l := range s[v.In : v.In+v.Card] {
			if l == 0 {
				continue
			}
			x := l * s[v.Out+k]
			top = max(top, x)
			if x > other && k != int(best) {
				other, at = x, k
			}
		}
		if other > most*top {
			most = other / top
			out.v, out.state = int32(i), int32(at)
		}
	}
	if most > 0 {
		out.logp = c.logp[c.part] + Ln(most)
	}
	return out
}

// next splits the part with the best runner-up, and reports whether there is one.
func (c *Completions) next() bool {
	from := 0
	for k := 1; k < c.found; k++ {
		if c.second[k].logp > c.second[from].logp {
			from = k
		}
	}
	if math.IsInf(c.second[from].logp, -1) {
		return false
	}
	c.part, c.fresh = c.found, true
	c.parent[c.part], c.split[c.part] = int32(from), c.second[from]
	c.second[from].logp = math.Inf(-1)
	return true
}

// narrow removes from the likelihoods the states outside the current part: the states by which
// parts were split off from it, or before it from its ancestors, and all but the state by which it
// was split off itself.
func (c *Completions) narrow(s []float64) {
	c.restore(s)
	end := c.found
	for k := c.part; ; k = int(c.parent[k]) {
		for j := k + 1; j < end; j++ {
			if int(c.parent[j]) == k {
				s[c.plan.Vars[c.split[j].v].In+int(c.split[j].state)] = 0
			}
		}
		if k == 0 {
			return
		}
		c.only(s, int(c.split[k].v), int(c.split[k].state))
		end = k
	}
}
