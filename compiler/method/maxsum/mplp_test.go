package maxsum_test

import (
	"testing"

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

func TestKnownMPLP(t *testing.T) { methodtest.KnownBounds(t, maxsum.MPLP) }

func TestImpossibleMPLP(t *testing.T) { methodtest.Impossible(t, maxsum.MPLP) }

func TestUAIMPLP(t *testing.T) {
	want := 8
	if irtest.Long(t) {
		want = 9
	}
	if proven, found := methodtest.UAI(t, maxsum.MPLP); len(proven) != want || len(found) != want {
		t.Errorf("%d are proven and %d found; want %d of both: %v, %v", len(proven), len(found), want, proven, found)
	}
}

func TestFactorGraphsMPLP(t *testing.T) { methodtest.DecodeFiles(t, maxsum.MPLP) }
