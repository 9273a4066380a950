package score_test

import (
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Does rain explain the wet lawn? By BIC, the edge is worth its cost.
func Example() {
	s, err := score.New("bic", data.NewCounter(garden(), 0), score.Options{})
	if err != nil {
		log.Fatal(err)
	}
	const rain, wet = 0, 2
	fmt.Printf("alone %.2f, with rain as a parent %.2f\n", s.Family(wet), s.Family(wet, rain))
	// Output:
	// alone -69.18, with rain as a parent -60.73
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
