package trws_test

import (
	"os"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/compiler/method/trws"
)

// Of 800 questions about random networks, nearly all are proven: their relaxations are tight.
func TestContract(t *testing.T) {
	d := methodtest.Decode(t, trws.Method)
	if d.Proven < 780 {
		t.Errorf("%+v; want 780 proofs at least", d)
	}
}

func TestKnown(t *testing.T) { methodtest.KnownBounds(t, trws.Method) }

func TestImpossible(t *testing.T) { methodtest.Impossible(t, trws.Method) }

func TestUAI(t *testing.T) {
	want := 8
	if os.Getenv("PGMC_LONG") != "" {
		want = 11
	}
	if proven, found := methodtest.UAI(t, trws.Method); len(proven) != want || len(found) != want {
		t.Errorf("%d are proven and %d found; want %d of both: %v, %v", len(proven), len(found), want, proven, found)
	}
}

func TestFactorGraphs(t *testing.T) { methodtest.DecodeFiles(t, trws.Method) }
