package deletion

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/experimenttest"
)

// TestEdgeDeletionExperiment runs the quick form and compares results that do not depend on chance
// with the paper: the largest cluster of barley is 22.79 (section 5), ID converges on every trial
// there, in fewer loops than BP, and ED and ID are nearer than BP by mean KL at every threshold
// down to 10 (figure 5).
func TestEdgeDeletionExperiment(t *testing.T) {
	var result Result
	experimenttest.Quick(t, Run, experiment.Options{}, 0, &result)
	reports := result.Networks
	if len(reports) != 2 || reports[0].Network != "barley" || reports[1].Network != "pigs" {
		t.Fatalf("reports %+v; want those of barley and pigs", reports)
	}
	for _, c := range result.Conclusions[:3] {
		if c.Holds != "confirmed" {
			t.Errorf("%s: %s: %s", c.Holds, c.Says, c.Found)
		}
	}
	r := reports[0]
	if math.Abs(r.Cluster-22.79) > 0.005 {
		t.Errorf("largest cluster of barley %v; want 22.79", r.Cluster)
	}
	for _, row := range r.Deleting {
		if row.ID.Converged != r.Trials || row.ID.Loops >= r.BP.Loops {
			t.Errorf("threshold %d: converged on %d of %d in %v loops; BP took %v", row.Threshold, row.ID.Converged, r.Trials, row.ID.Loops, r.BP.Loops)
		}
		if row.ED.KL >= r.BP.KL || row.ID.KL >= r.BP.KL {
			t.Errorf("threshold %d: mean KL %v and %v; want less than the %v of BP", row.Threshold, row.ED.KL, row.ID.KL, r.BP.KL)
		}
		if row.Cluster > float64(row.Threshold)+1e-9 {
			t.Errorf("a cluster of %v for threshold %d", row.Cluster, row.Threshold)
		}
	}
}

// A network without clusters that are larger than the thresholds confirms nothing, and neither
// denies it.
func TestNothingDeleted(t *testing.T) {
	x := &Result{Networks: []*Report{{Network: "asia"}}, Flips: []figure5Row{{Network: "asia"}}, KL: []figure5Row{{Network: "asia"}}}
	for _, c := range x.conclusions() {
		if c.Holds != "not measured" {
			t.Errorf("%+v; want it not measured", c)
		}
	}
}
