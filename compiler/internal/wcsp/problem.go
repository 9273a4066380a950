package wcsp

import (
	"math"
	"slices"
)

// Factor is a table of natural logarithms, -Inf for zero, row-major over its scope. A scope has no
// variable twice.
type Factor struct {
	Scope []int
	Log   []float64
}

// At returns the logarithm at a joint state of all variables, which have card states.
func (f *Factor) At(card, x []int) float64 { return f.Log[rowMajor(f.Scope, card, x)] }

// rowMajor returns the place of a joint state of all variables in a table over scope.
func rowMajor(scope, card, x []int) int {
	i := 0
	for _, v := range scope {
		i = i*card[v] + x[v]
	}
	return i
}

// Energies of one joint state sum to less than 2^sumBits, in units of at least 2^-mostScale nats.
const (
	sumBits   = 58
	mostScale = 44
	inf       = int64(1) << 61 // of impossible rows, and more than any sum
)

// energies is a problem in integers: each number is what its factor lacks to its largest one.
type energies struct {
	card  []int
	tabs  []table
	base  float64 // the sum of the largest logarithms
	alone int64   // the energy of tables without variables
	scale float64 // units in a nat
	round int64   // by how much rounding may have moved the energy of a joint state
}

// table has the energies of a factor, row-major over its scope.
type table struct {
	scope []int
	e     []int64
}

// newEnergies returns a problem in integers; nil if a factor is zero everywhere.
func newEnergies(card []int, factors []Factor) *energies {
	p := &energies{card: card}
	sum := 1.0
	for i := range factors {
		low, high := extent(factors[i].Log)
		if math.IsInf(high, -1) {
			return nil
		}
		p.base += high
		sum += high - low
	}
	p.scale = math.Exp2(math.Min(mostScale, math.Floor(sumBits-1-math.Log2(sum))))
	for i := range factors {
		f := &factors[i]
		_, high := extent(f.Log)
		t := table{slices.Clone(f.Scope), make([]int64, len(f.Log))}
		for k, x := range f.Log {
			if t.e[k] = inf; !math.IsInf(x, -1) {
				t.e[k] = int64(math.Round((high - x) * p.scale))
			}
		}
		if len(t.scope) > 0 {
			p.tabs = append(p.tabs, t)
			p.round++
		}
	}
	return p
}

// extent returns the least and the largest finite logarithm; +Inf and -Inf of none.
func extent(log []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range log {
		if !math.IsInf(x, -1) {
			low, high = min(low, x), max(high, x)
		}
	}
	return low, high
}

// energy returns the energy of a joint state; inf if it is impossible.
func (p *energies) energy(x []int) int64 {
	sum := p.alone
	for i := range p.tabs {
		if sum = add(sum, p.tabs[i].at(p.card, x)); sum == inf {
			break
		}
	}
	return sum
}

// at returns the energy of a joint state of all variables in t.
func (t *table) at(card, x []int) int64 { return t.e[rowMajor(t.scope, card, x)] }

// most returns the largest finite energy of t; 0 of none.
func (t *table) most() int64 {
	most := int64(0)
	for _, e := range t.e {
		if e < inf {
			most = max(most, e)
		}
	}
	return most
}

// add returns the sum of two energies. Either may be inf.
func add(a, b int64) int64 { return min(a+b, inf) }

// size returns the number of joint states of scope.
func (p *energies) size(scope []int) float64 {
	n := 1.0
	for _, v := range scope {
		n *= float64(p.card[v])
	}
	return n
}

// join returns the sum of tables over the variables of scope, which has all of theirs.
func (p *energies) join(scope []int, tabs []*table) table {
	t := table{scope, make([]int64, int(p.size(scope)))}
	x := make([]int, len(p.card))
	for i := range t.e {
		for _, s := range tabs {
			t.e[i] = add(t.e[i], s.at(p.card, x))
		}
		for j := len(scope) - 1; j >= 0; j-- {
			if x[scope[j]]++; x[scope[j]] < p.card[scope[j]] {
				break
			}
			x[scope[j]] = 0
		}
	}
	return t
}

// absorb adds every table to one that has all of its variables, if there is one: a bound of two
// tables apart is weaker.
func (p *energies) absorb() {
	slices.SortStableFunc(p.tabs, func(a, b table) int { return len(b.scope) - len(a.scope) })
	of := make([][]int, len(p.card)) // by variable: the tables kept so far
	var kept []table
	for i := range p.tabs {
		t := &p.tabs[i]
		into := -1
		for _, j := range of[t.scope[0]] {
			if len(t.scope) > 1 && within(t.scope, kept[j].scope) {
				into = j
				break
			}
			if len(t.scope) == 1 && len(kept[j].scope) == 1 {
				into = j
				break
			}
		}
		if into >= 0 {
			kept[into] = p.join(kept[into].scope, []*table{&kept[into], t})
			continue
		}
		for _, v := range t.scope {
			of[v] = append(of[v], len(kept))
		}
		kept = append(kept, *t)
	}
	p.tabs = kept
}

// within reports whether b has all variables of a.
func within(a, b []int) bool {
	for _, v := range a {
		if !slices.Contains(b, v) {
			return false
		}
	}
	return true
}
