package pgmrt

import "math"

// SearchVar is a variable over which a search decides. Work memory holds its likelihood from In on,
// and from Out on the findings of a pass for each of its states: the value that is left once
// everything else is summed or maximised out, without its own likelihood. State is where state
// memory has its state.
type SearchVar struct{ In, Out, State, Card int }

// SearchPlan describes the passes that a search asks for. A pass leaves its result at Root of work
// memory, times two to the power at Exp of state memory, where that is not negative. Comparable
// says that the numbers of all variables, and Root, have one scale.
type SearchPlan struct {
	Vars       []SearchVar
	Root, Exp  int
	Comparable bool
}

// logRoot returns the natural logarithm of the result of a pass.
func (p *SearchPlan) logRoot(s []float64, t []int32) float64 {
	x := Ln(s[p.Root])
	if p.Exp >= 0 {
		x += float64(float64(t[p.Exp]) * math.Ln2)
	}
	return x
}

// narrowing keeps the likelihoods of the evidence while a search removes states from them.
type narrowing struct {
	plan  *SearchPlan
	first []int     // by variable: its first number in base
	base  []float64 // the likelihoods of the evidence
}

func newNarrowing(p *SearchPlan) narrowing {
	n := narrowing{plan: p, first: make([]int, len(p.Vars)+1)}
	for i := range p.Vars {
		n.first[i+1] = n.first[i] + p.Vars[i].Card
	}
	n.base = make([]float64, n.first[len(p.Vars)])
	return n
}

func (n *narrowing) save(s []float64) {
	for i := range n.plan.Vars {
		v := &n.plan.Vars[i]
		copy(n.base[n.first[i]:n.first[i+1]], s[v.In:v.In+v.Card])
	}
}

func (n *narrowing) restore(s []float64) {
	for i := range n.plan.Vars {
		v := &n.plan.Vars[i]
		copy(s[v.In:v.In+v.Card], n.base[n.first[i]:n.first[i+1]])
	}
}

// only removes all states of variable i but one.
func (n *narrowing) only(s []float64, i, state int) {
	v := &n.plan.Vars[i]
	clear(s[v.In : v.In+v.Card])
	s[v.In+state] = n.base[n.first[i]+state]
}
