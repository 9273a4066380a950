package localsearch_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// TestAgainstBruteForceTabu checks that the value is that of the states, never exceeds the best,
// and nearly always equals it.
func TestAgainstBruteForceTabu(t *testing.T) { methodtest.Climbed(t, "tabu", "iterations=100") }

// TestSegmentation searches Segmentation_11, whose best states have the value 10^-24.336468, as
// other methods proved.
func TestSegmentation(t *testing.T) {
	if got := methodtest.ClimbedInstance(t, "tabu", "Segmentation_11"); math.Abs(got+24.336468) > 1e-6 {
		t.Errorf("log10 of the value is %v; want -24.336468", got)
	}
}
