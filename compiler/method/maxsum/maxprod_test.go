package maxsum_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/maxsum"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

func TestContractMaxProduct(t *testing.T) {
	if d := methodtest.Decode(t, maxsum.MaxProduct); d.Exact < 100 {
		t.Errorf("%d models are free of cycles; want at least 100 to check exactness", d.Exact)
	}
}

func TestFlooding(t *testing.T) {
	methodtest.Decode(t, maxsum.MaxProduct, "schedule=flooding", "damping=0.25")
}

// TestKnownMaxProduct checks the statuses of the networks with known best states. In all but the
// last, each variable alone has two equally good states. No states are best in all beliefs of the
// triangle and the diamond.
func TestKnownMaxProduct(t *testing.T) {
	for i, want := range []pgmrt.DecodeStatus{pgmrt.DecodeAmbiguous, pgmrt.DecodeNotDecodable, pgmrt.DecodeAmbiguous, pgmrt.DecodeAmbiguous,
		pgmrt.DecodeNotDecodable, pgmrt.DecodeInfeasible} {
		k := &methodtest.Knowns[i]
		for _, option := range []string{"schedule=sequential", "schedule=flooding"} {
			t.Run(k.Name+" "+option, func(t *testing.T) {
				report, logp := k.Solve(t, maxsum.MaxProduct, option)
				if report.Status != want {
					t.Errorf("%+v; want %v", report, want)
				}
				if found := math.Log(k.Found); logp != found && !irtest.Near(logp, found, 1e-12) {
					t.Errorf("states of %v; want %v", logp, found)
				}
				if proven := want == pgmrt.DecodeAmbiguous; proven != (report.Gap == 0) {
					t.Errorf("gap %v; want a proof: %v, by at most one cycle and no slack", report.Gap, proven)
				}
			})
		}
	}
}

func TestImpossibleMaxProduct(t *testing.T) { methodtest.Impossible(t, maxsum.MaxProduct) }

func TestUAIMaxProduct(t *testing.T) {
	want := 6
	if irtest.Long(t) {
		want = 9
	}
	if _, found := methodtest.UAI(t, maxsum.MaxProduct); len(found) != want {
		t.Errorf("%d found, %v; want %d", len(found), found, want)
	}
}

func TestFactorGraphsMaxProduct(t *testing.T) { methodtest.DecodeFiles(t, maxsum.MaxProduct) }
