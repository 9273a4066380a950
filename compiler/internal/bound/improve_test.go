package bound

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestMomentum improves bounds of random problems with and without momentum: both stay above the
// sum and fall, shifts and weights keep their sums, and together bounds with momentum are closer
// after a few rounds.
func TestMomentum(t *testing.T) {
	plain, pushed, compared := 0.0, 0.0, 0
	for seed := range irtest.Count(t, 150, 1500) {
		rng := rand.New(rand.NewPCG(uint64(seed), 12))
		p := random(rng, 0)
		want, _ := enumerate(p)
		tree := newTree(p, rng.Perm(len(p.Card)), 4)
		tree.fill()
		if math.IsInf(want, -1) || !tree.splits() {
			continue
		}
		first := newElimination(tree, upper)
		first.forward()
		gap := func(momentum bool) float64 {
			e := newElimination(tree, upper)
			e.momentum = momentum
			if e.improve(8, never); e.value < want-1e-9 || e.value > first.value+1e-9 {
				t.Fatalf("seed %d, momentum %v: bound %v of %v after %v", seed, momentum, e.value, want, first.value)
			}
			for v, boxes := range e.boxesOf {
				weights := 0.0
				for _, b := range boxes {
					weights += e.weight[b]
				}
				for k := range p.Card[v] {
					shifts := 0.0
					for _, b := range boxes {
						shifts += e.shift[b][k]
					}
					if math.Abs(shifts) > 1e-12 || math.Abs(weights-1) > 1e-12 {
						t.Fatalf("seed %d: shifts of variable %d sum to %v, weights to %v", seed, v, shifts, weights)
					}
				}
			}
			return e.value - want
		}
		plain, pushed, compared = plain+gap(false), pushed+gap(true), compared+1
	}
	if compared < 80 || pushed > plain {
		t.Errorf("%d bounds are %v above the sums with momentum, %v without", compared, pushed, plain)
	}
}
