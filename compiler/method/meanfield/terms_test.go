package meanfield_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// logistic returns a dependency network of n variables with two or three states, each with features
// of up to two others.
func logistic(n int) *model.Model {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	m := &model.Model{Name: "logistic", Kind: model.Dependency}
	for i := range n {
		m.NewVar("x"+string(rune('a'+i/26))+string(rune('a'+i%26)), []string{"0", "1", "2"}[:2+i%5/4]...)
	}
	for i := range n {
		f := &model.Factor{}
		d := &model.Features{}
		for v := range n {
			f.Scope = append(f.Scope, model.VarID(v))
		}
		f.Child = i
		for range 3 * n {
			x := model.Feature{Weight: rng.NormFloat64() / 3, Literals: []model.Literal{{Axis: i, State: int32(rng.IntN(2)), Not: rng.IntN(3) == 0}}}
			for range rng.IntN(3) {
				v := rng.IntN(n)
				x.Literals = append(x.Literals, model.Literal{Axis: v, State: int32(rng.IntN(m.Card(model.VarID(v)))), Not: rng.IntN(3) == 0})
			}
			d.List = append(d.List, x)
		}
		f.Dist = d
		m.Factors = append(m.Factors, f)
	}
	return m
}

// TestFeatures checks that mean field by the parts of a CPD of features equals mean field by its
// table, and that it needs no table if that would not fit.
func TestFeatures(t *testing.T) {
	apart := logistic(9)
	whole := *apart
	whole.Factors = nil
	for _, f := range apart.Factors {
		if n := len(factors.Terms(apart, f)); n < 5 {
			t.Errorf("the %s is in %d parts; want it apart", apart.FactorName(f), n)
		}
		values, err := apart.Tabulate(f, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		whole.Factors = append(whole.Factors, &model.Factor{Scope: f.Scope, Child: f.Child, Dist: &model.Table{Values: values}})
	}
	a, entry := compiled(t, apart)
	b, same := compiled(t, &whole)
	for _, rounds := range []int{1, 2, 5} {
		opt := pgmrt.LoopOptions{Iterations: rounds, Tolerance: -1}
		a.Observe(3, 1)
		b.Observe(3, 1)
		if _, err := a.RunLoop(context.Background(), entry, opt); err != nil {
			t.Fatal(err)
		}
		if _, err := b.RunLoop(context.Background(), same, opt); err != nil {
			t.Fatal(err)
		}
		for v := range apart.Vars {
			if !irtest.Near(a.Posterior(v)[1], b.Posterior(v)[1], 1e-10) {
				t.Errorf("%d rounds, variable %d: %v; want %v", rounds, v, a.Posterior(v), b.Posterior(v))
			}
		}
	}
	large, entry := compiled(t, logistic(40)) // a table would have at least 2^40 numbers
	if report, err := large.RunLoop(context.Background(), entry, pgmrt.LoopOptions{Iterations: 20, Tolerance: -1}); err != nil {
		t.Errorf("%+v, %v", report, err)
	}
}
