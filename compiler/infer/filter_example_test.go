package infer_test

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir/model"
)

// A filter follows the umbrella world for two days.
func ExampleEngine_Filter() {
	ctx := context.Background()
	e, err := infer.New(ctx, umbrella(), infer.Options{})
	if err != nil {
		panic(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		panic(err)
	}
	for _, seen := range []infer.Given{nil, infer.Evidence{"umbrella": "yes"}, infer.Evidence{"umbrella": "yes"}} {
		m, err := f.Step(ctx, seen)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%.4f\n", m.Of("rain").Of("yes"))
	}
	// Output:
	// 0.5000
	// 0.8182
	// 0.8834
}

// Two coins are turned now and then, and once they are seen to be equal. A belief in clusters forgets
// that at once; the bound of its error shrinks with each slice.
func ExampleFilter_Bound() {
	ctx := context.Background()
	m := &model.Model{Name: "coins"}
	a, b, equal := m.NewVar("a", "0", "1").ID, m.NewVar("b", "0", "1").ID, m.NewVar("equal", "no", "yes").ID
	table := func(values []float64, scope ...model.VarID) *model.Factor {
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: values}}
	}
	same := table([]float64{.1, .9, .9, .1, .9, .1, .1, .9}, a, b, equal)
	turn := []float64{.7, .3, .3, .7}
	m.Factors = []*model.Factor{table([]float64{.5, .5}, a), table([]float64{.5, .5}, b), same}
	m.Transition = &model.Transition{Before: []model.VarID{a, b}, Factors: []*model.Factor{table(turn, 3, a), table(turn, 4, b), same}}
	e, err := infer.New(ctx, m, infer.Options{Method: filter.Options{Clusters: "a;b"}})
	if err != nil {
		panic(err)
	}
	f, err := e.Filter(ctx)
	if err == nil {
		err = f.Bound(ctx)
	}
	if err != nil {
		panic(err)
	}
	for _, seen := range []infer.Given{infer.Evidence{"equal": "yes"}, nil, nil} {
		m, err := f.Step(ctx, seen)
		if err != nil {
			panic(err)
		}
		fmt.Printf("at most %.4f, %.4f of this slice; a slice removes %.2f\n", m.Divergence.Bound, m.Divergence.Projection, m.Divergence.Contraction)
	}
	// Output:
	// at most 0.5878, 0.5878 of this slice; a slice removes 0.60
	// at most 0.2351, 0.0000 of this slice; a slice removes 0.60
	// at most 0.0940, 0.0000 of this slice; a slice removes 0.60
}

// The most probable weather of three days.
func ExampleEngine_Viterbi() {
	ctx := context.Background()
	e, err := infer.New(ctx, umbrella(), infer.Options{})
	if err != nil {
		panic(err)
	}
	day := func(state string) infer.Given { return infer.Evidence{"umbrella": state} }
	path, err := e.Viterbi(ctx, []infer.Given{day("yes"), day("no"), day("no")})
	if err != nil {
		panic(err)
	}
	for _, slice := range path.Slices {
		fmt.Println(slice.Of("rain"))
	}
	// Output:
	// yes
	// no
	// no
}

// Smoothing and a lag look back.
func ExampleEngine_Smooth() {
	ctx := context.Background()
	e, err := infer.New(ctx, umbrella(), infer.Options{})
	if err != nil {
		panic(err)
	}
	all, err := e.Smooth(ctx, []infer.Given{nil, infer.Evidence{"umbrella": "yes"}, infer.Evidence{"umbrella": "yes"}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.4f\n", all[1].Of("rain").Of("yes"))

	l, err := e.Lagged(ctx, 1)
	if err != nil {
		panic(err)
	}
	for range 2 {
		m, err := l.Step(ctx, infer.Evidence{"umbrella": "yes"})
		fmt.Println(m != nil, err)
	}
	// Output:
	// 0.8834
	// false <nil>
	// true <nil>
}

// A tracker tests whether a measurement fits its prediction before it enters it.
func ExampleFilter_Innovation() {
	m := &model.Model{Name: "walk"}
	x, gauge := m.NewReal("x").ID, m.NewReal("gauge").ID
	sensor := &model.Factor{Scope: []model.VarID{x, gauge}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{3}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}}, sensor}}
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		panic(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		panic(err)
	}
	n, err := f.Innovation(ctx, infer.Evidence{"gauge": 10.0})
	if err != nil {
		panic(err)
	}
	fmt.Println(n.Residual, n.Cov, n.Distance)
	// Output:
	// [10] [[4]] 25
}

// Draws of a sequence given evidence on two of its days, and without evidence.
func ExampleEngine_Trajectories() {
	ctx := context.Background()
	e, err := infer.New(ctx, umbrella(), infer.Options{Seed: 1})
	if err != nil {
		panic(err)
	}
	seen := infer.Evidence{"umbrella": "yes"}
	wet, n := 0, 0
	for days, err := range e.Trajectories(ctx, []infer.Given{nil, seen, seen}) {
		if err != nil {
			panic(err)
		}
		if days[1][0].State == 0 {
			wet++
		}
		if n++; n == 1000 {
			break
		}
	}
	fmt.Println("about", 50*((wet*1000/n+25)/50), "of 1000 days are wet")
	for days, err := range infer.ForwardTrajectories(e.Model(), make([]infer.Given, 30), 1) {
		fmt.Println(len(days), err)
		break
	}
	// Output:
	// about 900 of 1000 days are wet
	// 30 <nil>
}
