package em_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Learn two clusters of rows.
func Example() {
	r, err := learn.Fit(context.Background(), em.Options{Clusters: 2, Restarts: 1}, &learner.Job{Train: garden()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Models[0].Kind, "of", len(r.Models[0].Vars), "variables")
	// Output:
	// Bayesian network of 4 variables
}

// One of two thumbtacks was tossed, and nobody knows which (Koller and Friedman, example 19.6): of
// three parameters, tosses determine one.
func ExampleIdentify() {
	m := &model.Model{Kind: model.Bayes}
	which, side := m.NewVar("thumbtack", "first", "second").ID, m.NewVar("side", "heads", "tails").ID
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{which}, Dist: &model.Table{Values: []float64{0.5, 0.5}}},
		{Scope: []model.VarID{which, side}, Child: 1, Dist: &model.Table{Values: []float64{0.8, 0.2, 0.4, 0.6}}},
	}
	tosses, err := data.New([]data.Var{{Name: "side", States: []string{"heads", "tails"}}}, [][]int{{0}, {1}}, []float64{60, 40})
	if err != nil {
		log.Fatal(err)
	}
	job := &learner.Job{Train: tosses}
	x, err := em.Identify(context.Background(), m, tosses, []int{-1, 0}, mle.Options{}, job)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Free, "of", x.Params, "are free")
	// Output:
	// 2 of 3 are free
}

// The weights of a Markov network by the conditional likelihood of its first variable: a logistic
// regression of rain on the state of the sprinkler and of the lawn.
func ExampleRunMarkov() {
	rows := garden()
	m := &model.Model{Kind: model.Markov}
	for _, v := range rows.Vars {
		m.NewVar(v.Name, v.States...)
	}
	yes := func(axis int) model.Literal { return model.Literal{Axis: axis, State: 1} }
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Child: -1, Dist: &model.Features{List: []model.Feature{{Literals: []model.Literal{yes(0)}}}}},
		{Scope: []model.VarID{0, 1}, Child: -1, Dist: &model.Features{List: []model.Feature{{Literals: []model.Literal{yes(0), yes(1)}}}}},
		{Scope: []model.VarID{0, 2}, Child: -1, Dist: &model.Features{List: []model.Feature{{Literals: []model.Literal{yes(0), yes(1)}}}}},
	}
	fit, err := em.RunMarkov(context.Background(), m, rows, []int{0, 1, 2}, em.RunOptions{Conditional: []model.VarID{0}}, &learner.Job{Cores: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range fit.Model.Factors {
		fmt.Printf("%.2f ", f.Dist.(*model.Features).List[0].Weight)
	}
	// Output:
	// -1.76 -3.63 4.04
}

// garden returns 100 days: the sprinkler is off when it rains, and either makes the lawn wet.
func garden() *data.Set {
	states := []string{"no", "yes"}
	vars := []data.Var{{Name: "rain", States: states}, {Name: "sprinkler", States: states}, {Name: "wet", States: states}}
	rows := [][]int{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}}
	days, err := data.New(vars, rows, []float64{30, 2, 4, 24, 4, 30, 1, 5})
	if err != nil {
		log.Fatal(err)
	}
	return days
}
