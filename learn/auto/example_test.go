package auto_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learn a network by the default learner, and print its class: the ends of each edge and whether it
// is directed.
func Example() {
	r, err := learn.Fit(context.Background(), nil, &learner.Job{Train: garden()})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range r.Report.Class {
		fmt.Println(e.From, e.To, e.Directed)
	}
	// Output:
	// rain wet false
	// rain sprinkler false
	// wet sprinkler false
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
