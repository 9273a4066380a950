package mplp_test

import (
	"os"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/compiler/method/mplp"
)

// Of 800 questions about random networks, nearly all are proven: their relaxations are tight.
func TestContract(t *testing.T) {
	d := methodtest.Decode(t, mplp.Method)
	if d.Proven < 780 {
		t.Errorf("%+v; want 780 proofs at least", d)
	}
}

func TestKnown(t *testing.T) { methodtest.KnownBounds(t, mplp.Method) }

func TestImpossible(t *testing.T) { methodtest.Impossible(t, mplp.Method) }

func TestUAI(t *testing.T) {
	want := 8
	if os.Getenv("PGMC_LONG") != "" {
		want = 9
	}
	if proven, found := methodtest.UAI(t, mplp.Method); len(proven) != want || len(found) != want {
		t.Errorf("%d are proven and %d found; want %d of both: %v, %v", len(proven), len(found), want, proven, found)
	}
}

func TestFactorGraphs(t *testing.T) { methodtest.DecodeFiles(t, mplp.Method) }
