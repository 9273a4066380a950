package module_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/module"
)

// Two lamps follow a switch alike, with few exceptions, and a door does not.
func Example() {
	states := []string{"off", "on"}
	vars := []data.Var{{Name: "switch", States: states}, {Name: "lamp 1", States: states}, {Name: "lamp 2", States: states}, {Name: "door", States: states}}
	rows := [][]int{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}, {1, 1, 0, 0}, {1, 0, 1, 0}}
	s, err := data.New(vars, rows, []float64{440, 40, 60, 60, 280, 40, 40, 40})
	if err != nil {
		log.Fatal(err)
	}
	r, err := learn.Fit(context.Background(), module.Options{Modules: 3}, &learner.Job{Train: s})
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range r.Report.Remarks {
		fmt.Println(x)
	}
	// Output:
	// module 1: switch
	// module 2: "lamp 1", "lamp 2"
	// module 3: door
}
