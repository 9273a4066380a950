package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// gaussianPairs returns a random network over n real variables and a discrete one: potentials of
// single variables, with a row for each state, and of pairs, whose matrices are diagonally
// dominant. joint returns K, h and g of the product in a state.
func gaussianPairs(r *rand.Rand, n, states int) (m *model.Model, joint func(s int) (*mat.SymDense, *mat.VecDense, float64)) {
	m = &model.Model{Kind: model.Markov}
	d := m.NewVar("D", []string{"a", "b", "c"}[:states]...).ID
	for i := range n {
		v := m.NewReal(string(rune('P' + i))).ID
		own := &model.Canonical{}
		for range states {
			own.K, own.H, own.G = append(own.K, float64(n)+r.Float64()), append(own.H, 3*r.NormFloat64()), append(own.G, 5*r.NormFloat64())
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{d, v}, Child: -1, Dist: own})
		for w := d + 1; w < v; w++ {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{w, v}, Child: -1,
				Dist: &model.Canonical{K: []float64{r.Float64(), 2*r.Float64() - 1, r.Float64()}, H: []float64{r.NormFloat64(), r.NormFloat64()}, G: []float64{r.NormFloat64()}}})
		}
	}
	return m, func(s int) (*mat.SymDense, *mat.VecDense, float64) {
		k, h, sum := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil), 0.0
		for _, f := range m.Factors {
			row := s
			if f.Scope[0] != d {
				row = 0
			}
			_, real := m.SplitParents(f)
			a, b, g := f.Dist.(*model.Canonical).Row(row)
			sum += g
			for i, v := range real {
				h.SetVec(int(v)-1, h.AtVec(int(v)-1)+b[i])
				for j, w := range real[i:] {
					k.SetSym(int(v)-1, int(w)-1, k.At(int(v)-1, int(w)-1)+a[j])
				}
				a = a[len(real)-i:]
			}
		}
		return k, h, sum
	}
}

// TestLogPartition compares ln Z of random networks of canonical potentials with determinants by
// gonum: in all states, in one that is observed, and in one that the network is conditioned on.
func TestLogPartition(t *testing.T) {
	for seed := range uint64(irtest.Count(t, 10, 300)) {
		r := rand.New(rand.NewPCG(seed, 37))
		n, states := 1+r.IntN(6), 1+r.IntN(3)
		m, joint := gaussianPairs(r, n, states)
		var logs []float64
		all := 0.0
		for s := range states {
			k, h, log := joint(s)
			var c mat.Cholesky
			if !c.Factorize(k) {
				t.Fatalf("seed %d: K is not positive definite", seed)
			}
			var mean mat.VecDense
			if err := c.SolveVecTo(&mean, h); err != nil {
				t.Fatal(err)
			}
			log += float64(n)/2*math.Log(2*math.Pi) - c.LogDet()/2 + mat.Dot(h, &mean)/2
			logs, all = append(logs, log), all+math.Exp(log)
		}
		e := engine(t, m, infer.Options{})
		got, err := e.LogPartition(t.Context(), nil)
		if want := math.Log(all); err != nil || math.Abs(got-want) > 1e-11*max(1, math.Abs(want)) {
			t.Errorf("seed %d: ln Z %v, %v; want %v", seed, got, err, want)
		}
		s := r.IntN(states)
		got, err = e.LogPartition(t.Context(), infer.Evidence{"D": m.States(0)[s]})
		if err != nil || math.Abs(got-logs[s]) > 1e-11*max(1, math.Abs(logs[s])) {
			t.Errorf("seed %d: ln Z of state %d %v, %v; want %v", seed, s, got, err, logs[s])
		}
		known := slices.Repeat([]int{-1}, n+1)
		known[0] = s
		left, err := m.Condition(known, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		got, err = engine(t, left, infer.Options{}).LogPartition(t.Context(), nil)
		if err != nil || math.Abs(got-logs[s]) > 1e-11*max(1, math.Abs(logs[s])) {
			t.Errorf("seed %d: ln Z conditioned on state %d %v, %v; want %v", seed, s, got, err, logs[s])
		}
	}
}

// TestLogPartitionByMethod checks estimates of methods: belief propagation is exact on a tree, and
// Markov chains have none.
func TestLogPartitionByMethod(t *testing.T) {
	m := irtest.Misconception()
	if _, err := engine(t, m, infer.Options{Method: gibbs.Options{Iterations: 100}}).LogPartition(t.Context(), nil); !errors.Is(err, infer.ErrNoAnswer) {
		t.Errorf("error %v; want %v", err, infer.ErrNoAnswer)
	}
	if got, err := engine(t, m, infer.Options{}).LogPartition(t.Context(), nil); err != nil || math.Abs(got-math.Log(7201840)) > 1e-12 {
		t.Errorf("ln Z %v, %v; want that of 7201840, figure 4.2 of Koller and Friedman", got, err)
	}
	m.Factors = m.Factors[:3] // a chain
	want, err := engine(t, m, infer.Options{}).LogPartition(t.Context(), nil)
	if got, other := engine(t, m, infer.Options{Method: belief.Options{}}).LogPartition(t.Context(), nil); err != nil || other != nil || math.Abs(got-want) > 1e-12 {
		t.Errorf("ln Z %v, %v by messages; want %v, %v", got, other, want, err)
	}
}
