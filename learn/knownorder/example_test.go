package knownorder_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/knownorder"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learn the best network whose order is known.
func Example() {
	r, err := learn.Fit(context.Background(), knownorder.Options{Order: "sprinkler,rain,wet", MaxParents: 2}, &learner.Job{Train: garden()})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range r.Report.Families {
		fmt.Println(f.Variable, f.Parents)
	}
	// Output:
	// rain [sprinkler]
	// sprinkler []
	// wet [rain sprinkler]
}

// Learn a good network whose order is known.
func ExampleK2Options() {
	r, err := learn.Fit(context.Background(), knownorder.K2Options{Order: "sprinkler,rain,wet"}, &learner.Job{Train: garden()})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range r.Report.Families {
		fmt.Println(f.Variable, f.Parents)
	}
	// Output:
	// rain [sprinkler]
	// sprinkler []
	// wet [rain sprinkler]
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
