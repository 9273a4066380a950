package discretize

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// line returns a network of x, which is standard normal, and y, whose mean is x and whose variance
// is the given one.
func line(variance float64) *model.Model {
	m := &model.Model{}
	m.NewReal("x")
	m.NewReal("y")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{variance}}},
	}
	return m
}

func discretize(t *testing.T, m *model.Model, opt Options) *Result {
	t.Helper()
	r, err := Model(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: got %v; want %v", what, got, want)
	}
}

// With two intervals each, divided at 0, y has the sign of x with probability 3/4: the angle
// between x and x + e is 45 degrees. The variables share ln(2)/2 nats, and their signs ln 2 less
// the entropy of 3/4.
func TestSigns(t *testing.T) {
	r := discretize(t, line(1), Options{Intervals: 2})
	if got, want := r.Model.States(0), []string{"..0", "0.."}; !reflect.DeepEqual(got, want) {
		t.Fatalf("intervals %q; want %q", got, want)
	}
	x, y := r.Model.Factors[0].Dist.(*model.Table).Values, r.Model.Factors[1].Dist.(*model.Table).Values
	near(t, "P(x > 0)", x[1], .5, 1e-12)
	near(t, "P(y < 0 | x < 0)", y[0], .75, .004)
	near(t, "P(y > 0 | x > 0)", y[3], .75, .004)
	signs := math.Ln2 + .75*math.Log(.75) + .25*math.Log(.25)
	near(t, "KL", r.KL(), math.Ln2/2-signs, .02)
	near(t, "loss of x", r.Loss[0], 0, 0)
	if again := discretize(t, line(1), Options{Intervals: 2}); !reflect.DeepEqual(again, r) {
		t.Error("another result of the same options")
	}
	if finer := discretize(t, line(1), Options{Intervals: 12}); finer.KL() > .03 {
		t.Errorf("KL %v with 12 intervals; want less than .03", finer.KL())
	}
	if f := discretize(t, line(0), Options{Intervals: 2}); !math.IsInf(f.KL(), 1) {
		t.Errorf("KL %v of a function; want infinity", f.KL())
	}
}

// A discrete parent: the CPT is exact, by differences of the normal distribution function.
func TestDiscreteParent(t *testing.T) {
	m := &model.Model{}
	m.NewVar("k", "a", "b")
	m.NewReal("x")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.3, .7}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{-1, 2}, Var: []float64{1, 4}}},
	}
	r := discretize(t, m, Options{Intervals: 3})
	cuts, _ := model.IntervalCuts(r.Model.States(1))
	p := r.Model.Factors[1].Dist.(*model.Table).Values
	for row, c := range []struct{ mean, sd float64 }{{-1, 1}, {2, 2}} {
		below := func(x float64) float64 { return .5 * math.Erfc((c.mean-x)/c.sd/math.Sqrt2) }
		near(t, "first", p[3*row], below(cuts[0]), 1e-14)
		near(t, "second", p[3*row+1], below(cuts[1])-below(cuts[0]), 1e-14)
		near(t, "third", p[3*row+2], 1-below(cuts[1]), 1e-14)
	}
	sum := .3*p[0] + .7*p[3]
	near(t, "share of the first interval", sum, 1./3, .02)
}

func TestRefusals(t *testing.T) {
	if _, err := Model(context.Background(), line(1), Options{Intervals: 1}); err == nil {
		t.Error("one interval is accepted")
	}
	if _, err := Model(context.Background(), line(1), Options{Intervals: 100, MaxTable: 1000}); err == nil {
		t.Error("a table beyond the limit is accepted")
	}
}
