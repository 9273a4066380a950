package spn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// twoByTwo returns 0.4 P1(a) P1(b) + 0.6 P2(a) P2(b), with P1 = (0.2, 0.8), (0.5, 0.5) and P2 =
// (0.9, 0.1), (0.3, 0.7).
func twoByTwo() *spn.Network {
	n := spn.New(learnertest.Vars("a", 2, "b", 2))
	one := n.Product(n.Leaf(0, []float64{0.2, 0.8}), n.Leaf(1, []float64{0.5, 0.5}))
	two := n.Product(n.Leaf(0, []float64{0.9, 0.1}), n.Leaf(1, []float64{0.3, 0.7}))
	n.Sum([]float64{0.4, 0.6}, one, two)
	return n
}

// TestRows checks by hand: P(0,1) = 0.4 x 0.2 x 0.5 + 0.6 x 0.9 x 0.7 = 0.418, and P(a=1) = 0.4 x
// 0.8 + 0.6 x 0.1 = 0.38.
func TestRows(t *testing.T) {
	n := twoByTwo()
	s := learnertest.New(t, n.Vars, [][]int{{0, 1}, {1, data.Missing}, {data.Missing, data.Missing}}, nil)
	for row, got := range spn.NewEngine(n, s, 1, 0).Rows() {
		if want := []float64{0.418, 0.38, 1}[row]; math.Abs(got-math.Log(want)) > 1e-14 {
			t.Errorf("row %d: got %v; want ln %v", row, got, want)
		}
	}
}

// TestCountsByHand checks that of a row (0,1), the first product has the share 0.04/0.418 and the
// second the rest.
func TestCountsByHand(t *testing.T) {
	n := twoByTwo()
	job := &learner.Job{Train: learnertest.New(t, n.Vars, [][]int{{0, 1}}, nil), Cores: 1}
	counts, loglik := spn.NewEngine(n, job.Train, 1, 0).Expected()
	if math.Abs(loglik-math.Log(0.418)) > 1e-14 {
		t.Errorf("log-likelihood %v; want ln 0.418", loglik)
	}
	want := [][]float64{{0.04 / 0.418, 0}, {0, 0.04 / 0.418}, nil, {0.378 / 0.418, 0}, {0, 0.378 / 0.418}, nil, {0.04 / 0.418, 0.378 / 0.418}}
	for i := range want {
		for k, x := range want[i] {
			if math.Abs(counts[i][k]-x) > 1e-14 {
				t.Errorf("block %d, weight %d: count %v; want %v", i, k, counts[i][k], x)
			}
		}
	}
}

// tree returns a tree of observed and latent nodes with several children, random tables and
// variables of different sizes.
func tree(rng *rand.Rand) *spn.Network {
	n := spn.New(learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 4, "e", 2))
	nodes := []spn.TreeNode{
		{Parent: 2, Var: 0, Card: 2}, {Parent: 2, Var: 1, Card: 3}, {Parent: -1, Var: -1, Card: 3},
		{Parent: 2, Var: -1, Card: 2}, {Parent: 3, Var: 2, Card: 2}, {Parent: 4, Var: 3, Card: 4}, {Parent: -1, Var: 4, Card: 2},
	}
	for i := range nodes {
		rows := 1
		if p := nodes[i].Parent; p >= 0 {
			rows = nodes[p].Card
		}
		for range rows {
			row, sum := make([]float64, nodes[i].Card), 0.0
			for k := range row {
				row[k] = 0.05 + rng.Float64()
				sum += row[k]
			}
			for k := range row {
				row[k] /= sum
			}
			nodes[i].Table = append(nodes[i].Table, row...)
		}
	}
	n.Tree(nodes)
	return n
}

// sample returns random rows of the tree's variables, some of them with missing values.
func sample(t *testing.T, vars []data.Var, rng *rand.Rand) *data.Set {
	var rows [][]int
	var weights []float64
	for range 100 {
		row := make([]int, len(vars))
		for v := range row {
			if row[v] = rng.IntN(len(vars[v].States)); rng.IntN(6) == 0 {
				row[v] = data.Missing
			}
		}
		rows, weights = append(rows, row), append(weights, float64(1+rng.IntN(3)))
	}
	return learnertest.New(t, vars, rows, weights)
}

// TestModel checks that the circuit, summed over all states by brute force, agrees with the engine
// on complete and incomplete rows, and sums to one.
func TestModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	n := tree(rng)
	m, err := n.Model("tree")
	if err != nil {
		t.Fatal(err)
	}
	if z := total(m, nil); math.Abs(z-1) > 1e-12 {
		t.Errorf("the circuit sums to %v", z)
	}
	s := sample(t, n.Vars, rng)
	for row, got := range spn.NewEngine(n, s, 1, 0).Rows() {
		states := make([]int, len(n.Vars))
		s.Row(row, states)
		if want := math.Log(total(m, states)); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("row %v: got %v; want %v", states, got, want)
		}
	}
}

// total sums the model over all joint states that agree with a row; nil is all.
func total(m *model.Model, row []int) float64 {
	state, sum := make([]int, len(m.Vars)), 0.0
	for {
		agree := true
		for v, x := range row {
			agree = agree && (x == data.Missing || x == state[v])
		}
		if agree {
			sum += m.Value(m.Factors[0], state)
		}
		if !m.Next(m.Factors[0].Scope, state) {
			return sum
		}
	}
}

// TestFit checks that EM never lowers the likelihood with the prior, and returns the same weights
// on any number of cores.
func TestFit(t *testing.T) {
	for seed := range uint64(5) {
		var models []*model.Model
		for _, cores := range []int{1, 3} {
			rng := rand.New(rand.NewPCG(seed, 2))
			n := tree(rng)
			job := &learner.Job{Train: sample(t, n.Vars, rng), Cores: cores}
			f, err := spn.EM{Rounds: 40, Prior: 0.3, Gain: math.Inf(-1)}.Fit(context.Background(), n, job, nil, func(*spn.Climb, float64) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range f.Trace[1:] {
				if x < f.Trace[i]-1e-9 {
					t.Fatalf("round %d: from %v to %v", i+1, f.Trace[i], x)
				}
			}
			if len(f.Trace) != 41 || f.Trace[40] < f.Trace[0]+1 {
				t.Errorf("%d rounds from %v to %v", len(f.Trace)-1, f.Trace[0], f.Trace[40])
			}
			m, err := n.Model("m")
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, m)
		}
		if !reflect.DeepEqual(models[0].Factors, models[1].Factors) {
			t.Error("another network on more cores")
		}
	}
}

// TestExpected checks that the counts of EM are the derivatives of the log-likelihood by the
// weights, times the weights.
func TestExpected(t *testing.T) {
	w := []float64{0.3, 0.25, 0.45}
	loglik := func(w []float64) (*spn.Engine, float64) {
		n := spn.New(learnertest.Vars("a", 2))
		n.Sum(w, n.Leaf(0, []float64{0.2, 0.8}), n.Leaf(0, []float64{0.6, 0.4}), n.Leaf(0, []float64{0.9, 0.1}))
		e := spn.NewEngine(n, learnertest.New(t, n.Vars, [][]int{{0}, {1}, {0}}, nil), 1, 0)
		return e, 3 * e.LogLik()
	}
	e, at := loglik(w)
	counts, _ := e.Expected()
	for k := range w {
		moved := append([]float64(nil), w...)
		const step = 1e-6
		moved[k] += step
		_, x := loglik(moved)
		if got, want := counts[3][k], w[k]*(x-at)/step; math.Abs(got-want) > 1e-5 { // difference quotient
			t.Errorf("weight %d: count %v; want %v", k, got, want)
		}
	}
}

// TestScale checks that products over thousands of variables do not underflow: each of the 3,000
// leaves is 0.01, or by a second product 0.02.
func TestScale(t *testing.T) {
	var list []any
	for range 3000 {
		list = append(list, "x", 2)
	}
	n := spn.New(learnertest.Vars(list...))
	var one, two []spn.Block
	for v := range 3000 {
		one, two = append(one, n.Leaf(v, []float64{0.01, 0.99})), append(two, n.Leaf(v, []float64{0.02, 0.98}))
	}
	n.Sum([]float64{0.5, 0.5}, n.Product(one...), n.Product(two...))
	e := spn.NewEngine(n, learnertest.New(t, n.Vars, [][]int{make([]int, 3000)}, nil), 1, 0)
	if got, want := e.Rows()[0], math.Log(0.5)+3000*math.Log(0.02); math.Abs(got-want) > 1e-12*math.Abs(want) {
		t.Errorf("got %v; want %v", got, want)
	}
	counts, _ := e.Expected()
	if last := counts[len(counts)-1]; last[0] > 1e-300 || math.Abs(last[1]-1) > 1e-12 {
		t.Errorf("the products have %v of the row; want nothing and 1", last)
	}
}
