package report

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// TestCurves checks the curves of five rows, two of which have equal probabilities.
func TestCurves(t *testing.T) {
	roc, found := curves("s", []rate.Ranked{{P: .1, Without: 1}, {P: .4, With: 2}, {P: .5, Without: 1, With: 1}, {P: .9, With: 1}})
	for _, c := range []struct {
		line
		want []float64
	}{{roc, []float64{0, 0, 0, .25, .5, .5, .5, 1, 1, 1}}, {found, []float64{.25, 1, .5, 2. / 3, 1, .8, 1, 4. / 6}}} {
		for i, p := range c.xys {
			if 2*i+1 >= len(c.want) || p.X != c.want[2*i] || p.Y != c.want[2*i+1] {
				t.Fatalf("found %v; want %v", c.xys, c.want)
			}
		}
	}
	if one, _ := curves("s", []rate.Ranked{{P: .5, With: 1}}); one.xys != nil {
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
