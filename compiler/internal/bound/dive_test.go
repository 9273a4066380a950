package bound

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDive compares dives with enumeration: they find a possible state where there is one.
func TestDive(t *testing.T) {
	impossible, conflicts := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 8))
		p := constraints(rng)
		want, _ := enumerate(p)
		d := newDive(p, rng, never)
		got := d.run()
		conflicts += d.conflicts
		switch {
		case math.IsInf(want, -1):
			impossible++
			if got != nil {
				t.Errorf("seed %d: found %v; want nothing", seed, got)
			}
		case got == nil:
			t.Errorf("seed %d: found nothing; some states have the value %v", seed, want)
		case math.IsInf(p.Value(got), -1):
			t.Errorf("seed %d: %v are impossible", seed, got)
		}
	}
	if impossible < 20 || impossible > 380 || conflicts < 20 {
		t.Errorf("%d of 400 are impossible, with %d conflicts", impossible, conflicts)
	}
}

// constraints returns a problem of seven variables of three states and tables of pairs, of which
// about every second such problem has a possible state.
func constraints(rng *rand.Rand) *Problem {
	p := &Problem{Card: []int{3, 3, 3, 3, 3, 3, 3}, Max: []bool{true, true, true, true, true, true, true}}
	for range 14 {
		f := Factor{Scope: rng.Perm(7)[:2], Log: make([]float64, 9)}
		for k := range f.Log {
			if f.Log[k] = -rng.Float64(); rng.IntN(5) < 2 {
				f.Log[k] = math.Inf(-1)
			}
		}
		p.Factors = append(p.Factors, f)
	}
	return p
}

// TestDivePigeons has one pigeon more than places, or as many: propagation alone decides neither.
func TestDivePigeons(t *testing.T) {
	for _, pigeons := range []int{5, 6} {
		p := &Problem{}
		for i := range pigeons {
			p.Card, p.Max = append(p.Card, 5), append(p.Max, true)
			for j := range i {
				f := Factor{Scope: []int{j, i}, Log: make([]float64, 25)}
				for k := range 5 {
					f.Log[6*k] = math.Inf(-1)
				}
				p.Factors = append(p.Factors, f)
			}
		}
		if got := newDive(p, rand.New(rand.NewPCG(1, 1)), never).run(); (got != nil) != (pigeons == 5) {
			t.Errorf("%d pigeons in 5 places: %v", pigeons, got)
		}
	}
}
