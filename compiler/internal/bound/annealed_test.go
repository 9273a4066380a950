package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// annealed returns T times the bound of ln of the sum of p to the power of 1/T, with boxes of at
// most limit numbers.
func annealed(p *Problem, temperature, limit float64) float64 {
	q := &Problem{Card: p.Card, Max: make([]bool, len(p.Card))}
	for _, f := range p.Factors {
		g := Factor{Scope: f.Scope}
		for _, x := range f.Log {
			g.Log = append(g.Log, x/temperature)
		}
		q.Factors = append(q.Factors, g)
	}
	return temperature * bestBound(q, limit)
}

// bestBound returns the bound of p after as many rounds as improve it.
func bestBound(p *Problem, limit float64) float64 {
	order := make([]int, len(p.Card))
	for v := range order {
		order[v] = v
	}
	tree := newTree(p, order, limit)
	tree.fill()
	e := newElimination(tree, upper)
	e.improve(400, never)
	return e.value
}

// TestAnnealedBound cools the bound of a sum: it falls to that of the linear relaxation of the
// maximum, ln 8 for the frustrated triangle whose best states have ln 4, and for random problems
// stays within T ln of the number of joint states above the best and at the value of a maximum's
// bound in the limit.
func TestAnnealedBound(t *testing.T) {
	differ := []float64{0, math.Ln2, math.Ln2, 0}
	triangle := &Problem{Card: []int{2, 2, 2}, Max: []bool{true, true, true},
		Factors: []Factor{{Scope: []int{0, 1}, Log: differ}, {Scope: []int{1, 2}, Log: differ}, {Scope: []int{0, 2}, Log: differ}}}
	before := math.Inf(1)
	for _, temperature := range []float64{1, .1, .01, .001} {
		got := annealed(triangle, temperature, 4)
		if got > before+1e-9 || got < math.Log(8)-1e-9 || got > math.Log(8)+temperature*math.Log(16)+1e-9 {
			t.Errorf("%v at temperature %v after %v; want ln 8 to ln 8 + T ln 16", got, temperature, before)
		}
		before = got
	}
	for _, seed := range irtest.Cases(t, 20, 200) {
		rng := rand.New(rand.NewPCG(seed, 13))
		p := random(rng, 1)
		for i := range p.Factors {
			p.Factors[i].Log = slices.Clone(p.Factors[i].Log)
			for k, x := range p.Factors[i].Log {
				p.Factors[i].Log[k] = max(x, -5) // the limit is about positive factors
			}
		}
		want, _ := enumerate(p)
		joint := 0.0
		for _, n := range p.Card {
			joint += math.Log(float64(n))
		}
		for _, temperature := range []float64{1, .1, .01} {
			if got := annealed(p, temperature, 1e9); got < want-1e-9 || got > want+temperature*joint+1e-9 {
				t.Fatalf("seed %d: %v at temperature %v; want %v to %v", seed, got, temperature, want, want+temperature*joint)
			}
			if got := annealed(p, temperature, 4); got < want-1e-9 {
				t.Fatalf("seed %d: %v at temperature %v in small boxes; the best has %v", seed, got, temperature, want)
			}
		}
	}
}
