package belief_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

func runGaussian(t *testing.T, m *model.Model, opt belief.Options, e brute.HybridEvidence) (mc *eval.Machine, of [][]float64, r pgmrt.Report) {
	t.Helper()
	res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: opt, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	mc = eval.New(res.Program, res.Model)
	for v, x := range e.Reals {
		if err := mc.ObserveReal(v, x); err != nil {
			t.Fatal(err)
		}
	}
	entry := &res.Program.Entries[0]
	r, err = mc.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range entry.Outs {
		of = append(of, mc.Posterior(k))
	}
	return mc, of, r
}

// cycle returns the four-cycle with a chord of example 14.2 of Koller and Friedman: pairs have the
// precision r, and the first of them has first.
func cycle(r, first float64) *model.Model {
	m := &model.Model{Name: "cycle", Kind: model.Markov}
	var v []model.VarID
	for i, h := range []float64{1, 2, -1, .5} {
		v = append(v, m.NewReal(string(rune('a'+i))).ID)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v[i]}, Child: -1, Dist: &model.Canonical{K: []float64{1}, H: []float64{h}, G: []float64{0}}})
	}
	for _, e := range [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}} {
		x := r
		if e == [2]int{0, 1} {
			x = first
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v[e[0]], v[e[1]]}, Child: -1,
			Dist: &model.Canonical{K: []float64{0, x, 0}, H: []float64{0, 0}, G: []float64{0}}})
	}
	return m
}

// TestGaussian checks the four-cycle with a chord of example 14.2 of Koller and Friedman: at 0.3
// the means are exact and the variances are not, and at 0.4 flooding does not converge.
func TestGaussian(t *testing.T) {
	_, of, r := runGaussian(t, cycle(.3, -.3), belief.Options{Tolerance: 1e-14}, brute.HybridEvidence{})
	if r.Status != pgmrt.Converged {
		t.Errorf("%+v", r)
	}
	for i, want := range []float64{1.4625, 1.2973, 1.4625, 1.2973} {
		if math.Abs(of[i][1]-want) > 5e-5 {
			t.Errorf("variance %d: %v; want %v", i, of[i][1], want)
		}
	}
	x := make([]float64, 4) // J x = h
	for range 2000 {
		for i, h := range []float64{1, 2, -1, .5} {
			j := [4][4]float64{{0, -.3, .3, .3}, {-.3, 0, .3, 0}, {.3, .3, 0, .3}, {.3, 0, .3, 0}}[i]
			for k := range x {
				h -= j[k] * x[k]
			}
			x[i] = h
		}
	}
	for i := range x {
		irtest.CloseTo(t, of[i][0], x[i], 1e-12)
	}
	if _, _, r := runGaussian(t, cycle(.4, -.4), belief.Options{Schedule: "flooding"}, brute.HybridEvidence{}); r.Status == pgmrt.Converged {
		t.Errorf("%+v; want no convergence", r)
	}
}

// TestGaussianSigns checks the same cycle where all pairs attract: means are exact, and variances
// are too small, as they are not in the frustrated cycle. Rounds to convergence grow up to the
// threshold 2/(1+sqrt(17)) of pairwise normalizability.
func TestGaussianSigns(t *testing.T) {
	_, of, r := runGaussian(t, cycle(-.3, -.3), belief.Options{Tolerance: 1e-14}, brute.HybridEvidence{})
	if r.Status != pgmrt.Converged {
		t.Errorf("%+v", r)
	}
	joint := mat.NewDense(4, 4, []float64{1, -.3, -.3, -.3, -.3, 1, -.3, 0, -.3, -.3, 1, -.3, -.3, 0, -.3, 1})
	var cov mat.Dense
	if err := cov.Inverse(joint); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]float64{{1.4625, 1.8552}, {1.2973, 1.5294}, {1.4625, 1.8552}, {1.2973, 1.5294}} {
		if math.Abs(of[i][1]-want[0]) > 5e-5 || math.Abs(cov.At(i, i)-want[1]) > 5e-5 {
			t.Errorf("variance %d: %v of %v; want %v of %v", i, of[i][1], cov.At(i, i), want[0], want[1])
		}
		mean := 0.0
		for k, h := range []float64{1, 2, -1, .5} {
			mean += cov.At(i, k) * h
		}
		irtest.CloseTo(t, of[i][0], mean, 1e-12)
	}
	for _, c := range []struct {
		r        float64
		from, to int
	}{{.3, 34, 42}, {.39, 135, 155}} {
		_, _, r := runGaussian(t, cycle(c.r, -c.r), belief.Options{Schedule: "flooding", Tolerance: 1e-13, Iterations: 1000}, brute.HybridEvidence{})
		if r.Status != pgmrt.Converged || r.Iterations < c.from || r.Iterations > c.to {
			t.Errorf("r %v: %+v; want convergence in %d to %d rounds", c.r, r, c.from, c.to)
		}
	}
}

// grid returns a random network of n times n real variables with couplings of up to most between
// neighbours, and its means by gonum.
func grid(r *rand.Rand, n int, most float64) (m *model.Model, means *mat.VecDense) {
	m = &model.Model{Kind: model.Markov}
	k, h := mat.NewSymDense(n*n, nil), mat.NewVecDense(n*n, nil)
	for i := range n * n {
		v := m.NewReal(fmt.Sprintf("x%d", i)).ID
		k.SetSym(i, i, 1)
		h.SetVec(i, r.NormFloat64())
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Child: -1, Dist: &model.Canonical{K: []float64{1}, H: []float64{h.AtVec(i)}, G: []float64{0}}})
		for _, w := range []int{i - 1, i - n} {
			if w < 0 || w == i-1 && i%n == 0 {
				continue
			}
			k.SetSym(w, i, most*(2*r.Float64()-1))
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(w), v}, Child: -1,
				Dist: &model.Canonical{K: []float64{0, k.At(w, i), 0}, H: []float64{0, 0}, G: []float64{0}}})
		}
	}
	means = mat.NewVecDense(n*n, nil)
	if err := means.SolveVec(k, h); err != nil {
		panic(err)
	}
	return m, means
}

// TestGaussianSchedules compares the schedules on random grids with diagonally dominant matrices:
// all reach the means, and residual with fewer visits of variables. An iteration of flooding and
// residual visits each variable once, of sequential twice.
func TestGaussianSchedules(t *testing.T) {
	visits := map[string]int{}
	for seed := range uint64(3) {
		m, means := grid(rand.New(rand.NewPCG(seed, 3)), 5, .3)
		for _, schedule := range []string{"flooding", "sequential", "residual"} {
			_, of, r := runGaussian(t, m, belief.Options{Schedule: schedule, Tolerance: 1e-10}, brute.HybridEvidence{})
			if r.Status != pgmrt.Converged {
				t.Errorf("seed %d, %s: %+v", seed, schedule, r)
			}
			if visits[schedule] += r.Iterations; schedule == "sequential" {
				visits[schedule] += r.Iterations
			}
			for v := range m.Vars {
				if math.Abs(of[v][0]-means.AtVec(v)) > 1e-8 {
					t.Errorf("seed %d, %s: mean of %d %v; want %v", seed, schedule, v, of[v][0], means.AtVec(v))
				}
			}
		}
	}
	if f, s, r := visits["flooding"], visits["sequential"], visits["residual"]; r >= s || s >= f {
		t.Errorf("flooding takes %d visits of each variable, sequential %d, residual %d", f, s, r)
	}
}

// TestGaussianResidual checks the residual schedule on the frustrated cycle: it converges up to the
// threshold of pairwise normalizability, and not beyond it, and is exact on a tree and on variables
// without neighbours.
func TestGaussianResidual(t *testing.T) {
	opt := belief.Options{Schedule: "residual", Tolerance: 1e-12}
	for _, c := range []struct {
		r    float64
		want pgmrt.Status
	}{{.3, pgmrt.Converged}, {.389, pgmrt.Converged}, {.49, pgmrt.NotConverged}} {
		_, _, r := runGaussian(t, cycle(c.r, -c.r), opt, brute.HybridEvidence{})
		if r.Status != c.want {
			t.Errorf("r %v: %+v; want %v", c.r, r, c.want)
		}
	}
	m := cycle(.3, .3)
	for _, factors := range [][]*model.Factor{m.Factors[:4], m.Factors[:7]} { // alone, and a star
		m.Factors = factors
		want, err := brute.NewHybrid(m, brute.HybridEvidence{Reals: map[model.VarID]float64{2: 1.5}})
		if err != nil {
			t.Fatal(err)
		}
		mc, of, r := runGaussian(t, m, opt, brute.HybridEvidence{Reals: map[model.VarID]float64{2: 1.5}})
		for v := range m.Vars {
			mean, variance := want.Moments(model.VarID(v))
			irtest.Close(t, of[v], []float64{mean, variance}, 1e-12)
		}
		irtest.CloseTo(t, mc.LogP(), want.LogDensity, 1e-12)
		if r.Status != pgmrt.Converged {
			t.Errorf("%+v", r)
		}
		m = cycle(.3, .3)
	}
}

// TestGaussianRandom compares means with exact rationals wherever messages converge, and all
// answers if the graph is a forest.
func TestGaussianRandom(t *testing.T) {
	converged, trees := 0, 0
	for seed := range uint64(40) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: true, NoZeros: true, Decades: 1, MaxVars: 6})
		e := irtest.HybridEvidence(seed, m, .3)
		res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: belief.Options{}})
		if err != nil {
			t.Fatal(err)
		}
		exact := res.Claim.String() == "exact"
		mc, of, r := runGaussian(t, m, belief.Options{}, e)
		if r.Status != pgmrt.Converged {
			continue
		}
		converged++
		want, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		for v := range m.Vars {
			mean, variance := want.Moments(model.VarID(v))
			if math.Abs(of[v][0]-mean) > 1e-6*(1+math.Abs(mean)) || exact && math.Abs(of[v][1]-variance) > 1e-9*(1+variance) {
				t.Errorf("seed %d: %s %v; want %v, %v; exact: %v", seed, m.Vars[v].Name, of[v], mean, variance, exact)
			}
		}
		if exact {
			trees++
			irtest.CloseTo(t, mc.LogP(), want.LogDensity, 1e-9)
		}
	}
	if converged < 25 || trees < 5 {
		t.Errorf("%d of 40 runs converged, %d on forests", converged, trees)
	}
	t.Logf("%d of 40 runs converged, %d on forests", converged, trees)
}

// TestGaussianFunctions compares means with exact rationals where messages converge, in networks
// with linear functions, which have noise in a precision's place.
func TestGaussianFunctions(t *testing.T) {
	converged := 0
	for seed := range uint64(40) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: true, Zeros: .3, Decades: 1, MaxVars: 5})
		if !slices.ContainsFunc(m.Reals(), func(v model.VarID) bool { f := m.CPD(v); return f != nil && f.Dist.HasZeros() }) {
			continue
		}
		e := irtest.HybridEvidence(seed, m, .3)
		_, of, r := runGaussian(t, m, belief.Options{Tolerance: 1e-12}, e)
		if r.Status != pgmrt.Converged {
			continue
		}
		converged++
		want, err := brute.NewHybrid(m, e)
		if err != nil {
			t.Fatal(err)
		}
		_, scale := gauss.Units(m)
		for v := range m.Vars {
			if mean, _ := want.Moments(model.VarID(v)); math.Abs(of[v][0]-mean) > 1e-5*scale[v] {
				t.Errorf("seed %d: %s %v; want %v in units of %v", seed, m.Vars[v].Name, of[v], mean, scale[v])
			}
		}
	}
	if converged < 15 {
		t.Errorf("%d runs converged; want most", converged)
	}
}
