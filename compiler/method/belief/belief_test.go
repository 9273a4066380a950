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
