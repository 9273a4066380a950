package belief_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

func TestContract(t *testing.T) {
	if exact := methodtest.Loop(t, belief.Method); exact < 100 {
		t.Errorf("%d models are free of cycles; want a hundred at least to check exactness", exact)
	}
}

func TestFlooding(t *testing.T) { methodtest.Loop(t, belief.Method, "schedule=flooding") }

func TestLibDAI(t *testing.T) {
	for _, c := range []struct{ row, option string }{{"BP", "schedule=sequential"}, {"BP_PARALL", "schedule=flooding"}, {"BP_SEQFIX", "damping=0.3"}} {
		t.Run(c.row, func(t *testing.T) { methodtest.LibDAI(t, belief.Method, c.row, c.option, "iterations=10000") })
	}
}
