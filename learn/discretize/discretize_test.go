package discretize

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
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
	near(t, "P(y < 0 | x < 0)", y[0], .75, 1e-12)
	near(t, "P(y > 0 | x > 0)", y[3], .75, 1e-12)
	signs := math.Ln2 + .75*math.Log(.75) + .25*math.Log(.25)
	near(t, "KL", r.KL(), math.Ln2/2-signs, 1e-12)
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

// TestThirds checks a table by numbers of a bivariate normal distribution function, which do not
// depend on the seed.
func TestThirds(t *testing.T) {
	m := line(1)
	m.Factors[0].Dist = &model.Gaussian{Mean: []float64{1}, Var: []float64{4}}
	m.Factors[1].Dist = &model.Gaussian{Mean: []float64{.5}, Coef: []float64{-1.5}, Var: []float64{1}}
	r := discretize(t, m, Options{Intervals: 3})
	p := r.Model.Factors[1].Dist.(*model.Table).Values
	for i, want := range []float64{.13688, .72624, .13688} {
		near(t, "middle row", p[3+i], want, 5e-6)
	}
	if again := discretize(t, m, Options{Intervals: 3, Seed: 1}); !reflect.DeepEqual(again, r) || r.Sampled != nil {
		t.Errorf("%+v with another seed; want %+v, without samples", again, r)
	}
}

// TestQuadrature compares tables of random networks with those of many samples of the same
// intervals: sharp and wide CPDs, functions, correlated parents and discrete ones.
func TestQuadrature(t *testing.T) {
	compared := 0
	for _, seed := range irtest.Cases(t, 20, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Decades: 1, MaxVars: 6, Zeros: .2})
		opt := Options{Intervals: 3, Samples: 20000, Seed: seed}
		r, err := Model(context.Background(), m, opt)
		if err != nil {
			continue // softmax CPDs and functions
		}
		d := &discretizer{m: m, opt: opt, cuts: make([][]float64, len(m.Vars)), margins: make([]margin, len(m.Vars))}
		for _, v := range m.Reals() {
			d.margins[v] = d.components(v)
			d.cuts[v], _ = model.IntervalCuts(r.Model.States(v))
		}
		if err := d.draw(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i, f := range m.Factors {
			if f.Gaussian() == nil || slices.Contains(r.Sampled, f.ChildVar()) {
				continue
			}
			compared++
			card := r.Model.Card(f.ChildVar())
			got := r.Model.Factors[i].Dist.(*model.Table).Values
			sum := newTable(len(got), card)
			for k := range opt.Samples {
				row := 0
				for _, u := range f.Parents() {
					row = row*r.Model.Card(u) + d.states[u][k]
				}
				mean, variance := d.normal(f, k)
				sum.add(row, 1, d.cuts[f.ChildVar()], mean, variance)
			}
			for row, n := range sum.weights {
				for k := range card {
					if x := got[row*card+k]; n > 0 && math.Abs(sum.values[row*card+k]/n-x) > 5*math.Sqrt(x*(1-x)/n)+1e-9+5/n {
						t.Errorf("seed %d, %s, row %d, %v samples: %v; want %v", seed, m.FactorName(f), row, n, x, sum.values[row*card+k]/n)
					}
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d tables; want at least 20", compared)
	}
}

// TestSampled names the variables with three real parents.
func TestSampled(t *testing.T) {
	m := &model.Model{}
	child := &model.Factor{Child: 3, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1, 1, 1}, Var: []float64{1}}}
	for v := range model.VarID(4) {
		m.NewReal(string(rune('a' + v)))
		child.Scope = append(child.Scope, v)
		if v < 3 {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}})
		}
	}
	m.Factors = append(m.Factors, child)
	if r := discretize(t, m, Options{Intervals: 2}); !reflect.DeepEqual(r.Sampled, []model.VarID{3}) {
		t.Errorf("sampled: %v; want the variable with three real parents", r.Sampled)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := Model(context.Background(), line(1), Options{Intervals: 1}); err == nil {
		t.Error("one interval is accepted")
	}
	if _, err := Model(context.Background(), line(1), Options{Intervals: 100, MaxTable: 1000}); err == nil {
		t.Error("a table beyond the limit is accepted")
	}
}
