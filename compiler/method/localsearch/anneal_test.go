package localsearch_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// Values are those of the states that were found, never better than the best there are, and nearly
// always as good.
func TestAgainstBruteForceAnneal(t *testing.T) { methodtest.Climbed(t, "anneal", "iterations=100") }

// The best states of Grids_12 are worth 10^302.192900, as was proven elsewhere; a search may not
// get there, and not beyond.
func TestGrid(t *testing.T) {
	if got := methodtest.ClimbedInstance(t, "anneal", "Grids_12"); got > 302.192902 || got < 302 {
		t.Errorf("log10 of the value is %v; want 302.1929, or a little less", got)
	}
}
