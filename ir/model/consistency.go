package model

import (
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Consistency describes whether the CPDs of a dependency network are the conditionals of one joint
// distribution. If all numbers are positive, they are if and only if any two CPDs agree on how
// changing both of their variables changes the odds, whichever variable changes first: by the CPD
// of one and then by the other's, around a cycle of four joint states.
//
// Source: the condition on four states is Kolmogorov's criterion for a reversible chain. Cycles of
// four states suffice, since they span all cycles of single changes; this fact underlies the
// theorem of Hammersley and Clifford (Besag 1974).
type Consistency struct {
	Pairs   int           // number of pairs of variables with one in the CPD of the other
	Partly  int           // pairs for which not all states were compared
	Zeros   bool          // some CPD that was compared holds 0
	Largest float64       // the largest disagreement: the logarithm of the odds ratio, in nats
	Vars    [2]VarID      // the variables of that disagreement
	States  [2][2]int     // two states of each, which span the cycle
	Given   map[VarID]int // the states of other variables there, as far as they matter
	proven  bool          // the disagreement does not depend on states that other zeros make impossible
}

// Verdict is the conclusion about a dependency network.
type Verdict uint8

// The verdicts. Impossible states may have any conditionals, so zeros can leave the question open.
const (
	Consistent Verdict = iota
	Inconsistent
	Open
)

var verdictNames = [...]string{"consistent", "inconsistent", "open"}

// String returns the name of the verdict.
func (v Verdict) String() string { return verdictNames[v] }

// Verdict returns the verdict. It treats disagreements of at most tolerance as rounding.
func (c *Consistency) Verdict(tolerance float64) Verdict {
	switch {
	case c.Largest > tolerance && (c.proven || !c.Zeros):
		return Inconsistent
	case c.Largest <= tolerance && c.Partly == 0 && !c.Zeros:
		return Consistent
	}
	return Open
}

// Consistency compares all pairs of CPDs in about work steps. Each pair gets an equal share, but at
// least enough for a first comparison. The model is a dependency network that passed Check.
func (m *Model) Consistency(work int) *Consistency {
	c := &Consistency{}
	cpd, cost := make([]*Factor, len(m.Vars)), make([]int, len(m.Vars))
	for _, f := range m.Factors {
		cpd[f.ChildVar()], cost[f.ChildVar()] = f, f.Dist.Work(m, f)
	}
	var pairs [][2]VarID
	for v := range m.Vars {
		for _, p := range cpd[v].Parents() {
			if p < VarID(v) || !slices.Contains(cpd[p].Scope, VarID(v)) { // each pair once
				pairs = append(pairs, [2]VarID{min(p, VarID(v)), max(p, VarID(v))})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y [2]VarID) int { return slices.Compare(x[:], y[:]) })
	c.Pairs = len(pairs)
	state := make([]int, len(m.Vars))
	for i := range state {
		state[i] = -1
	}
	left := 2 * work
	for _, p := range pairs {
		share := work / len(pairs)
		b := &between{m: m, c: c, vars: p, cpd: [2]*Factor{cpd[p[0]], cpd[p[1]]}, cost: cost[p[0]] + cost[p[1]], state: state}
		b.work = max(share, b.compareCost()+leastLooks*b.lookCost())
		if left -= b.work; left < 0 || b.circles() > float64(work) {
			c.Partly++
			continue
		}
		for i := range b.rows {
			b.rows[i] = make([]float64, m.Card(p[0])*m.Card(p[1]))
		}
		b.look()
		state[p[0]], state[p[1]] = -1, -1
		if b.work < 0 {
			c.Partly++
		}
	}
	return c
}

// leastLooks is the number of states of other variables that a pair may fix before its first
// comparison, however small its share of the work.
const leastLooks = 16

// between compares two CPDs.
type between struct {
	m     *Model
	c     *Consistency
	vars  [2]VarID
	cpd   [2]*Factor
	cost  int          // steps to evaluate both CPDs
	state []int        // negative where unknown
	given []VarID      // the known variables, in the order in which they were fixed
	rows  [2][]float64 // numbers of each CPD by the states of both variables, the second one fastest
	work  int          // steps left; negative once they are used up
}

// look enumerates the states of the other variables, as far as a CPD depends on them.
func (b *between) look() {
	if b.work -= b.lookCost(); b.work < 0 {
		return
	}
	u := b.asked()
	if u < 0 {
		b.compare()
		return
	}
	b.given = append(b.given, u)
	for s := range b.m.Card(u) {
		b.state[u] = s
		b.look()
	}
	b.state[u] = -1
	b.given = b.given[:len(b.given)-1]
}

// asked returns another variable that a CPD depends on in some state of the two, or -1 if there is
// none.
func (b *between) asked() VarID {
	for i, f := range b.cpd {
		b.state[b.vars[i]] = 0
		for s := range b.m.Card(b.vars[1-i]) {
			b.state[b.vars[1-i]] = s
			if u := b.m.asked(f, b.state); u >= 0 {
				return u
			}
		}
	}
	return -1
}

// circles returns the approximate number of cycles in one state of the other variables.
func (b *between) circles() float64 {
	n, k := float64(b.m.Card(b.vars[0])), float64(b.m.Card(b.vars[1]))
	return n * n * k * k / 4
}

// lookCost returns the number of steps that asked takes.
func (b *between) lookCost() int {
	return b.cost * max(b.m.Card(b.vars[0]), b.m.Card(b.vars[1]))
}

// compareCost returns the number of steps of a comparison in one state of the other variables.
func (b *between) compareCost() int {
	return int(min(b.circles(), math.MaxInt32)) + b.cost*b.m.Card(b.vars[0])*b.m.Card(b.vars[1])
}

// compare checks all cycles through two states of each of the two variables.
func (b *between) compare() {
	n, k := b.m.Card(b.vars[0]), b.m.Card(b.vars[1])
	b.work -= b.compareCost()
	for s := range n {
		for t := range k {
			b.state[b.vars[0]], b.state[b.vars[1]] = s, t
			for i, f := range b.cpd {
				x := b.m.Value(f, b.state)
				b.rows[i][s*k+t] = x
				b.c.Zeros = b.c.Zeros || x == 0
			}
		}
	}
	p, q := b.rows[0], b.rows[1]
	for s := range n {
		for s2 := range s {
			for t := range k {
				for t2 := range t {
					there := [4]float64{p[s*k+t], q[s2*k+t], p[s2*k+t2], q[s*k+t2]}
					back := [4]float64{p[s2*k+t], q[s2*k+t2], p[s*k+t2], q[s*k+t]}
					if d := disagreement(there, back); d > b.c.Largest {
						b.note(d, [2][2]int{{s2, s}, {t2, t}})
					}
				}
			}
		}
	}
}

// disagreement returns the absolute difference of the logarithms of two products, or 0 if both
// products are 0.
func disagreement(x, y [4]float64) float64 {
	zeroX, zeroY := slices.Contains(x[:], 0), slices.Contains(y[:], 0)
	switch {
	case zeroX && zeroY:
		return 0
	case zeroX || zeroY:
		return math.Inf(1)
	}
	sum := 0.0
	for i := range x {
		sum += pgmrt.Ln(x[i]) - pgmrt.Ln(y[i])
	}
	return math.Abs(sum)
}

// note records the largest disagreement. If there are only two binary variables, the four states
// are all joint states. At least one of them is then possible, and so are those that are reached
// from it around the cycle without a zero.
func (b *between) note(d float64, states [2][2]int) {
	c := b.c
	c.Largest, c.Vars, c.States, c.Given = d, b.vars, states, map[VarID]int{}
	for _, u := range b.given {
		c.Given[u] = b.state[u]
	}
	c.proven = len(b.given) == 0 && b.m.Card(b.vars[0]) == 2 && b.m.Card(b.vars[1]) == 2
}
