package localsearch_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// Values are those of the states that were found, never better than the best there are, and nearly
// always as good.
func TestAgainstBruteForceTabu(t *testing.T) { methodtest.Climbed(t, "tabu", "iterations=100") }

// The best states of Segmentation_11 are worth 10^-24.336468, as was proven elsewhere.
func TestSegmentation(t *testing.T) {
	if got := methodtest.ClimbedInstance(t, "tabu", "Segmentation_11"); math.Abs(got+24.336468) > 1e-6 {
		t.Errorf("log10 of the value is %v; want -24.336468", got)
	}
}
