package belief_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// A join graph without splits is a junction tree.
func TestJunctionTree(t *testing.T) {
	if exact := methodtest.Loop(t, belief.Method, "regions=join"); exact < 290 {
		t.Errorf("%d models are done exactly; want all but few", exact)
	}
}

// Rounds are few, since what is asked for holds after any number of them.
func TestRegions(t *testing.T) {
	for _, options := range [][]string{{"regions=factors", "iterations=10", "damping=0.5"}, {"regions=join", "max-cluster=6", "schedule=residual", "iterations=10"}} {
		t.Run(options[0], func(t *testing.T) { methodtest.Loop(t, belief.Method, options...) })
	}
}

// On the plaquettes of the grid messages want damping. HAK_DELTA is left out: its clusters, each a variable and all its neighbours, have several
// fixed points, and other messages find others.
func TestLibDAIRegions(t *testing.T) {
	for _, c := range []struct{ row, regions, damping string }{{"GBP_MIN", "factors", "0"}, {"GBP_BETHE", "factors", "0"}, {"GBP_LOOP3", "loop3", "0"},
		{"HAK_MIN", "factors", "0"}, {"HAK_BETHE", "factors", "0"}, {"HAK_LOOP3", "loop3", "0"}, {"HAK_LOOP4", "loop4", "0.5"}, {"HAK_LOOP5", "loop5", "0.5"}} {
		t.Run(c.row, func(t *testing.T) {
			methodtest.LibDAI(t, belief.Method, c.row, "regions="+c.regions, "damping="+c.damping, "iterations=10000")
		})
	}
}
