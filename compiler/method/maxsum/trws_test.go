package maxsum_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/maxsum"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestContractTRWS checks 800 queries of random networks, nearly all of which must be proven, since
// their relaxations are tight.
func TestContractTRWS(t *testing.T) {
	d := methodtest.Decode(t, maxsum.TRWS)
	if d.Proven < 780 {
		t.Errorf("%+v; want 780 proofs at least", d)
	}
}

func TestKnownTRWS(t *testing.T) { methodtest.KnownBounds(t, maxsum.TRWS, "cycles=0") }

func TestImpossibleTRWS(t *testing.T) { methodtest.Impossible(t, maxsum.TRWS) }

// TestUAITRWS needs cycles of pairs for Grids_12, and for the best states of CSP_12.
func TestUAITRWS(t *testing.T) {
	want, most := 9, 9
	if irtest.Long(t) {
		want, most = 12, 13
	}
	if proven, found := methodtest.UAI(t, maxsum.TRWS); len(proven) != want || len(found) != most {
		t.Errorf("%d are proven and %d found; want %d and %d: %v, %v", len(proven), len(found), want, most, proven, found)
	}
}

func TestFactorGraphsTRWS(t *testing.T) { methodtest.DecodeFiles(t, maxsum.TRWS) }
