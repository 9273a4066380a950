package acmn_test

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/learn/acmn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// With hundreds of variables that are rarely 1, the weights that the prior prefers sum to more than
// a float64 can hold as an exponential. Here pairs of variables are equal, and 1 in one row of 16:
// without the prior, a split of a pair gains (1/16 ln 16 + 15/16 ln 16/15) 320 = 74.8 nats.
func TestManyVariables(t *testing.T) {
	const pairs, rows = 200, 320
	var args []any
	for i := range 2 * pairs {
		args = append(args, fmt.Sprintf("x%d", i), 2)
	}
	data := make([][]int, rows)
	for i := range data {
		data[i] = make([]int, 2*pairs)
	}
	for pair := range pairs {
		for i := range rows / 16 {
			at := (pair*(i+1) + 16*i) % rows
			for data[at][2*pair] == 1 {
				at = (at + 1) % rows
			}
			data[at][2*pair], data[at][2*pair+1] = 1, 1
		}
	}
	s := learnertest.New(t, learnertest.Vars(args...), data, nil)
	learn := func(splits string) float64 {
		r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: s, Cores: 2}, "-max-splits", splits, "-edge-penalty", "0.01")
		return r.Report.Total
	}
	if gain := learn("4") - learn("1"); gain < 3*60 || gain > 3*75 {
		t.Errorf("3 splits are worth %v nats; want 60 to 75 each", gain)
	}
}
