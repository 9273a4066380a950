package pseudo_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/pseudo"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// random returns rows with missing values and weights, and features of one to three tests. Some
// tests are negated, some are of the same variable, and some contradict each other.
func random(t *testing.T, seed uint64, missing bool) (*data.Set, []pseudo.Feature) {
	rng := rand.New(rand.NewPCG(seed, 1))
	vars := learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 4, "e", 1)
	var rows [][]int
	var weights []float64
	for range 150 {
		var row []int
		for _, v := range vars {
			row = append(row, rng.IntN(len(v.States)))
		}
		if missing && rng.IntN(3) == 0 {
			row[rng.IntN(len(row))] = data.Missing
		}
		rows, weights = append(rows, row), append(weights, 0.5+rng.Float64())
	}
	var list []pseudo.Feature
	for range 25 {
		f := pseudo.Feature{Weight: rng.NormFloat64()}
		for range 1 + rng.IntN(3) {
			v := rng.IntN(len(vars))
			f.Tests = append(f.Tests, rowset.Test{Var: v, State: rng.IntN(len(vars[v].States)), Not: rng.IntN(4) == 0})
		}
		list = append(list, f)
	}
	return learnertest.New(t, vars, rows, weights), list
}

func weightsOf(list []pseudo.Feature) (w []float64) {
	for _, f := range list {
		w = append(w, f.Weight)
	}
	return w
}

// TestLog checks the pseudo-log-likelihood against package eval, and its slopes against
// differences.
func TestLog(t *testing.T) {
	for seed := range uint64(20) {
		s, list := random(t, seed, seed%2 == 1)
		p := pseudo.New(s, list, 2)
		w := weightsOf(list)
		slope := make([]float64, len(w))
		got := p.Log(w, slope)
		if seed%2 == 0 {
			rows, err := rate.NewRows((&pseudo.Fit{Features: list}).Model("", s.Vars))
			if err != nil {
				t.Fatal(err)
			}
			want, row := 0.0, make([]int, len(s.Vars))
			for i := range s.Len() {
				s.Row(i, row)
				want += s.Weight(i) * rows.Pseudo(row)
			}
			if math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("seed %d: %v; want %v", seed, got, want)
			}
		}
		const h = 1e-5
		for i := range w {
			was := w[i]
			w[i] = was + h
			up := p.Log(w, nil)
			w[i] = was - h
			down := p.Log(w, nil)
			w[i] = was
			if want := (up - down) / (2 * h); math.Abs(slope[i]-want) > 1e-5*max(1, math.Abs(want)) {
				t.Errorf("seed %d: slope by weight %d of %v is %v; differences give %v", seed, i, list[i].Tests, slope[i], want)
			}
		}
	}
}

// TestMissing checks that missing values take no part. Of the rows (1,1), (1,?) and (?,0), with the
// weight w for both being 1, the first contributes e^w/(1+e^w) twice and each of the others 1/2.
func TestMissing(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2), [][]int{{1, 1}, {1, data.Missing}, {data.Missing, 0}}, nil)
	p := pseudo.New(s, pseudo.Pairs(s.Vars, 0, 1), 1)
	got := p.Log([]float64{math.Log(3)}, nil)
	if want := 2*math.Log(3.0/4) + 2*math.Log(0.5); math.Abs(got-want) > 1e-14 {
		t.Errorf("%v; want %v", got, want)
	}
}

func fit(t *testing.T, s *data.Set, list []pseudo.Feature, l1, variance float64) *pseudo.Fit {
	t.Helper()
	o := pseudo.Options{WeightVariance: variance, Steps: 2000, Tolerance: 1e-14}
	f, err := o.Fit(context.Background(), &learner.Job{Train: s, Cores: 2}, list, l1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSaturated checks that for two variables, the pseudo-likelihood of all features is maximal at
// the frequencies n_ab: the pair's weight is the logarithm of their cross-ratio, ln (n11 n00 / (n01
// n10)), and the states' weights are ln n10/n00 and ln n01/n00.
func TestSaturated(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2), [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{40, 10, 20, 30})
	list := append(pseudo.States(s), pseudo.Pairs(s.Vars, 0, 1)...)
	got := weightsOf(fit(t, s, list, 0, 0).Features)
	for i, want := range []float64{math.Log(20.0 / 40), math.Log(10.0 / 40), math.Log(30.0 * 40 / (10 * 20))} {
		if math.Abs(got[i]-want) > 1e-5 {
			t.Errorf("weight %d is %v; want %v", i, got[i], want)
		}
	}
	// If the penalty exceeds all slopes, no weight remains. The largest slope is that of the pair,
	// (30-25) + (30-20) at weights 0.
	for _, x := range fit(t, s, list, 16, 0).Features {
		if x.Weight != 0 {
			t.Errorf("with a penalty of 16, %v has weight %v", x.Tests, x.Weight)
		}
	}
}

// TestOptimum checks the optimality conditions: the slope of the pseudo-log-likelihood is the
// penalty with the sign of the weight plus the weight over the variance; if a weight is zero, it is
// at most the penalty.
func TestOptimum(t *testing.T) {
	const l1, variance = 2, 0.5
	for seed := range uint64(6) {
		s, list := random(t, seed, true)
		f := fit(t, s, list, l1, variance)
		slope := make([]float64, len(list))
		w := weightsOf(f.Features)
		pseudo.New(s, list, 1).Log(w, slope)
		for i, x := range w {
			off := slope[i] - x/variance
			if x != 0 && math.Abs(off-math.Copysign(l1, x)) > 1e-3 || math.Abs(off) > l1+1e-3 {
				t.Errorf("seed %d, weight %d: %v with slope %v; want %v", seed, i, x, off, math.Copysign(l1, x))
			}
		}
		if zeros := len(w) - f.Params(); zeros == 0 || zeros == len(w) {
			t.Errorf("seed %d: %d of %d weights are zero; the test wants both kinds", seed, zeros, len(w))
		}
	}
}

// TestForbidden checks that a weight of minus infinity stays, that the others are fitted as if the
// forbidden states did not exist, and that forbidden rows are an error.
func TestForbidden(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 3), [][]int{{0}, {1}}, []float64{30, 10})
	never := func(k int) []pseudo.Feature {
		return []pseudo.Feature{{Tests: []rowset.Test{{Var: 0, State: k}}, Weight: math.Inf(-1)}, {Tests: []rowset.Test{{Var: 0, State: 1}}}}
	}
	f := fit(t, s, never(2), 0, 0)
	if w := weightsOf(f.Features); !math.IsInf(w[0], -1) || math.Abs(w[1]-math.Log(1.0/3)) > 1e-6 {
		t.Errorf("weights %v; want -Inf and ln 1/3", w)
	}
	o := pseudo.Options{Steps: 10}
	_, err := o.Fit(context.Background(), &learner.Job{Train: s, Cores: 1}, never(0), 0)
	if want := "a row of the data has probability 0 under the network, and no finite weights can change that"; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

// TestPath checks that the chosen fit has the highest mean on the validation data among all
// penalties.
func TestPath(t *testing.T) {
	s, list := random(t, 3, false)
	valid, _ := random(t, 4, false)
	job := &learner.Job{Train: s, Valid: valid, Cores: 1}
	o := pseudo.Options{L1: "0,1,30", Steps: 2000, Tolerance: 1e-14}
	penalties, err := o.Penalties(job, true)
	if err != nil || !slices.Equal(penalties, []float64{30, 1, 0}) {
		t.Fatalf("penalties %v, %v; want 30, 1, 0", penalties, err)
	}
	best, points, remarks, err := pseudo.Path(job, penalties, func(l1 float64, _ *pseudo.Fit) (*pseudo.Fit, error) {
		return o.Fit(context.Background(), job, list, l1)
	})
	if err != nil || len(points) != 3 || len(remarks) != 3 {
		t.Fatalf("%d points, %v", len(points), err)
	}
	for _, p := range points {
		if f := fit(t, s, list, p.L1, 0); math.Abs(*p.Valid-f.Mean(valid, 1)) > 1e-3 {
			t.Errorf("penalty %v: %v; want %v", p.L1, *p.Valid, f.Mean(valid, 1))
		}
		if *p.Valid > best.Mean(valid, 1) {
			t.Errorf("penalty %v has %v, and %v was chosen", p.L1, *p.Valid, best.L1)
		}
	}
}
