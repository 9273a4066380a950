package edgedel_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestGeneralOfOne deletes one edge, for which the general correction makes ln P exact.
func TestGeneralOfOne(t *testing.T) {
	off := 0
	networks(t, 60, irtest.Options{}, func(seed uint64, m *model.Model, e brute.Evidence) {
		edges := oneEach(m, seed, 1)
		if edges == nil {
			return
		}
		want := enumerate(t, m).LogProb(e)
		option := "delete=" + edgedel.Option(edges)
		got := query(t, m, e, "edgedel", option, "correction=general")
		if got.err != nil {
			t.Fatal(got.err)
		}
		irtest.CloseTo(t, got.logP, want, 1e-9)
		if simple := query(t, m, e, "edgedel", option); math.Abs(simple.logP-want) > 1e-6 {
			off++
		}
	})
	if off == 0 {
		t.Error("the simple correction is never off; want that, for the general one to be of use")
	}
}

// TestGeneralBethe deletes all edges. Then nothing connects the ends of an edge, so that both
// corrections give the Bethe estimate of belief propagation.
func TestGeneralBethe(t *testing.T) {
	converged := 0
	networks(t, 40, irtest.Options{NoZeros: true}, func(seed uint64, m *model.Model, e brute.Evidence) {
		want := query(t, m, e, "belief", "tolerance=1e-12")
		got := query(t, m, e, "edgedel", "max-cluster=1", "tolerance=1e-12", "correction=general")
		if want.report.Status == pgmrt.Converged && got.report.Status == pgmrt.Converged {
			converged++
			irtest.CloseTo(t, got.logP, want.logP, 1e-8)
		}
	})
	if converged < 35 {
		t.Errorf("both converged on %d of 40 networks; want at least 35", converged)
	}
}

// TestGeneralIsNearer compares the corrections if several edges are deleted: the general one has
// the smaller mean error.
func TestGeneralIsNearer(t *testing.T) {
	var simple, general float64
	networks(t, 80, irtest.Options{}, func(seed uint64, m *model.Model, e brute.Evidence) {
		want := enumerate(t, m).LogProb(e)
		for _, correction := range []string{"bethe", "general"} {
			got := query(t, m, e, "edgedel", "max-cluster=6", "correction="+correction)
			if got.err != nil || got.report.Status != pgmrt.Converged {
				return
			}
			if d := math.Abs(got.logP - want); correction == "bethe" {
				simple += d
			} else {
				general += d
			}
		}
	})
	if !(general < 0.8*simple) { // 0.38 and 0.54
		t.Errorf("errors of ln P add up to %v by the general correction; want at most 0.8 times the %v of the simple one", general, simple)
	}
}
