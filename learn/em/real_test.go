package em

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// reals returns a set of real columns.
func reals(t testing.TB, names []string, rows [][]float64) *data.Set {
	t.Helper()
	var vars []data.Var
	for _, name := range names {
		vars = append(vars, data.Var{Name: name, Real: true})
	}
	s, err := data.NewReal(vars, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// faithful holds waiting times between eruptions of Old Faithful, every ninth row of the classic
// table.
var faithful = []float64{79, 51, 47, 84, 62, 83, 78, 52, 79, 59, 80, 90, 58, 84, 58, 73, 83, 64, 53, 82, 59, 75, 90, 54, 80, 54, 83, 71, 64, 77}

func normal(x, mean, variance float64) float64 {
	return math.Exp(-(x-mean)*(x-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}

// A mixture of two normal distributions, compared with a plain loop of EM from the same start.
func TestGaussianMixture(t *testing.T) {
	p, mean, variance := []float64{.5, .5}, []float64{50, 80}, []float64{100, 100}
	vars := []data.Var{{Name: "wait", Real: true}}
	m, err := mixture(vars, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	m.Factors[0].Dist = &model.Table{Values: []float64{.5, .5}}
	m.Factors[1].Dist = &model.Gaussian{Mean: []float64{50, 80}, Var: []float64{100, 100}}
	var rows [][]float64
	for _, x := range faithful {
		rows = append(rows, []float64{x})
	}
	const steps = 15
	fit := run(t, m, reals(t, []string{"wait"}, rows), RunOptions{Steps: steps, Tolerance: 1e-300}, 0)
	var trace []float64
	for range steps + 1 {
		logP := 0.0
		var n, sum, squares [2]float64
		for _, x := range faithful {
			a, b := p[0]*normal(x, mean[0], variance[0]), p[1]*normal(x, mean[1], variance[1])
			logP += math.Log(a + b)
			for k, w := range []float64{a / (a + b), b / (a + b)} {
				n[k] += w
				sum[k] += w * x
				squares[k] += w * x * x
			}
		}
		if trace = append(trace, logP); len(trace) > steps {
			break
		}
		for k := range 2 {
			p[k], mean[k] = n[k]/float64(len(faithful)), sum[k]/n[k]
			variance[k] = squares[k]/n[k] - mean[k]*mean[k]
		}
	}
	got := fit.Starts[0].Trace
	irtest.Close(t, got, trace[:len(got)], 1e-9)
	d := fit.Model.Factors[1].Gaussian()
	irtest.Close(t, table(fit.Model, 0), p, 1e-9)
	irtest.Close(t, d.Mean, mean, 1e-8)
	irtest.Close(t, d.Var, variance, 1e-7)
	rises(t, got)
	if len(got) != steps+1 {
		t.Errorf("%d steps; want %d", len(got)-1, steps)
	}
}

func rises(t *testing.T, trace []float64) {
	t.Helper()
	for i := 1; i < len(trace); i++ {
		if trace[i] < trace[i-1]-1e-9*math.Abs(trace[i-1]) {
			t.Errorf("step %d: the objective falls from %v to %v", i, trace[i-1], trace[i])
		}
	}
}

// factorRows returns rows of four variables that depend on one hidden factor.
func factorRows(n int) [][]float64 {
	r := rand.New(rand.NewPCG(1, 9))
	var rows [][]float64
	for range n {
		z := r.NormFloat64()
		rows = append(rows, []float64{1 + 2*z + r.NormFloat64(), -3 + z + .5*r.NormFloat64(), 10 - z + r.NormFloat64(), .5*z + 2*r.NormFloat64()})
	}
	return rows
}

// Factor analysis with one factor, compared with a plain loop of EM (Rubin and Thayer 1982), whose
// factor has a mean and a variance of its own.
func TestFactorAnalysis(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	rows := factorRows(60)
	s := reals(t, names, rows)
	m, err := mixture(s.Vars, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	a, b, psi := []float64{0, -2, 9, 0}, []float64{1, 1, -1, .2}, []float64{2, 2, 2, 2}
	for i := range names {
		m.Factors[1+i].Dist = &model.Gaussian{Mean: []float64{a[i]}, Coef: []float64{b[i]}, Var: []float64{psi[i]}}
	}
	const steps = 30
	fit := run(t, m, s, RunOptions{Steps: steps, Tolerance: 1e-300}, 0)
	at, spread := 0.0, 1.0 // mean and variance of the factor
	n := float64(len(rows))
	var trace []float64
	for range steps + 1 {
		logP, sumZ, sumZZ := 0.0, 0.0, 0.0
		sumX, sumXX, sumXZ := make([]float64, 4), make([]float64, 4), make([]float64, 4)
		for _, x := range rows {
			// ln p(x) = Σ ln p(x_i | x_1..i-1), by updating the normal distribution of z.
			mean, variance := at, spread
			for i := range x {
				total := b[i]*b[i]*variance + psi[i]
				off := x[i] - a[i] - b[i]*mean
				logP += math.Log(normal(off, 0, total))
				gain := variance * b[i] / total
				mean, variance = mean+gain*off, variance-gain*b[i]*variance
			}
			sumZ, sumZZ = sumZ+mean, sumZZ+variance+mean*mean
			for i := range x {
				sumX[i], sumXX[i], sumXZ[i] = sumX[i]+x[i], sumXX[i]+x[i]*x[i], sumXZ[i]+x[i]*mean
			}
		}
		if trace = append(trace, logP); len(trace) > steps {
			break
		}
		at = sumZ / n
		spread = sumZZ/n - at*at
		for i := range a {
			b[i] = (sumXZ[i]/n - sumX[i]/n*at) / spread
			a[i] = sumX[i]/n - b[i]*at
			psi[i] = (sumXX[i] - a[i]*sumX[i] - b[i]*sumXZ[i]) / n
		}
	}
	irtest.Close(t, fit.Starts[0].Trace, trace, 1e-8)
	rises(t, fit.Starts[0].Trace)
	for i := range names {
		d := fit.Model.Factors[1+i].Gaussian()
		irtest.Close(t, []float64{d.Mean[0], d.Coef[0], d.Var[0]}, []float64{a[i], b[i], psi[i]}, 1e-8)
	}
}

// The maximum for two normal variables, the second of which is missing in some rows, has a closed
// form (Anderson 1957): the regression on complete rows, applied to the mean and the variance of
// the first variable in all rows.
func TestMonotoneMissing(t *testing.T) {
	rows := [][]float64{{1, 3}, {2, 4.5}, {3, 8}, {4, 8.5}, {5, 12}, {6, math.NaN()}, {9, math.NaN()}, {-2, math.NaN()}}
	m := &model.Model{}
	m.NewReal("x")
	m.NewReal("y")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{1}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{1, 0}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{0}, Var: []float64{1}}},
	}
	fit := run(t, m, reals(t, []string{"x", "y"}, rows), RunOptions{Steps: 10000, Tolerance: 1e-16}, 0)
	// Complete rows: means 3 and 7.2, cross products 10, 22 and 50.3. All: x has the mean 3.5 and
	// the sum of squares 176.
	slope := 22. / 10
	rest := (50.3 - slope*22) / 5
	varX := 176./8 - 3.5*3.5
	meanY, varY := 7.2+slope*.5, rest+slope*slope*varX
	y, x := fit.Model.Factors[0].Gaussian(), fit.Model.Factors[1].Gaussian()
	irtest.Close(t, []float64{y.Mean[0], y.Var[0]}, []float64{meanY, varY}, 1e-5)
	irtest.CloseTo(t, x.Coef[0], slope*varX/varY, 1e-6)
	irtest.CloseTo(t, x.Var[0], varX-slope*slope*varX*varX/varY, 1e-4)
	rises(t, fit.Starts[0].Trace)
}

// On random networks with missing values the log-likelihood is that of exact rationals, and the
// objective never falls, with and without a prior and random starts.
func TestRandomHybrids(t *testing.T) {
	for _, seed := range irtest.Cases(t, 8, 60) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoGivens: true, NoZeros: true, Decades: 2, MaxVars: 6})
		s := missing(t, m, seed)
		column, err := mle.Columns(m, s.Vars)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for row := range s.Len() {
			h, err := brute.NewHybrid(m, evidenceOf(m, s, column, row))
			if err != nil {
				t.Fatal(err)
			}
			want += h.LogDensity
		}
		for _, opt := range []RunOptions{{}, {Options: mle.Options{Prior: mle.Prior{Kind: mle.Each, Size: 1}}}, {Random: true, Options: mle.Options{Prior: mle.Prior{Kind: mle.BDeu, Size: 3}, Mode: false}}, {Options: mle.Options{Prior: mle.Prior{Kind: mle.Each, Size: 2}, Mode: true}}} {
			opt.Steps, opt.Tolerance = 30, 1e-12
			fit := run(t, m, s, opt, seed)
			if trace := fit.Starts[0].Trace; opt.Prior.Kind == mle.None && !opt.Random {
				irtest.CloseTo(t, trace[0], want, 1e-8*math.Abs(want))
			}
			neverFalls(t, m, s, column, opt, seed)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// neverFalls takes plain steps of EM, which keep no better model.
func neverFalls(t *testing.T, m *model.Model, s *data.Set, column []int, opt RunOptions, seed uint64) {
	t.Helper()
	opt.Marginals = marginals(m, s, column)
	x := expecterOf(t, m, s, opt.Options)
	now := x.est.Positive(m)
	if opt.Random {
		now = x.est.Random(m, rand.New(rand.NewPCG(seed, 1)))
	}
	last := math.Inf(-1)
	for range 15 {
		n, logP, err := x.expect(context.Background(), now)
		if err != nil {
			t.Fatal(err)
		}
		objective := logP + x.est.Penalty(now)
		if objective < last-1e-9*math.Abs(last) || math.IsNaN(objective) {
			t.Errorf("prior %v: the objective falls from %v to %v", opt.Prior.Kind, last, objective)
		}
		last, now = objective, x.est.Fit(n, now)
	}
}

// missing returns 20 rows of m, of whose values a quarter is missing.
func missing(t *testing.T, m *model.Model, seed uint64) *data.Set {
	r := rand.New(rand.NewPCG(seed, 4))
	var rows [][]float64
	for range 20 {
		state, x := irtest.HybridSample(r, m)
		row := make([]float64, len(m.Vars))
		for v := range row {
			row[v] = float64(state[v])
			if m.IsReal(model.VarID(v)) {
				row[v] = x[v]
			}
			if r.IntN(4) == 0 {
				row[v] = math.NaN()
			}
		}
		rows = append(rows, row)
	}
	s, err := data.NewReal(data.VarsOf(m), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func evidenceOf(m *model.Model, s *data.Set, column []int, row int) brute.HybridEvidence {
	e := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}}
	for v, c := range column {
		col := s.Column(c)
		if x := col.At(row); x == data.Missing {
			continue
		} else if id := model.VarID(v); m.IsReal(id) {
			e.Reals[id] = s.Real(c)[row]
		} else {
			e.States[id] = x
		}
	}
	return e
}

// The learner separates two clusters of mixed rows.
func TestMixedClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	vars := []data.Var{{Name: "x", Real: true}, {Name: "y", Real: true}, {Name: "d", States: []string{"0", "1"}}}
	var rows [][]float64
	for i := range 200 {
		k := float64(i % 2)
		d := k
		if r.IntN(10) == 0 {
			d = 1 - d
		}
		rows = append(rows, []float64{10*k + r.NormFloat64(), -5*k + 2*r.NormFloat64(), d})
	}
	s, err := data.NewReal(vars, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	opt := NewOptions()
	opt.Prior = "none"
	res, err := opt.Learn(context.Background(), &learner.Job{Train: s, Seed: 1, Cores: 2})
	if err != nil {
		t.Fatal(err)
	}
	d := res.Models[0].Factors[1].Gaussian()
	low, high := min(d.Mean[0], d.Mean[1]), max(d.Mean[0], d.Mean[1])
	if math.Abs(low) > .3 || math.Abs(high-10) > .3 || max(d.Var[0], d.Var[1]) > 1.5 {
		t.Errorf("means %v, variances %v; want 0 and 10, 1", d.Mean, d.Var)
	}
}
