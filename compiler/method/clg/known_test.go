package clg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// builder makes models.
type builder struct{ *model.Model }

func newBuilder(kind model.Kind) builder { return builder{&model.Model{Name: "known", Kind: kind}} }

// binary adds a variable of two states with probability p of the first.
func (b builder) binary(name string, p float64) model.VarID {
	v := b.NewVar(name, name+"0", name+"1").ID
	b.Factors = append(b.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{p, 1 - p}}})
	return v
}

// normal adds a real variable with a Gaussian CPD.
func (b builder) normal(name string, d *model.Gaussian, parents ...model.VarID) model.VarID {
	v := b.NewReal(name).ID
	b.Factors = append(b.Factors, &model.Factor{Scope: append(parents, v), Child: len(parents), Dist: d})
	return v
}

// canonical adds a potential over real variables; k is an upper triangle.
func (b builder) canonical(k, h []float64, g float64, scope ...model.VarID) {
	b.Factors = append(b.Factors, &model.Factor{Scope: scope, Child: -1, Dist: &model.Canonical{K: k, H: h, G: []float64{g}}})
}

// real is evidence about real variables alone.
func real(values map[model.VarID]float64) brute.HybridEvidence {
	return brute.HybridEvidence{Reals: values}
}

// posteriors runs the marginals and returns the numbers by the names of variables, and ln p.
func (s *subject) posteriors(t *testing.T, e brute.HybridEvidence) (of map[string][]float64, logp float64) {
	t.Helper()
	mc, entry := s.machine(t, e), s.p.Entry("marginals")
	if err := mc.Run(entry); err != nil {
		t.Fatal(err)
	}
	of = map[string][]float64{}
	for k, id := range entry.Outs {
		of[s.m.Vars[s.p.Spans[id].Var].Name] = append([]float64{}, mc.Posterior(k)...)
	}
	return of, mc.LogP()
}

// mixture runs the last entry, which is that of a mixture.
func (s *subject) mixture(t *testing.T, e brute.HybridEvidence) (m pgmrt.Mixture) {
	t.Helper()
	mc := s.machine(t, e)
	if err := mc.Run(&s.p.Entries[len(s.p.Entries)-1]); err != nil {
		t.Fatal(err)
	}
	got := mc.Posterior(0)
	for i := range len(got) / 3 {
		m = append(m, pgmrt.Component{P: got[i], Mean: got[len(got)/3+i], Var: got[len(got)/3*2+i]})
	}
	return m
}

// want fails unless got has the numbers, to half a unit of the last of so many decimal places.
func want(t *testing.T, what string, places int, got []float64, numbers ...float64) {
	t.Helper()
	for i, x := range numbers {
		if !(math.Abs(got[i]-x) <= .5000001*math.Pow10(-places)) {
			t.Errorf("%s: %v; want %v", what, got, numbers)
			return
		}
	}
}

// TestCollapsing checks the moments of a mixture: examples 14.4 and 14.5 of Koller and Friedman.
func TestCollapsing(t *testing.T) {
	b := newBuilder(model.Bayes)
	b.normal("X", &model.Gaussian{Mean: []float64{0, 3}, Var: []float64{1, 4}}, b.binary("A", .4))
	s := compile(t, b.Model, "marginals", "mixture(X)")
	of, _ := s.posteriors(t, brute.HybridEvidence{})
	want(t, "X", 14, of["X"], 1.8, 4.96)
	m := s.mixture(t, brute.HybridEvidence{})
	if len(m) != 2 || m[0] != (pgmrt.Component{P: .4, Var: 1}) || m[1] != (pgmrt.Component{P: .6, Mean: 3, Var: 4}) {
		t.Errorf("mixture %v", m)
	}
	want(t, "moments of the mixture", 14, []float64{m.Mean(), m.Variance()}, 1.8, 4.96)
}

// TestEvidenceBelow checks example 14.8 of Koller and Friedman: evidence about Y makes A0 likelier.
func TestEvidenceBelow(t *testing.T) {
	b := newBuilder(model.Bayes)
	a, c := b.binary("A", .4), b.binary("B", .5)
	x := b.normal("X", &model.Gaussian{Mean: []float64{0, 3}, Var: []float64{1, 4}}, a)
	y := b.normal("Y", &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, 1}, Var: []float64{9, 1}}, c, x)
	e := real(map[model.VarID]float64{y: -2})
	e.States = map[model.VarID]int{c: 1}
	s := compile(t, b.Model, "marginals", "mixture(X)")
	of, _ := s.posteriors(t, e)
	want(t, "A", 7, of["A"], .8253005)
	want(t, "X", 7, of["X"], -1, .5524098)
	for _, part := range s.mixture(t, e) { // b0 is excluded
		if part.P > 0 {
			want(t, "component", 14, []float64{part.Mean}, -1)
		}
	}
}

// TestOppositeSigns checks example 14.9 of Koller and Friedman, in which messages of a tree that is
// not strongly rooted have negative variances: the strong tree has the exact numbers.
func TestOppositeSigns(t *testing.T) {
	b := newBuilder(model.Bayes)
	a, c := b.binary("A", .5), b.binary("B", .5)
	x := b.normal("X", &model.Gaussian{Mean: []float64{0, 0}, Var: []float64{2, 6}}, a)
	y := b.normal("Y", &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, -1}, Var: []float64{.01, .01}}, c, x)
	of, logp := compile(t, b.Model, "marginals").posteriors(t, real(map[model.VarID]float64{y: 4}))
	want(t, "A", 7, of["A"], .1089667)
	want(t, "B", 14, of["B"], .5, .5)
	want(t, "X", 7, of["X"], 0, 15.9452717)
	want(t, "ln p", 7, []float64{logp}, -3.7245394)
}

// TestSwitches checks section 14.3.1 of Koller and Friedman: a component for each joint state of
// the switches, and a strong tree that doubles with each.
func TestSwitches(t *testing.T) {
	b := newBuilder(model.Bayes)
	first, second := b.binary("D1", .5), b.binary("D2", .5)
	x := b.normal("X1", &model.Gaussian{Mean: []float64{0, 1.5}, Var: []float64{.49, .36}}, first)
	b.normal("X2", &model.Gaussian{Mean: []float64{0, 1.5}, Coef: []float64{-1.5, 0}, Var: []float64{.36, .49}}, second, x)
	s := compile(t, b.Model, "marginals", "mixture(X2)")
	of, _ := s.posteriors(t, brute.HybridEvidence{})
	want(t, "X2", 8, of["X2"], .1875, 3.25859375)
	sums := map[string]float64{}
	for _, part := range s.mixture(t, brute.HybridEvidence{}) {
		sums[fmt.Sprintf("%.9f %.9f", part.Mean, part.Var)] += part.P
	}
	for part, p := range map[string]float64{"0.000000000 1.462500000": .25, "-2.250000000 1.170000000": .25, "1.500000000 0.490000000": .5} {
		if sums[part] != p || len(sums) != 3 {
			t.Errorf("components %v; want %v with %v", sums, part, p)
		}
	}
	for n := 1; n <= 40; n++ {
		if tree := clg.TreeOf(switching(n)); tree.States != math.Pow(2, float64(n)) || tree.Components != 1 {
			t.Errorf("%d switches: %+v", n, tree)
		}
	}
}

// TestStrongTree checks theorem 14.5 of Koller and Friedman on the network of its figure 14.6: some
// bucket has all discrete neighbours of the real variables, whose answers are exact.
func TestStrongTree(t *testing.T) {
	b := newBuilder(model.Bayes)
	a, c, d := b.binary("A", .3), b.binary("B", .6), b.binary("C", .2)
	x := b.normal("X", &model.Gaussian{Mean: []float64{0, 2}, Var: []float64{1, 3}}, a)
	y := b.normal("Y", &model.Gaussian{Mean: []float64{1, -1}, Coef: []float64{2, -.5}, Var: []float64{.5, 2}}, c, x)
	z := b.normal("Z", &model.Gaussian{Mean: []float64{0, 1, 2, 3}, Coef: []float64{1, -1, .5, 2}, Var: []float64{1, .1, 2, .3}}, a, d, y)
	if tree := clg.TreeOf(b.Model); tree.States != 8 || tree.Components != 1 || tree.Buckets != 3 {
		t.Errorf("%+v; want a bucket of the eight joint states", tree)
	}
	s := compile(t, b.Model, "marginals")
	for _, e := range []brute.HybridEvidence{{}, real(map[model.VarID]float64{z: 2.5}), real(map[model.VarID]float64{z: 2.5, x: -.5}), real(map[model.VarID]float64{y: 3})} {
		s.check(t, e)
	}
}

// TestWastePrior checks the waste incinerator with a prior of 2/7, its numbers without evidence by
// enumeration, and those of HUGIN with evidence.
func TestWastePrior(t *testing.T) {
	m := waste()
	m.Factors[1].Dist = &model.Table{Values: []float64{2. / 7, 5. / 7}}
	s := compile(t, m, "marginals")
	of, logp := s.posteriors(t, brute.HybridEvidence{})
	for name, normal := range map[string][2]float64{"E": {-3.2535714286, .7088802754}, "D": {3.0392857143, .7700059767}, "C": {-1.85, .5074445783},
		"L": {1.4803571429, .6310525343}, "Min": {-.2142857143, .4588139101}, "Mout": {2.825, .8602983702}} {
		want(t, name, 10, []float64{of[name][0], math.Sqrt(of[name][1])}, normal[:]...)
	}
	want(t, "B", 14, of["B"], .85)
	want(t, "F", 14, of["F"], .95)
	want(t, "ln p", 14, []float64{logp}, 0)
	of, logp = s.posteriors(t, brute.HybridEvidence{States: map[model.VarID]int{1: 0}, Reals: map[model.VarID]float64{6: 1.1, 5: -.9}})
	for name, normal := range map[string][2]float64{"E": {-3.8983382137, .0058194997}, "D": {3.6076666099, .1061788899}, "C": {-.9, 0}, "L": {1.1, 0},
		"Min": {.5, .01}, "Mout": {4.1076666099, .1181788899}} {
		want(t, name, 10, of[name], normal[:]...)
	}
	want(t, "B", 12, of["B"], .012252759819)
	want(t, "F", 12, of["F"], .999526272215)
	want(t, "ln p", 12, []float64{logp}, -3.813723886523)
}

// TestStability checks a component of small variances, in which canonical forms lose the weight of
// A (page 151 of Cowell, Dawid, Lauritzen and Spiegelhalter 1999).
func TestStability(t *testing.T) {
	b := newBuilder(model.Bayes)
	a := b.binary("A", .5)
	y := b.normal("Y", &model.Gaussian{Mean: []float64{0, 1}, Var: []float64{1e-5, 1e-6}}, a)
	s := compile(t, b.Model, "marginals")
	for _, at := range []float64{0, .5, .759746, .75975, 1} {
		s.check(t, real(map[model.VarID]float64{y: at}))
	}
	of, logp := s.posteriors(t, brute.HybridEvidence{})
	want(t, "A", 15, of["A"], .5, .5)
	want(t, "Y", 14, of["Y"], .5, .25+5.5e-6)
	want(t, "ln p", 15, []float64{logp}, 0)
}

// TestRegressions checks the linear Gaussian networks of Neapolitan 2004 that are tests of pyAgrum.
func TestRegressions(t *testing.T) {
	b := newBuilder(model.Bayes)
	x := b.normal("X", &model.Gaussian{Mean: []float64{40}, Var: []float64{25}})
	y := b.normal("Y", &model.Gaussian{Mean: []float64{0}, Coef: []float64{10}, Var: []float64{900}}, x)
	s := compile(t, b.Model, "marginals")
	of, _ := s.posteriors(t, brute.HybridEvidence{})
	want(t, "Y", 10, of["Y"], 400, 3400)
	of, _ = s.posteriors(t, real(map[model.VarID]float64{y: 300}))
	want(t, "X", 7, of["X"], 32.6470588, 6.6176471)
	want(t, "Y", 12, of["Y"], 300, 0)
	// A price without information: one of a variance of 1e20.
	const noise = 300 * 300
	p := newBuilder(model.Bayes)
	vague := &model.Gaussian{Mean: []float64{0}, Var: []float64{1e20}}
	paid := p.normal("D", &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{noise}}, p.normal("P", vague))
	of, _ = compile(t, p.Model, "marginals").posteriors(t, real(map[model.VarID]float64{paid: 8000}))
	want(t, "P", 8, of["P"], 8000, noise)
	p = newBuilder(model.Bayes)
	price, more := p.normal("P", vague), p.normal("M", vague)
	paid = p.normal("D", &model.Gaussian{Mean: []float64{0}, Coef: []float64{1, 1}, Var: []float64{noise}}, price, more)
	of, _ = compile(t, p.Model, "marginals").posteriors(t, real(map[model.VarID]float64{paid: 8000, more: 1000}))
	want(t, "P given M", 8, of["P"], 7000, noise)
}

// TestMomentsSuffice checks that the mean and the variance of a child of a mixture are those of a
// child of the normal distribution with the moments of the mixture, and their covariances.
func TestMomentsSuffice(t *testing.T) {
	child := &model.Gaussian{Mean: []float64{.7}, Coef: []float64{-1.3}, Var: []float64{.2}}
	b, n := newBuilder(model.Bayes), newBuilder(model.Bayes)
	b.normal("Y", child, b.normal("X", &model.Gaussian{Mean: []float64{0, 3}, Var: []float64{1, 4}}, b.binary("A", .4)))
	n.normal("Y", child, n.normal("X", &model.Gaussian{Mean: []float64{1.8}, Var: []float64{4.96}}))
	query := func(m *model.Model, vars ...model.VarID) []string {
		return []string{"marginals", compiler.Specification(m, &ir.Query{Kind: ir.Joint, Targets: vars})}
	}
	s, plain := compile(t, b.Model, query(b.Model, 1, 2)...), compile(t, n.Model, query(n.Model, 0, 1)...)
	got, _ := s.posteriors(t, brute.HybridEvidence{})
	exact, _ := plain.posteriors(t, brute.HybridEvidence{})
	want(t, "Y", 13, got["Y"], exact["Y"]...)
	_, cov := s.joint(t, len(s.p.Entries)-1, brute.HybridEvidence{}, 2)
	_, other := plain.joint(t, len(plain.p.Entries)-1, brute.HybridEvidence{}, 2)
	want(t, "covariance", 13, []float64{cov.At(0, 1)}, other.At(0, 1))
}
