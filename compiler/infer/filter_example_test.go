package infer_test

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
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

// coins returns two coins that are turned now and then, and a sensor of whether they are equal,
// which errs. A belief keeps them independent.
func coins(ctx context.Context) *infer.Engine {
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
	return e
}

// Rows of the transition overlap by .09 + .21 + .21 + .09 at least: a slice removes as much of an
// error.
func ExampleEngine_Contraction() {
	ctx := context.Background()
	x, err := coins(ctx).Contraction(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f\n", x)
	// Output: 0.60
}

// Coins that are seen to be equal are not independent. The bound of the error of a belief that
// takes them for independent shrinks with each slice.
func ExampleFilter_Bound() {
	ctx := context.Background()
	f, err := coins(ctx).Filter(ctx)
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
		fmt.Printf("at most %.4f, %.4f of this slice\n", m.Divergence.Bound, m.Divergence.Projection)
	}
	// Output:
	// at most 0.5878, 0.5878 of this slice
	// at most 0.2351, 0.0000 of this slice
	// at most 0.0940, 0.0000 of this slice
}

// A window of two slices of a walk with jumps of either size, by the exact method for networks of
// real and discrete variables.
func ExampleEngine_Window() {
	ctx := context.Background()
	m := &model.Model{Name: "walk"}
	mode, x := m.NewVar("mode", "calm", "wild").ID, m.NewReal("x").ID
	gaussian := func(mean, coef, variance []float64, scope ...model.VarID) *model.Factor {
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Gaussian{Mean: mean, Coef: coef, Var: variance}}
	}
	y := m.NewReal("y").ID
	seen := gaussian([]float64{0}, []float64{1}, []float64{1}, x, y)
	m.Factors = []*model.Factor{{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.5, .5}}}, gaussian([]float64{0}, nil, []float64{1}, x), seen}
	m.Transition = &model.Transition{Before: []model.VarID{mode, x}, Factors: []*model.Factor{
		{Scope: []model.VarID{3, mode}, Child: 1, Dist: &model.Table{Values: []float64{.95, .05, .1, .9}}},
		gaussian([]float64{0, 0}, []float64{1, 1}, []float64{.1, 4}, mode, 4, x), seen}}
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		panic(err)
	}
	w, err := e.Window(clg.NewOptions(), 2)
	if err != nil {
		panic(err)
	}
	for _, y := range []float64{.1, -.2, .3, 3, 6} {
		m, err := w.Step(ctx, infer.Evidence{"y": y})
		if err != nil {
			panic(err)
		}
		fmt.Printf("P(wild) %.4f, x %.4f\n", m.Of("mode").P[1], m.Of("x").Mean)
	}
	// Output:
	// P(wild) 0.5000, x 0.0500
	// P(wild) 0.3310, x -0.0804
	// P(wild) 0.2052, x 0.0989
	// P(wild) 0.5875, x 1.8818
	// P(wild) 0.9766, x 5.3680
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
