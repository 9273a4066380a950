package maxprod_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/maxprod"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

func TestContract(t *testing.T) {
	d := methodtest.Decode(t, maxprod.Method)
	t.Log(d)
	if d.Exact < 100 {
		t.Errorf("%d models are free of cycles; want a hundred at least to check exactness", d.Exact)
	}
}

func TestFlooding(t *testing.T) {
	t.Log(methodtest.Decode(t, maxprod.Method, "schedule=flooding", "damping=0.25"))
}
