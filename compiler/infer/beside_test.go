package infer_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// permutations returns a network whose joint states of value 1 are the permutation matrices of n
// rows; all others have 0. A variable is an element, and the last one is latent. Cliques have about
// half of all elements, but what a few rows leave of the others depends on their columns alone.
func permutations(n int) *model.Model {
	m := &model.Model{Name: "permutations", Kind: model.Markov}
	for i := range n * n {
		m.Vars = append(m.Vars, &model.Var{ID: model.VarID(i), Name: fmt.Sprint("x", i), Domain: model.Discrete{States: []string{"0", "1"}}})
	}
	m.Vars[n*n-1].Latent = true
	factor := func(values []float64, scope ...model.VarID) {
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: -1, Dist: &model.Table{Values: values}})
	}
	one := make([]float64, 1<<n)
	for i := range n {
		one[1<<i] = 1
	}
	for i := range n {
		var row []model.VarID
		for k := range n {
			row = append(row, model.VarID(n*i+k))
			for j := range i {
				factor([]float64{1, 1, 1, 0}, model.VarID(n*i+k), model.VarID(n*j+k))
			}
		}
		factor(one, row...)
	}
	return m
}

// TestCompiledBeside counts permutations under a deadline. Their circuit has a node for each set of
// columns, and is complete long before a search has counted all 9! of them. A short test settles
// bounds that know nothing.
func TestCompiledBeside(t *testing.T) {
	n := irtest.Count(t, 5, 9)
	m := permutations(n)
	e := engine(t, m, infer.Options{})
	want := 0.0
	for i := range n {
		want += math.Log(float64(i + 1))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ask := e.Intervals
	if !irtest.Long(t) {
		ask = func(ctx context.Context, _ infer.Given) (*infer.Interval, error) { return infer.Settled(ctx, e) }
	}
	p, err := ask(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Exact || p.Lower != p.Upper || p.Samples > 0 || math.Abs(p.LogProb-want) > 1e-12*want {
		t.Fatalf("%v, %v to %v, exact %v; want %v", p.LogProb, p.Lower, p.Upper, p.Exact, want)
	}
	if len(p.Marginals) != n*n-1 || p.Widest() != 0 {
		t.Fatalf("%d marginals, the widest %v", len(p.Marginals), p.Widest())
	}
	for v, d := range p.Marginals {
		if math.Abs(d.P[1]-1/float64(n)) > 1e-12 {
			t.Errorf("P(x%d = 1) is %v; want 1/%d", v, d.P[1], n)
		}
	}
}
