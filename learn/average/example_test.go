package average_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/average"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learn the probabilities of edges.
func Example() {
	r, err := learn.Fit(context.Background(), average.Options{Over: "order", Order: "rain,sprinkler,wet"}, &learner.Job{Train: garden()})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range r.Report.Posteriors {
		if e.Probability > 0.9 {
			fmt.Println(e.From, e.To)
		}
	}
	// Output:
	// rain wet
	// sprinkler wet
	// rain sprinkler
}

// Draw structures, for the probabilities of paths and an average of predictions.
func ExampleOptions() {
	r, err := learn.Fit(context.Background(), average.Options{Over: "order", Order: "rain,sprinkler,wet", Features: "path", Mixture: 3}, &learner.Job{Train: garden()})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range r.Report.Paths {
		fmt.Printf("%s %s %.1f\n", p.From, p.To, p.Probability)
	}
	fmt.Println(r.Models[0].Factors[0].Circuit() != nil)
	// Output:
	// rain wet 1.0
	// sprinkler wet 1.0
	// rain sprinkler 1.0
	// true
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
