package lda_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/lda"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learn two topics from the words of two pages; the weights are how often each occurs.
func Example() {
	vars := []data.Var{{Name: "page", States: []string{"news", "review"}}, {Name: "word", States: []string{"goal", "team", "stage", "play"}}}
	words, err := data.New(vars, [][]int{{0, 0}, {0, 1}, {1, 2}, {1, 3}}, []float64{30, 20, 20, 10})
	if err != nil {
		log.Fatal(err)
	}
	r, err := learn.Fit(context.Background(), lda.Options{Topics: 2}, &learner.Job{Train: words})
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range r.Report.Remarks[1:] {
		fmt.Println(x)
	}
	// Output:
	// topic 1, 62.5 %: goal 0.596, team 0.398, stage 0.003, play 0.003
	// topic 2, 37.5 %: stage 0.660, play 0.332, goal 0.004, team 0.004
}
