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

func TestKnownTRWS(t *testing.T) { methodtest.KnownBounds(t, maxsum.TRWS) }

func TestImpossibleTRWS(t *testing.T) { methodtest.Impossible(t, maxsum.TRWS) }

func TestUAITRWS(t *testing.T) {
	want := 8
	if irtest.Long(t) {
		want = 11
	}
	if proven, found := methodtest.UAI(t, maxsum.TRWS); len(proven) != want || len(found) != want {
		t.Errorf("%d are proven and %d found; want %d of both: %v, %v", len(proven), len(found), want, proven, found)
	}
}

func TestFactorGraphsTRWS(t *testing.T) { methodtest.DecodeFiles(t, maxsum.TRWS) }
