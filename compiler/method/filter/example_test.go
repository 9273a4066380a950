package filter_test

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Example_nonlinear filters a walk of which the exponential is seen, with three rules for the mean
// of what is seen.
func Example_nonlinear() {
	m := &model.Model{Name: "growth"}
	x, y := m.NewReal("x").ID, m.NewReal("y").ID
	seen := &model.Factor{Scope: []model.VarID{x, y}, Child: 1}
	nodes, err := model.ParseFunc("exp(x)", m.ScopeNames(seen))
	if err != nil {
		panic(err)
	}
	seen.Dist = &model.Func{Nodes: nodes, Var: []float64{.1}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{.2}}}, seen}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{.1}, Coef: []float64{1}, Var: []float64{.05}}}, seen}}
	ctx := context.Background()
	many := filter.NewGHFOptions()
	many.Points = 9
	for _, by := range []method.Options{filter.NewEKFOptions(), filter.NewUKFOptions(), many} {
		e, err := infer.New(ctx, m, infer.Options{Method: by})
		if err != nil {
			panic(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			panic(err)
		}
		var last *infer.Marginals
		for _, y := range []float64{1.1, 1.4, 1.7} {
			if last, err = f.Step(ctx, infer.Evidence{"y": y}); err != nil {
				panic(err)
			}
		}
		fmt.Printf("%s mean %.3f variance %.4f\n", by.MethodName(), last.Of("x").Mean, last.Of("x").Variance)
	}
	// Output:
	// ekf mean 0.489 variance 0.0312
	// ukf mean 0.433 variance 0.0343
	// ghf mean 0.432 variance 0.0345
}

// Example_clusters follows two cars on a road with beliefs that keep the cars independent, or
// independent given the state of the road.
func Example_clusters() {
	m := &model.Model{Name: "road"}
	road := m.NewVar("road", "clear", "jam").ID
	a, b := m.NewVar("a", "fast", "slow").ID, m.NewVar("b", "fast", "slow").ID
	crawl := m.NewVar("crawl", "no", "yes").ID // is seen if both cars are slow
	table := func(values []float64, scope ...model.VarID) *model.Factor {
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: values}}
	}
	seen := table([]float64{1, 0, .9, .1, .9, .1, .2, .8}, a, b, crawl)
	m.Factors = []*model.Factor{table([]float64{.8, .2}, road),
		table([]float64{.9, .1, .2, .8}, road, a), table([]float64{.9, .1, .2, .8}, road, b), seen}
	moves := []float64{.95, .05, .5, .5, .5, .5, .1, .9}
	m.Transition = &model.Transition{Before: []model.VarID{road, a, b}, Factors: []*model.Factor{
		table([]float64{.9, .1, .2, .8}, 4, road), table(moves, 5, road, a), table(moves, 6, road, b), seen}}
	ctx := context.Background()
	for _, clusters := range []string{"", "road;a;b", "road,a;road,b"} {
		e, err := infer.New(ctx, m, infer.Options{Method: &filter.Options{Clusters: clusters}})
		if err != nil {
			panic(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			panic(err)
		}
		var last *infer.Marginals
		for _, s := range []string{"yes", "yes", "no", "no"} {
			if last, err = f.Step(ctx, infer.Evidence{"crawl": s}); err != nil {
				panic(err)
			}
		}
		fmt.Printf("clusters %q: jam %.4f\n", clusters, last.Of("road").P[1])
	}
	// Output:
	// clusters "": jam 0.3233
	// clusters "road;a;b": jam 0.3489
	// clusters "road,a;road,b": jam 0.3213
}

// Example_circular filters a heading that turns through north, from a compass in degrees.
func Example_circular() {
	m := &model.Model{Name: "heading"}
	heading, compass := m.NewReal("heading"), m.NewReal("compass")
	heading.Domain, compass.Domain = model.Real{Period: 360}, model.Real{Period: 360}
	step := func(mean, variance float64, scope ...model.VarID) *model.Factor {
		return &model.Factor{Scope: scope, Child: 1, Dist: &model.Gaussian{Mean: []float64{mean}, Coef: []float64{1}, Var: []float64{variance}}}
	}
	seen := step(0, 25, heading.ID, compass.ID)
	m.Factors = []*model.Factor{{Scope: []model.VarID{heading.ID}, Dist: &model.Gaussian{Mean: []float64{340}, Var: []float64{400}}}, seen}
	m.Transition = &model.Transition{Before: []model.VarID{heading.ID}, Factors: []*model.Factor{step(8, 4, 2, heading.ID), seen}}
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{Method: filter.NewEKFOptions()})
	if err != nil {
		panic(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		panic(err)
	}
	for _, degrees := range []float64{350, 356, 4} {
		now, err := f.Step(ctx, infer.Evidence{"compass": degrees})
		if err != nil {
			panic(err)
		}
		fmt.Printf("mean %.2f, variance %.2f\n", now.Of("heading").Mean, now.Of("heading").Variance)
	}
	// Output:
	// mean -10.59, variance 23.53
	// mean -3.33, variance 13.10
	// mean 4.40, variance 10.16
}
