package pgmrt

import "math"

// MAPSearch finds a most probable joint state of some variables, the targets, all others summed
// out, by branch and bound. It is a state machine: after Start, as long as More, the caller runs a
// pass and calls Step.
//
// A pass eliminates all variables in any cheap order, targets by maxima and the others by sums,
// which bounds the value from above, for each state of each target at once; and where all targets
// have one state, it is the value. The search goes depth first, by the target with the most
// one-sided bounds, to its better state and then to all others of it. A first value comes from
// climbing: from the best state of each target by itself, to the best change of one target, until
// none is better.
//
// Source: Park and Darwiche 2003, Solving MAP exactly using systematic search.
type MAPSearch struct {
	narrowing
	owner  []int32    // by state: the variable
	open   []bool     // by state: not removed
	left   []int32    // by variable: open states
	trail  []int32    // removed states, in order
	levels []mapLevel // the decisions that lead to the current node
	depth  int

	try   []int32 // states to climb from
	best  []int32 // by variable: the best states so far
	value float64 // the logarithm of their value
	bound float64 // of the current node
	climb int     // remaining steps of climbing; 0 if the pass is over open states
	leaf  bool    // climbing began at a leaf, which is finished
	begun bool
	done  bool
	steps int
}

// mapLevel is a decision for a state: the number of removed states before it, and the bound without
// it.
type mapLevel struct {
	mark  int
	state int32
	bound float64
}

// searchMargin is the least excess of a bound over the best value, relative or as a difference of
// logarithms, that is worth a search. Without it, rounding could make the search go through all
// ties.
const searchMargin = 0x1p-42

// NewMAPSearch returns a search, with all the memory that it needs.
func NewMAPSearch(p *SearchPlan) *MAPSearch {
	m := &MAPSearch{narrowing: newNarrowing(p), done: true}
	n, states := len(p.Vars), len(m.base)
	m.owner, m.open, m.trail = make([]int32, states), make([]bool, states), make([]int32, 0, states)
	m.left, m.levels = make([]int32, n), make([]mapLevel, n)
	m.try, m.best = make([]int32, n), make([]int32, n)
	for i := range p.Vars {
		for k := m.first[i]; k < m.first[i+1]; k++ {
			m.owner[k] = int32(i)
		}
	}
	return m
}

// Start begins a search with the likelihoods in s.
func (m *MAPSearch) Start(s []float64) {
	m.save(s)
	m.trail, m.depth = m.trail[:0], 0
	m.value, m.bound = math.Inf(-1), math.Inf(1)
	m.climb, m.leaf, m.begun, m.done, m.steps = 0, false, false, false, 0
	clear(m.left)
	for k, l := range m.base {
		if m.open[k] = l > 0; m.open[k] {
			m.left[m.owner[k]]++
		}
	}
}

// More reports whether the search needs a pass. If not, the value is proven.
func (m *MAPSearch) More() bool { return !m.done }

// Steps returns the number of passes so far.
func (m *MAPSearch) Steps() int { return m.steps }

// LogP returns the logarithm of the best value so far, relative to the scale of the likelihoods;
// -Inf if there is none.
func (m *MAPSearch) LogP() float64 { return m.value }

// Bound returns the logarithm of a number that no value exceeds.
func (m *MAPSearch) Bound() float64 {
	switch {
	case m.done:
		return m.value
	case m.depth > 0:
		return max(m.value, m.levels[0].bound)
	}
	return max(m.value, m.bound)
}

// States copies the best states so far to state memory.
func (m *MAPSearch) States(t []int32) {
	for i, state := range m.best {
		t[m.plan.Vars[i].State] = state
	}
}

// Stop ends a search before its time, and restores the likelihoods.
func (m *MAPSearch) Stop(s []float64) { m.restore(s) }

// Step uses the result of a pass, and prepares the next one.
func (m *MAPSearch) Step(s []float64, t []int32) {
	m.steps++
	x := m.plan.logRoot(s, t)
	if m.climb > 0 {
		m.climbStep(s, x)
	} else {
		m.node(s, x)
	}
	switch {
	case m.done:
		m.restore(s)
	case m.climb > 0:
		m.narrowTo(s, m.try)
	default:
		m.narrow(s)
	}
}

// better reports whether x exceeds the best value by more than rounding.
func (m *MAPSearch) better(x float64) bool {
	if math.IsInf(x, -1) || math.IsInf(m.value, -1) {
		return x > m.value
	}
	return x > m.value+searchMargin*max(1, math.Abs(m.value))
}

// node processes the bounds of the open states.
func (m *MAPSearch) node(s []float64, x float64) {
	m.bound = min(m.bound, x)
	if !m.better(x) {
		m.back()
		return
	}
	if !m.begun {
		m.begun = true
		m.startClimb(s)
		return
	}
	decided := m.decided()
	if m.plan.Comparable && !decided && !m.prune(s, x) {
		m.back()
		return
	}
	if decided {
		m.improve(x)
		return
	}
	if v := m.choose(s); v >= 0 {
		m.decide(v, m.bestState(s, v))
	}
}

// decided reports whether all targets have one state.
func (m *MAPSearch) decided() bool {
	for _, n := range m.left {
		if n > 1 {
			return false
		}
	}
	return true
}

// prune removes the states with bounds that do not exceed the best value, and reports whether every
// target has a state left. x is the logarithm of the root, which sets the scale of the bounds.
func (m *MAPSearch) prune(s []float64, x float64) bool {
	if math.IsInf(m.value, -1) {
		return true
	}
	limit := s[m.plan.Root] * math.Exp(m.value+searchMargin*max(1, math.Abs(m.value))-x)
	for k := range m.open {
		v := &m.plan.Vars[m.owner[k]]
		if at := k - m.first[m.owner[k]]; m.open[k] && s[v.Out+at]*m.base[k] <= limit {
			m.remove(k)
			if m.left[m.owner[k]] == 0 {
				return false
			}
		}
	}
	return true
}

// remove removes a state.
func (m *MAPSearch) remove(k int) {
	m.open[k] = false
	m.left[m.owner[k]]--
	m.trail = append(m.trail, int32(k))
}

// choose returns the target with a best open state that has the largest share of its bounds; -1 if
// all are decided.
func (m *MAPSearch) choose(s []float64) int {
	best, most := -1, -1.0
	for i := range m.plan.Vars {
		if m.left[i] < 2 {
			continue
		}
		top, sum := 0.0, 0.0
		for k := m.first[i]; k < m.first[i+1]; k++ {
			if m.open[k] {
				x := s[m.plan.Vars[i].Out+k-m.first[i]] * m.base[k]
				top, sum = max(top, x), sum+x
			}
		}
		share := 0.0
		if sum > 0 {
			share = top / sum
		}
		if share > most {
			best, most = i, share
		}
	}
	return best
}

// bestState returns the open state of target i with the largest bound.
func (m *MAPSearch) bestState(s []float64, i int) int {
	best, top := -1, -1.0
	for k := m.first[i]; k < m.first[i+1]; k++ {
		if x := s[m.plan.Vars[i].Out+k-m.first[i]] * m.base[k]; m.open[k] && x > top {
			best, top = k, x
		}
	}
	return best
}

// decide descends to state k of target i.
func (m *MAPSearch) decide(i, k int) {
	m.levels[m.depth] = mapLevel{mark: len(m.trail), state: int32(k), bound: m.bound}
	m.depth++
	for j := m.first[i]; j < m.first[i+1]; j++ {
		if j != k && m.open[j] {
			m.remove(j)
		}
	}
}

// back returns to the alternative of the last decision.
func (m *MAPSearch) back() {
	for m.depth > 0 {
		m.depth--
		l := &m.levels[m.depth]
		for len(m.trail) > l.mark {
			k := m.trail[len(m.trail)-1]
			m.trail = m.trail[:len(m.trail)-1]
			m.open[k] = true
			m.left[m.owner[k]]++
		}
		m.bound = l.bound
		m.remove(int(l.state))
		if m.left[m.owner[l.state]] > 0 {
			return
		}
	}
	m.done = true
}

// climbSteps bounds a climb, which could go on for long by small gains.
const climbSteps = 1000

// startClimb starts a climb from the best state of each target by itself.
func (m *MAPSearch) startClimb(s []float64) {
	for i := range m.plan.Vars {
		m.try[i] = int32(m.bestState(s, i) - m.first[i])
	}
	m.climb, m.leaf = climbSteps, false
}

// improve takes the value of a leaf, and starts a climb from there.
func (m *MAPSearch) improve(x float64) {
	for i := range m.plan.Vars {
		for k := m.first[i]; k < m.first[i+1]; k++ {
			if m.open[k] {
				m.try[i] = int32(k - m.first[i])
			}
		}
	}
	m.climb, m.leaf = climbSteps, true
}

// climbStep takes the value of the current states, and makes the best change of a single one.
func (m *MAPSearch) climbStep(s []float64, x float64) {
	if m.better(x) {
		m.value = x
		copy(m.best, m.try)
	}
	m.climb--
	gain, at := 1+searchMargin, -1
	for k, l := range m.base {
		i := m.owner[k]
		v := &m.plan.Vars[i]
		here := s[v.Out+int(m.try[i])] * m.base[m.first[i]+int(m.try[i])]
		if there := s[v.Out+k-m.first[i]] * l; here > 0 && there > gain*here {
			gain, at = there/here, k
		}
	}
	if at >= 0 && m.climb > 0 {
		i := m.owner[at]
		m.try[i] = int32(at - m.first[i])
		return
	}
	m.climb = 0
	if m.leaf {
		m.back()
	}
}

// narrow removes from the likelihoods the states that are not open.
func (m *MAPSearch) narrow(s []float64) {
	for k, l := range m.base {
		v := &m.plan.Vars[m.owner[k]]
		if !m.open[k] {
			l = 0
		}
		s[v.In+k-m.first[m.owner[k]]] = l
	}
}

// narrowTo removes all states of each target but one.
func (m *MAPSearch) narrowTo(s []float64, states []int32) {
	for i, state := range states {
		m.only(s, i, int(state))
	}
}
