package em_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// latentClass returns a class H of two states with binary items.
func latentClass(items int) *model.Model {
	m := &model.Model{Kind: model.Bayes}
	h := m.NewVar("H", "h0", "h1").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{h}, Dist: &model.Table{Values: []float64{.4, .6}}})
	for i := range items {
		x := m.NewVar(string(rune('A'+i)), "0", "1").ID
		p, q := .2+.05*float64(i), .7-.1*float64(i)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{h, x}, Child: 1, Dist: &model.Table{Values: []float64{p, 1 - p, q, 1 - q}}})
	}
	return m
}

// coins returns X and its child Y.
func coins() *model.Model {
	m := &model.Model{Kind: model.Bayes}
	x, y := m.NewVar("X", "0", "1").ID, m.NewVar("Y", "0", "1", "2").ID
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.3, .7}}},
		{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Table{Values: []float64{.2, .3, .5, .4, .4, .2}}},
	}
	return m
}

// expected returns rows in proportion to their probabilities under m, with the variables that seen
// lists observed, a part of the rows for each list.
func expected(t *testing.T, m *model.Model, seen ...[]int) *data.Set {
	t.Helper()
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]int
	var weights []float64
	for _, list := range seen {
		state := make([]int, len(m.Vars))
		for range j.Len() {
			row := slices.Repeat([]int{data.Missing}, len(m.Vars))
			e := brute.Evidence{Hard: map[model.VarID]int{}}
			for _, v := range list {
				row[v], e.Hard[model.VarID(v)] = state[v], state[v]
			}
			rows, weights = append(rows, row), append(weights, 1000*math.Exp(j.LogProb(e))/float64(j.Len()))
			for v := range slices.Backward(state) {
				if state[v]++; state[v] < m.Card(model.VarID(v)) {
					break
				}
				state[v] = 0
			}
		}
	}
	return learnertest.New(t, data.VarsOf(m), rows, weights)
}

// Koller and Friedman, examples 19.6 (a hidden choice of two thumbtacks: P(x) alone is identified),
// 19.7 (two coins that are never seen together: their dependence is not) and 19.8 (a hidden class,
// identified up to the names of its states if it has three items). The rows have the probabilities
// under the model, so that it is a maximum of the likelihood, at which a numeric Hessian has the
// same rank, and no curvature in the free part: its trace there is 0.
func TestIdentify(t *testing.T) {
	for _, c := range []struct {
		name         string
		m            *model.Model
		seen         [][]int
		params, free int
		first        string // the row with the largest share
	}{
		{"example 19.6", latentClass(1), [][]int{{1}}, 3, 2, ""},
		{"example 19.7", coins(), [][]int{{0}, {1}}, 5, 2, "Y"},
		{"seen together at times", coins(), [][]int{{0}, {1}, {0, 1}}, 5, 0, ""},
		{"two items", latentClass(2), [][]int{{1, 2}}, 5, 2, ""},
		{"three items", latentClass(3), [][]int{{1, 2, 3}}, 7, 0, ""},
		{"four items in pairs", latentClass(4), [][]int{{1, 2}, {3, 4}}, 9, 3, ""},
		{"all pairs of three items", latentClass(3), [][]int{{1, 2}, {1, 3}, {2, 3}}, 7, 1, ""},
		{"a class seen at times", latentClass(2), [][]int{{1, 2}, {0}}, 5, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := expected(t, c.m, c.seen...)
			column := make([]int, len(s.Vars))
			for v := range column {
				column[v] = v
			}
			got, err := em.Identify(context.Background(), c.m, s, column, mle.Options{Prior: mle.Prior{Kind: mle.Each, Size: 2}}, &learner.Job{Train: s})
			if err != nil {
				t.Fatal(err)
			}
			rank := hessianRank(t, c.m, s)
			if got.Params != c.params || got.Free != c.params-rank {
				t.Errorf("%d of %d parameters are free; the Hessian has rank %d of %d", got.Free, got.Params, rank, c.params)
			}
			if got.Free != c.free {
				t.Errorf("%d parameters are free; want %d", got.Free, c.free)
			}
			sum := 0.0
			for _, r := range got.Rows {
				sum += r.Free
			}
			if math.Abs(sum-float64(got.Free)) > 1e-5 {
				t.Errorf("the shares of the rows sum to %v; want %d: %v", sum, got.Free, got.Rows)
			}
			if c.first != "" && got.Rows[0].Variable != c.first {
				t.Errorf("%v comes first; want %s", got.Rows[0], c.first)
			}
		})
	}
}

// hessianRank returns the rank of the Hessian of the log-likelihood, by differences, in logits of
// all but the first number of each row of the tables of m.
func hessianRank(t *testing.T, m *model.Model, s *data.Set) (rank int) {
	t.Helper()
	type place struct{ f, row, k int }
	var places []place
	for f, x := range m.Factors {
		n := m.Card(x.ChildVar())
		for row := range len(x.Dist.Numbers()) / n {
			for k := 1; k < n; k++ {
				places = append(places, place{f, row, k})
			}
		}
	}
	logLikelihood := func(d []float64) (sum float64) {
		out := *m
		out.Factors = nil
		for f, x := range m.Factors {
			n, values := m.Card(x.ChildVar()), slices.Clone(x.Dist.Numbers())
			for i, p := range places {
				if p.f == f {
					values[p.row*n+p.k] *= math.Exp(d[i])
				}
			}
			for row := range slices.Chunk(values, n) {
				total := 0.0
				for _, v := range row {
					total += v
				}
				for k := range row {
					row[k] /= total
				}
			}
			y := *x
			y.Dist = &model.Table{Values: values}
			out.Factors = append(out.Factors, &y)
		}
		j, err := brute.New(&out)
		if err != nil {
			t.Fatal(err)
		}
		row := make([]int, len(s.Vars))
		for i := range s.Len() {
			s.Row(i, row)
			e := brute.Evidence{Hard: map[model.VarID]int{}}
			for v, x := range row {
				if x != data.Missing {
					e.Hard[model.VarID(v)] = x
				}
			}
			sum += s.Weight(i) * j.LogProb(e)
		}
		return sum
	}
	const h = 1e-3
	n := len(places)
	hessian := mat.NewSymDense(n, nil)
	at := func(i, j int, a, b float64) float64 {
		d := make([]float64, n)
		d[i] += a * h
		d[j] += b * h
		return logLikelihood(d)
	}
	for i := range n {
		for j := range i + 1 {
			hessian.SetSym(i, j, (at(i, j, 1, 1)-at(i, j, 1, -1)-at(i, j, -1, 1)+at(i, j, -1, -1))/(4*h*h))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(hessian, false) {
		t.Fatal("no eigenvalues")
	}
	for _, x := range eigen.Values(nil) {
		if math.Abs(x) > 1e-3 {
			rank++
		}
	}
	return rank
}

// Numbers of 0 stay 0 and are no parameters, a row of a CPD that no row of the data reaches is
// free, and the names of rows are the states of parents. Complete rows leave nothing else free.
func TestIdentifyRows(t *testing.T) {
	m := &model.Model{Kind: model.Bayes}
	a, b, x := m.NewVar("a", "0", "1").ID, m.NewVar("b", "0", "1", "2").ID, m.NewVar("x", "0", "1", "2").ID
	rows := [][]float64{{.2, .3, .5}, {0, .4, .6}, {1, 0, 0}, {.1, .2, .7}, {.3, .3, .4}, {.5, .25, .25}}
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{b}, Dist: &model.Table{Values: []float64{.5, .5, 0}}},
		{Scope: []model.VarID{a, b, x}, Child: 2, Dist: &model.Table{Values: slices.Concat(rows...)}},
	}
	rng := rand.New(rand.NewPCG(2, 2))
	var list [][]int
	for range 200 {
		u, v := rng.IntN(2), rng.IntN(2)
		k, p := 0, rng.Float64()
		for row := rows[3*u+v]; p >= row[k]; k++ {
			p -= row[k]
		}
		list = append(list, []int{u, v, k})
	}
	s := learnertest.New(t, data.VarsOf(m), list, nil)
	got, err := em.Identify(context.Background(), m, s, []int{0, 1, 2}, mle.Options{}, &learner.Job{Train: s})
	if err != nil {
		t.Fatal(err)
	}
	// 1 of a, 1 of b, and of x 2, 1, 0, 2, 2, 2.
	if got.Params != 11 || got.Free != 2 || len(got.Rows) != 1 {
		t.Fatalf("got %+v; want 2 of 11 parameters free in one row", got)
	}
	if r := got.Rows[0]; r.Variable != "x" || !slices.Equal(r.Given, []string{"a=1", "b=2"}) || math.Abs(r.Free-2) > 1e-9 {
		t.Errorf("got %+v; want x given a=1,b=2", r)
	}
	if want := "the rows leave 2 of 11 parameters free, by rows of CPDs: x given a=1,b=2 2.00"; got.String() != want {
		t.Errorf("got %q; want %q", got, want)
	}
	real := &model.Model{Kind: model.Bayes}
	real.NewReal("r")
	real.Factors = []*model.Factor{{Scope: []model.VarID{0}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}}
	if _, err := em.Identify(context.Background(), real, s, []int{-1}, mle.Options{}, &learner.Job{Train: s}); err == nil || err.Error() != `the variable "r" is real; want discrete variables, of which identifiability is computed` {
		t.Errorf("got %v", err)
	}
}

// Complete rows determine all parameters that they reach, however few they are. At the rows 1,0 and
// 0,1 of two independent variables the second derivatives by the logits are -1/2 each and the mixed
// one is 0, though the probabilities of both rows stay the same to first order if 1 becomes more
// probable for both variables.
func TestIdentifyFewRows(t *testing.T) {
	m := &model.Model{Kind: model.Bayes}
	for _, name := range []string{"a", "b"} {
		v := m.NewVar(name, "0", "1").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.5, .5}}})
	}
	s := learnertest.New(t, data.VarsOf(m), [][]int{{1, 0}, {0, 1}}, nil)
	got, err := em.Identify(context.Background(), m, s, []int{0, 1}, mle.Options{}, &learner.Job{Train: s})
	if err != nil {
		t.Fatal(err)
	}
	if rank := hessianRank(t, m, s); got.Free != 0 || rank != 2 || math.Abs(got.Least-1) > 1e-12 {
		t.Errorf("got %+v with a Hessian of rank %d; want 2 identified parameters with a share of 1", got, rank)
	}
}

// asked is a context that ends when its channel is asked for, which loops over rows do not do.
type asked struct {
	context.Context
	cancel context.CancelFunc
}

func (a *asked) Done() <-chan struct{} {
	a.cancel()
	return a.Context.Done()
}

// The eigenvalues of 300 numbers take longer than it takes to see that the context has ended.
func TestIdentifyEnds(t *testing.T) {
	const states = 300
	names, p, rows := make([]string, states), make([]float64, states), make([][]int, states)
	for k := range names {
		names[k], p[k], rows[k] = strconv.Itoa(k), 1./states, []int{k}
	}
	m := &model.Model{Kind: model.Bayes}
	v := m.NewVar("x", names...).ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{v}, Dist: &model.Table{Values: p}}}
	s := learnertest.New(t, data.VarsOf(m), rows, nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if got, err := em.Identify(&asked{ctx, cancel}, m, s, []int{0}, mle.Options{}, &learner.Job{Train: s}); err != context.Canceled {
		t.Errorf("got %v, %v; want the error of the context", got, err)
	}
	if got, err := em.Identify(context.Background(), m, s, []int{0}, mle.Options{}, &learner.Job{Train: s}); err != nil || got.Free != 0 {
		t.Errorf("got %v, %v; want all numbers identified", got, err)
	}
}
