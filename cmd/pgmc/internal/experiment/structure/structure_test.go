package structure

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/experimenttest"
)

// TestStructureExperiment runs the quick form and bounds the distances of learners that should be
// far better than a tree. The true order with enough rows recovers most of the edges.
func TestStructureExperiment(t *testing.T) {
	var r Result
	experimenttest.Quick(t, Run, experiment.Options{}, 0, &r)
	if r.Network != "alarm" || r.Edges != 46 || r.Rows != 1000 || len(r.Learned) != len(specs) {
		t.Fatalf("found %+v; want all learners on 1,000 rows of alarm, which has 46 edges", r)
	}
	tree := r.Learned[0]
	if tree.Edges != 36 {
		t.Errorf("the tree has %d edges; want 36", tree.Edges)
	}
	for _, x := range r.Learned {
		if x.SHD != x.Missing+x.Extra+x.Directions {
			t.Errorf("%s: %+v does not add up", x.Learner, x)
		}
		if most, ok := map[string]int{"K2, true order": 15, "search over orders": 30, "GES": 15}[x.Learner]; ok && x.SHD > most {
			t.Errorf("%s: distance %d; want %d at most", x.Learner, x.SHD, most)
		}
		if strings.HasPrefix(x.Learner, "hill") && x.BDeu <= tree.BDeu {
			t.Errorf("%s: BDeu %v; the tree has %v", x.Learner, x.BDeu, tree.BDeu)
		}
	}
}
