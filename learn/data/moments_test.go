package data_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pgmc-go/pgmc/learn/data"
)

// mixed returns random rows of three discrete and four real variables in mixed order; the last real
// one is the sum of the first two. A cell is missing with the given probability.
func mixed(t testing.TB, seed uint64, n int, missing float64, weigh bool) *data.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	vars := []data.Var{{Name: "r0", Real: true}, {Name: "a", States: []string{"0", "1"}}, {Name: "r1", Real: true}, {Name: "b", States: []string{"0", "1", "2"}},
		{Name: "c", States: []string{"0", "1"}}, {Name: "r2", Real: true}, {Name: "r3", Real: true}}
	var rows [][]float64
	var weights []float64
	for range n {
		a, b, c := float64(rng.IntN(2)), float64(rng.IntN(3)), float64(rng.IntN(2))
		x := 1e3 + rng.NormFloat64()
		y := 2*x + a + .1*rng.NormFloat64()
		row := []float64{x, a, y, b, c, b - c*x + rng.NormFloat64(), x + y}
		for v := range row {
			if rng.Float64() < missing {
				row[v] = math.NaN()
			}
		}
		rows = append(rows, row)
		if weigh {
			weights = append(weights, float64(rng.IntN(4))/2)
		}
	}
	s, err := data.NewReal(vars, rows, weights)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// naive computes moments by two passes over the rows.
func naive(s *data.Set, discrete, real []int) []data.Moment {
	cells := 1
	for _, v := range discrete {
		cells *= len(s.Vars[v].States)
	}
	out := make([]data.Moment, cells)
	states := make([]int, len(s.Vars))
	each := func(do func(x *data.Moment, row int, w float64)) {
		for row := range s.Len() {
			s.Row(row, states)
			cell, whole := 0, true
			for _, v := range discrete {
				cell, whole = cell*len(s.Vars[v].States)+states[v], whole && states[v] >= 0
			}
			for _, v := range real {
				whole = whole && states[v] >= 0
			}
			if whole {
				do(&out[cell], row, s.Weight(row))
			}
		}
	}
	for i := range out {
		out[i].Mean, out[i].Cross = make([]float64, len(real)), make([]float64, len(real)*(len(real)+1)/2)
	}
	each(func(x *data.Moment, _ int, w float64) { x.Weight += w })
	each(func(x *data.Moment, row int, w float64) {
		for i, v := range real {
			if x.Weight > 0 {
				x.Mean[i] += w * s.Real(v)[row] / x.Weight
			}
		}
	})
	each(func(x *data.Moment, row int, w float64) {
		for i, v := range real {
			for j, u := range real[:i+1] {
				x.Cross[data.Packed(i, j)] += w * (s.Real(v)[row] - x.Mean[i]) * (s.Real(u)[row] - x.Mean[j])
			}
		}
	})
	return out
}

// alike compares moments, with a tolerance for each variable in proportion to its size.
func alike(t *testing.T, what string, got, want []data.Moment) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d joint states; want %d", what, len(got), len(want))
	}
	off := func(a, b, size float64) bool { return !(math.Abs(a-b) <= 1e-11*max(1, size)) }
	for c, g := range got {
		w := want[c]
		bad := g.Weight != w.Weight || len(g.Mean) != len(w.Mean) || len(g.Cross) != len(w.Cross)
		for i := range w.Mean {
			bad = bad || off(g.Mean[i], w.Mean[i], math.Abs(w.Mean[i]))
		}
		for i := range w.Cross {
			bad = bad || off(g.Cross[i], w.Cross[i], 1e2*g.Weight)
		}
		if bad {
			t.Errorf("%s, joint state %d: got %v; want %v", what, c, g, w)
		}
	}
}

func TestMoments(t *testing.T) {
	for _, missing := range []float64{0, .1} {
		for _, weigh := range []bool{false, true} {
			s := mixed(t, 1, 1100, missing, weigh)
			m := data.NewMoments(s, 1)
			two := data.NewMoments(s, 2)
			for _, c := range [][2][]int{{nil, {0}}, {nil, {5, 0, 2, 6}}, {{1}, {2, 0}}, {{4, 3, 1}, {0, 6, 5}}, {{3}, nil}} {
				got := m.Of(c[0], c[1])
				alike(t, fmt.Sprint(c, missing, weigh), got, naive(s, c[0], c[1]))
				if !reflect.DeepEqual(got, two.Of(c[0], c[1])) {
					t.Errorf("%v: other numbers on two goroutines", c)
				}
			}
		}
	}
}

// TestMerge splits rows in two parts and merges their moments.
func TestMerge(t *testing.T) {
	s := mixed(t, 2, 600, 0, true)
	var first, second []int
	for i := range s.Len() {
		if i%3 == 0 {
			first = append(first, i)
		} else {
			second = append(second, i)
		}
	}
	discrete, real := []int{1, 3}, []int{0, 2, 5}
	whole := data.NewMoments(s, 1).Of(discrete, real)
	a, b := data.NewMoments(s.Subset(first), 1).Of(discrete, real), data.NewMoments(s.Subset(second), 1).Of(discrete, real)
	var merged []data.Moment
	for c := range a {
		merged = append(merged, a[c].Merge(&b[c]))
	}
	alike(t, "merged", merged, whole)
	alike(t, "with none", []data.Moment{a[0].Merge(&data.Moment{}), (&data.Moment{}).Merge(&a[0])}, []data.Moment{a[0], a[0]})
}

// TestRegress compares with gonum's solution by QR, and drops a predictor that is the sum of two.
func TestRegress(t *testing.T) {
	s := mixed(t, 3, 200, 0, false)
	x := data.NewMoments(s, 1).Of(nil, []int{0, 2, 6, 5})[0]
	r := x.Regress()
	if fmt.Sprint(r.Dropped) != "[2]" || r.Coef[2] != 0 || r.Parameters() != 3 {
		t.Errorf("dropped %v with coefficients %v; want the third", r.Dropped, r.Coef)
	}
	design, target := mat.NewDense(s.Len(), 3, nil), mat.NewVecDense(s.Len(), nil)
	for i := range s.Len() {
		design.SetRow(i, []float64{1, s.Real(0)[i] - 1000, s.Real(2)[i] - 2000})
		target.SetVec(i, s.Real(5)[i])
	}
	var beta, fitted mat.VecDense
	if err := beta.SolveVec(design, target); err != nil {
		t.Fatal(err)
	}
	fitted.MulVec(design, &beta)
	fitted.SubVec(&fitted, target)
	rss := mat.Dot(&fitted, &fitted)
	near := func(what string, got, want, tol float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
			t.Errorf("%s: got %.15g; want %.15g", what, got, want)
		}
	}
	near("first coefficient", r.Coef[0], beta.AtVec(1), 1e-9)
	near("second coefficient", r.Coef[1], beta.AtVec(2), 1e-9)
	near("intercept", r.Intercept+1000*r.Coef[0]+2000*r.Coef[1], beta.AtVec(0), 1e-9)
	near("residual", r.Residual, rss, 1e-11)
	near("variance", r.Variance(false, 9, 0), rss/200, 1e-11)
	near("unbiased variance", r.Variance(true, 9, 0), rss/197, 1e-11)
	near("least variance", r.Variance(false, 9, 1e9), 1e9, 0)
}

// TestRegressFew regresses on fewer rows than it fits numbers: the variance is that of the
// fallback.
func TestRegressFew(t *testing.T) {
	x := data.Moment{Weight: 1, Mean: []float64{3, 5}, Cross: []float64{0, 0, 0}}
	r := x.Regress()
	if r.Intercept != 5 || r.Coef[0] != 0 || r.Residual != 0 || r.Variance(true, 4, 0) != 4 || r.Variance(false, 4, 0) != 4 {
		t.Errorf("one row: %+v with variance %v; want its value and the fallback", r, r.Variance(true, 4, 0))
	}
	if got, want := r.LogLikelihood(4), -.5*math.Log(8*math.Pi); got != want {
		t.Errorf("ln density %v; want %v", got, want)
	}
}

// BenchmarkMoments computes the moments of 107 real variables in 5,000 rows.
func BenchmarkMoments(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	vars := make([]data.Var, 107)
	for v := range vars {
		vars[v] = data.Var{Name: fmt.Sprint("x", v), Real: true}
	}
	rows := make([][]float64, 5000)
	for i := range rows {
		for range vars {
			rows[i] = append(rows[i], rng.NormFloat64())
		}
	}
	s, err := data.NewReal(vars, rows, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		data.NewMoments(s, 2)
	}
}
