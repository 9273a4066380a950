package localsearch_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// TestAgainstBruteForceAnneal checks that the value is that of the states, never exceeds the best,
// and nearly always equals it.
func TestAgainstBruteForceAnneal(t *testing.T) { methodtest.Climbed(t, "anneal", "iterations=100") }

// TestGrid searches Grids_12. Its best states have the value 10^302.192900, as other methods
// proved, which the search may miss but not exceed.
func TestGrid(t *testing.T) {
	if got := methodtest.ClimbedInstance(t, "anneal", "Grids_12"); got > 302.192902 || got < 302 {
		t.Errorf("log10 of the value is %v; want 302.1929, or a little less", got)
	}
}
