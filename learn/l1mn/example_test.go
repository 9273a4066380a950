package l1mn_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/l1mn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learn a Markov network.
func Example() {
	r, err := learn.Fit(context.Background(), l1mn.Options{L1: "1"}, &learner.Job{Train: garden()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Models[0].Kind, "of", len(r.Models[0].Vars), "variables")
	// Output:
	// Markov network of 3 variables
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
