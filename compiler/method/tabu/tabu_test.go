package tabu_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Values are those of the states that were found, never better than the best there are, and nearly always as good.
func TestAgainstBruteForce(t *testing.T) {
	models := irtest.Fixtures()
	for seed := uint64(0); len(models) < 150; seed++ {
		if m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 10, NoZeros: seed%2 == 0}); m.Kind != model.Dependency {
			models = append(models, m)
		}
	}
	found, all := methodtest.Climbed(t, "tabu", models, "iterations=100")
	if all < 300 || found < all*95/100 {
		t.Errorf("the best states were found in %d of %d runs; want nearly all", found, all)
	}
	t.Logf("the best states were found in %d of %d runs", found, all)
}

// The best states of Segmentation_11 are worth 10^-24.336468, as was proven elsewhere.
func TestSegmentation(t *testing.T) {
	if got := methodtest.ClimbedInstance(t, "tabu", "Segmentation_11"); math.Abs(got+24.336468) > 1e-6 {
		t.Errorf("log10 of the value is %v; want -24.336468", got)
	}
}
