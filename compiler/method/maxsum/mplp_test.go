package maxsum_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/maxsum"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestContractMPLP checks 800 queries of random networks, nearly all of which must be proven, since
// their relaxations are tight.
func TestContractMPLP(t *testing.T) {
	d := methodtest.Decode(t, maxsum.MPLP)
	if d.Proven < 780 {
		t.Errorf("%+v; want 780 proofs at least", d)
	}
}

func TestKnownMPLP(t *testing.T) { methodtest.KnownBounds(t, maxsum.MPLP, "cycles=0") }

// TestTightened checks that one triplet closes the gap of the frustrated triangle, and two that of
// the diamond.
func TestTightened(t *testing.T) {
	for _, m := range []method.Method{maxsum.TRWS, maxsum.MPLP} {
		for _, k := range methodtest.Knowns {
			report, logp := k.Solve(t, m, "cycles=2")
			if k.Best > 0 && (report.Gap != 0 || math.Abs(logp-math.Log(k.Best)) > 1e-9) {
				t.Errorf("%s, %s: %+v with ln of the value %v; want a proof of %v", m.Name, k.Name, report, logp, math.Log(k.Best))
			}
		}
		k := methodtest.Knowns[1]
		if report, _ := k.Solve(t, m, "cycles=1"); k.Name != "triangle" || report.Gap != 0 {
			t.Errorf("%s, %s: %+v; want that one triplet closes the gap", m.Name, k.Name, report)
		}
	}
}

func TestImpossibleMPLP(t *testing.T) { methodtest.Impossible(t, maxsum.MPLP) }

// TestUAIMPLP needs cycles of pairs for Grids_12, and on CSP_12 finds the best states without a
// proof.
func TestUAIMPLP(t *testing.T) {
	want, most := 9, 9
	if irtest.Long(t) {
		want, most = 10, 11
	}
	if proven, found := methodtest.UAI(t, maxsum.MPLP); len(proven) != want || len(found) != most {
		t.Errorf("%d are proven and %d found; want %d and %d: %v, %v", len(proven), len(found), want, most, proven, found)
	}
}

func TestFactorGraphsMPLP(t *testing.T) { methodtest.DecodeFiles(t, maxsum.MPLP) }
