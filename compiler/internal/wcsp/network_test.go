package wcsp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// energyOf returns the energy of a joint state by what a network has: the constant, the energies of
// variables, and what was not projected from factors. It is inf if a state is gone.
func (n *network) energyOf(x []int) int64 {
	sum := n.lower
	for v, k := range x {
		if !n.has(v, k) {
			return inf
		}
		sum = add(sum, n.unary(v)[k])
	}
	for i := range n.facs {
		f := &n.facs[i]
		at, delta := int32(0), int64(0)
		for j, v := range f.scope {
			at += int32(x[v]) * f.stride[j]
			delta += n.cost[f.delta[j]+int32(x[v])]
		}
		if sum >= inf || f.e[at] >= inf {
			return inf
		}
		sum += f.e[at] - delta
	}
	return sum
}

// checker returns a function that compares the energies of n with those of p, but for joint states
// that a decision about a variable excludes; -1 is no variable.
func checker(t *testing.T, seed uint64, p *energies, n *network) func(what string, decided int) {
	var free []int // variables without energies have one state from the start
	for v, k := range p.card {
		if k > 1 && n.size[v] == 1 {
			free = append(free, v)
		}
	}
	return func(what string, decided int) {
		x := make([]int, len(p.card))
		for ok := true; ok; ok = next(p.card, x) {
			want, got := p.energy(x), n.energyOf(x)
			if slices.ContainsFunc(free, func(v int) bool { return x[v] > 0 }) || want >= inf || decided >= 0 && !n.has(decided, x[decided]) {
				continue
			}
			if got != want && (got < inf || want < n.top) {
				t.Fatalf("seed %d: energy %d of %v after %s; want %d", seed, got, x, what, want)
			}
		}
	}
}

// TestReparameterisation checks that no step changes the energy of a joint state, and that none
// that is below the limit goes: after sweeps, propagation and decisions, and once they are taken
// back.
func TestReparameterisation(t *testing.T) {
	moved := 0
	for _, seed := range irtest.Cases(t, 50, 1000) {
		rng := rand.New(rand.NewPCG(seed, 4))
		card, factors := random(rng)
		p := newEnergies(card, factors)
		if p == nil {
			continue
		}
		p.absorb()
		n := newNetwork(p)
		check := checker(t, seed, p, n)
		if !n.begin() {
			continue
		}
		check("propagation", -1)
		for round := range 4 {
			if !n.sweep(round%2 == 1) {
				break
			}
			check("a sweep", -1)
		}
		if !n.propagate() {
			continue
		}
		check("sweeps and propagation", -1)
		v, at := rng.IntN(len(card)), n.mark()
		base := n.lower
		n.assign(v, int(n.states(v)[0]))
		if n.propagate() {
			check("a decision", v)
		}
		if n.lower > base {
			moved++
		}
		n.backtrack(at)
		check("taking it back", -1)
		if n.lower != base {
			t.Fatalf("seed %d: the constant is %d after taking a decision back; want %d", seed, n.lower, base)
		}
	}
	if moved < 5 {
		t.Errorf("%d decisions raised the constant; want 5", moved)
	}
}
