package report

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// TestROC checks the curve of five rows, two of which have equal probabilities.
func TestROC(t *testing.T) {
	c := &roc{}
	for _, x := range []ranked{{.1, 1, false}, {.9, 1, true}, {.5, 1, true}, {.5, 1, false}, {.4, 2, true}} {
		c.add(x.p, x.is, x.weight)
	}
	want := []float64{0, 0, 0, .25, .5, .5, .5, 1, 1, 1}
	l := c.line("s")
	for i, p := range l.xys {
		if 2*i+1 >= len(want) || p.X != want[2*i] || p.Y != want[2*i+1] {
			t.Fatalf("found %v; want %v", l.xys, want)
		}
	}
	if one := (&roc{list: []ranked{{.5, 1, true}}}).line("s"); one.xys != nil {
		t.Errorf("found %v without another state; want no curve", one.xys)
	}
}

// TestInfluence compares with the joint distribution of two variables by hand: P(t=0, v) is .3, .1
// and P(t=1, v) is .2, .4.
func TestInfluence(t *testing.T) {
	target := &infer.Distribution{Var: "t", States: []string{"a", "b"}, P: []float64{.4, .6}}
	other := &infer.Distribution{Var: "v", States: []string{"x", "y"}, P: []float64{.5, .5}}
	given := []*infer.Marginals{
		{List: []infer.Distribution{{Var: "v", P: []float64{.75, .25}}}},
		{List: []infer.Distribution{{Var: "v", P: []float64{1. / 3, 2. / 3}}}},
	}
	x := influence(target, other, given)
	information := .3*math.Log(.3/.2) + .1*math.Log(.1/.2) + .2*math.Log(.2/.3) + .4*math.Log(.4/.3)
	if math.Abs(x.Information-information) > 1e-12 || math.Abs(x.Low-.2) > 1e-12 || math.Abs(x.High-.6) > 1e-12 || x.LowBy != "y" || x.HighBy != "x" {
		t.Errorf("found %+v; want %v nats, .2 by y and .6 by x", x, information)
	}
}
