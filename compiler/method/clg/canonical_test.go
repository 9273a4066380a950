package clg_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// potentials returns a Markov network with the distribution of a network with Gaussian CPDs: each
// CPD as the logarithm of its density, in two parts, and the factors in another order. A potential
// and its inverse are factors too.
func potentials(r *rand.Rand, m *model.Model) *model.Model {
	out := *m
	out.Kind, out.Factors = model.Markov, nil
	add := func(share float64, d *model.Canonical, scope []model.VarID) {
		part := &model.Canonical{}
		for _, x := range []struct{ to, from *[]float64 }{{&part.K, &d.K}, {&part.H, &d.H}, {&part.G, &d.G}} {
			for _, y := range *x.from {
				*x.to = append(*x.to, share*y)
			}
		}
		out.Factors = append(out.Factors, &model.Factor{Scope: scope, Child: -1, Dist: part})
	}
	for _, f := range m.Factors {
		d := f.Gaussian()
		if d == nil {
			values, _ := m.Tabulate(f, 1<<20)
			out.Factors = append(out.Factors, &model.Factor{Scope: f.Scope, Child: -1, Dist: &model.Table{Values: values}})
			continue
		}
		c := &model.Canonical{}
		for row := range d.Mean {
			mean, coef, variance := d.Row(row)
			by := append(slices.Clone(coef), -1) // the deviation from the mean is mean + by·(parents, child)
			for i := range by {
				c.H = append(c.H, -by[i]*mean/variance)
				for k := i; k < len(by); k++ {
					c.K = append(c.K, by[i]*by[k]/variance)
				}
			}
			c.G = append(c.G, -mean*mean/(2*variance)-math.Log(2*math.Pi*variance)/2)
		}
		share := r.Float64()
		add(share, c, f.Scope)
		add(1-share, c, f.Scope)
		if r.IntN(2) == 0 {
			add(.5, c, f.Scope)
			add(-.5, c, f.Scope)
		}
	}
	r.Shuffle(len(out.Factors), func(i, k int) { out.Factors[i], out.Factors[k] = out.Factors[k], out.Factors[i] })
	return &out
}

// TestPotentials compares networks of canonical potentials with the exact rationals of the networks
// that they are the CPDs of: their product integrates to 1, in whatever order.
func TestPotentials(t *testing.T) {
	for _, seed := range irtest.Cases(t, 6, 200) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoZeros: true, NoGivens: true, Decades: 1, NoDiscrete: seed%3 == 0})
		r := rand.New(rand.NewPCG(seed, 3))
		p := potentials(r, m)
		if list := p.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		res, err := compiler.Compile(context.Background(), p, compiler.Options{Queries: append([]string{"marginals", "logprob", "posteriors"}, joints(m, seed)...), Check: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if math.Abs(res.Program.LogZ) > 1e-9 {
			t.Errorf("seed %d: ln Z %v; want 0", seed, res.Program.LogZ)
		}
		s := &subject{m, res.Program, 100} // products of CPDs lose digits
		for k := range uint64(4) {
			s.check(t, irtest.HybridEvidence(seed*10+k, m, float64(k)/4))
		}
		e := irtest.HybridEvidence(seed, m, 1) // all variables: the value of the product
		state, x := make([]int, len(m.Vars)), make([]float64, len(m.Vars))
		for v := range m.Vars {
			state[v], x[v] = e.States[model.VarID(v)], e.Reals[model.VarID(v)]
		}
		mc := s.machine(t, e)
		if err := mc.Run(s.p.Entry("logprob")); err != nil {
			t.Fatal(err)
		}
		irtest.CloseTo(t, mc.LogP(), p.LogDensity(state, x), 1e-9)
		for _, q := range irtest.HybridSignatures(seed, m, 4) {
			if q.Do != nil {
				continue // of networks with CPDs
			}
			s := compile(t, p, compiler.Specification(p, q))
			s.m, s.lose = m, 100
			state, x := irtest.HybridSample(r, m)
			if d := s.signature(t, q, m, state, x); d != "" {
				t.Errorf("seed %d: %s: %s", seed, compiler.Specification(p, q), d)
			}
		}
		if tree := clg.TreeOf(p); tree.Buckets != len(m.Reals()) {
			t.Errorf("seed %d: %+v; want %d buckets", seed, tree, len(m.Reals()))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestRandomPotentials compares random potentials, which are no CPDs, with exact rationals: beside
// tables of discrete variables, in states some of which are impossible.
func TestRandomPotentials(t *testing.T) {
	count, checked := irtest.Count(t, 8, 200), 0
	for seed := range uint64(count) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := newBuilder(model.Markov)
		var discrete, reals []model.VarID
		for i := range 1 + r.IntN(3) {
			discrete = append(discrete, b.NewVar(string(rune('A'+i)), "0", "1").ID)
		}
		for i := range 2 + r.IntN(4) {
			reals = append(reals, b.NewReal(string(rune('P'+i))).ID)
		}
		b.Factors = append(b.Factors, &model.Factor{Scope: discrete[:1], Child: -1, Dist: &model.Table{Values: []float64{2, .3}}})
		for i := range reals {
			n := min(len(reals)-i, 1+r.IntN(3))
			f := &model.Factor{Scope: slices.Concat(discrete[:r.IntN(len(discrete)+1)], reals[i:i+n]), Child: -1}
			rows, _ := b.TableSize(f.Scope[:len(f.Scope)-n])
			d := &model.Canonical{}
			for range rows {
				for x := range n {
					d.H = append(d.H, 3*r.NormFloat64())
					for y := x; y < n; y++ {
						d.K = append(d.K, r.Float64()-.5)
					}
					d.K[len(d.K)-n+x] += 2 // of one variable with itself
				}
				d.G = append(d.G, 5*r.NormFloat64())
			}
			if rows > 1 && r.IntN(2) == 0 {
				d.G[r.IntN(rows)] = math.Inf(-1)
			}
			f.Dist = d
			b.Factors = append(b.Factors, f)
		}
		if all, err := brute.NewHybrid(b.Model, brute.HybridEvidence{}); err != nil || len(all.Parts) == 0 {
			continue // all states are impossible
		}
		s := compile(t, b.Model, append([]string{"marginals", "logprob"}, joints(b.Model, seed)...)...)
		checked++
		for k := range 4 {
			e := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}}
			for _, v := range b.Vars {
				switch real := b.IsReal(v.ID); {
				case real && r.IntN(4) < k:
					e.Reals[v.ID] = 2 * r.NormFloat64()
				case !real && r.IntN(6) < k:
					e.States[v.ID] = r.IntN(2)
				}
			}
			s.check(t, e)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if checked < count*3/4 {
		t.Errorf("%d of %d networks checked; want most", checked, count)
	}
}

// product returns the potentials of exercise 14.1 of Koller and Friedman.
func product() builder {
	b := newBuilder(model.Markov)
	x, y, z := b.NewReal("X").ID, b.NewReal("Y").ID, b.NewReal("Z").ID
	b.canonical([]float64{1, -1, 1}, []float64{1, -1}, -3, x, y)
	b.canonical([]float64{3, -2, 4}, []float64{5, -1}, 1, y, z)
	return b
}

// TestProduct checks exercise 14.1: the product of two potentials, its integral, and one observed
// variable.
func TestProduct(t *testing.T) {
	b := product()
	const x, y, z = 0, 1, 2
	s := compile(t, b.Model, "joint(X,Y,Z)", "joint(X,Z)", "marginals", "Z | X")
	if math.Abs(s.p.LogZ-5.4045948) > 5e-8 {
		t.Errorf("ln of the integral %v; want 5.4045948", s.p.LogZ)
	}
	mean, cov := s.joint(t, 0, brute.HybridEvidence{}, 3)
	want(t, "means", 14, mean, 3.25, 2.25, .875)
	want(t, "covariances", 14, lower(cov), 1.5, .5, .5, .25, .25, .375)
	mean, cov = s.joint(t, 1, brute.HybridEvidence{}, 2)
	want(t, "means of X and Z", 14, mean, 3.25, .875)
	want(t, "covariances of X and Z", 14, lower(cov), 1.5, .25, .375)
	of, logp := s.posteriors(t, real(map[model.VarID]float64{y: 1}))
	want(t, "X", 14, of["X"], 2, 1)
	want(t, "Z", 14, of["Z"], .25, .25)
	want(t, "ln p", 13, []float64{logp + s.p.LogZ}, 2+.125+math.Log(2*math.Pi)-math.Log(4)/2)
	// A potential divided by itself leaves the other; with it alone, Y has no distribution.
	b.canonical([]float64{-3, 2, -4}, []float64{-5, 1}, -1, y, z)
	b.canonical([]float64{2}, []float64{1}, 0, x)
	b.canonical([]float64{1}, []float64{0}, 0, z)
	of, _ = compile(t, b.Model, "marginals").posteriors(t, brute.HybridEvidence{})
	want(t, "X", 14, of["X"], .5, .5) // K is 3 -1, -1 1, and h is 2, -1
	want(t, "Y", 14, of["Y"], -.5, 1.5)
	want(t, "Z", 14, of["Z"], 0, 1)
}

// TestPotentialRefused checks potentials whose product has no integral, and parameters that can be
// replaced.
func TestPotentialRefused(t *testing.T) {
	flat := newBuilder(model.Markov)
	x, y := flat.NewReal("X").ID, flat.NewReal("Y").ID
	flat.canonical([]float64{1, -1, 1}, []float64{1, -1}, -3, x, y)
	for _, c := range []struct {
		m    *model.Model
		opt  compiler.Options
		want string
	}{
		{flat.Model, compiler.Options{}, `the product of the potentials over real variables has no finite integral: given the others, "Y" has no positive precision`},
		{product().Model, compiler.Options{MaxTable: 3}, `clg: variable "X" is eliminated with 1 real variables for each of 1 joint states of discrete ones; limit: max-table 3`},
		{product().Model, compiler.Options{Params: ir.Var}, "method clg needs constant parameters for canonical potentials"},
	} {
		if _, err := compiler.Compile(context.Background(), c.m, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}

// lower returns the lower triangle of a matrix.
func lower(x *mat.SymDense) (list []float64) {
	n, _ := x.Dims()
	for i := range n {
		for k := range i + 1 {
			list = append(list, x.At(i, k))
		}
	}
	return list
}
