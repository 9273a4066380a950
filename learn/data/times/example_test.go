package times_test

import (
	"fmt"

	"github.com/pgmc-go/pgmc/learn/data/times"
)

func Example() {
	texts := []string{"01/02/2026", "01/12/2026", "01/27/2026"}
	var r times.Recognizer
	for _, s := range texts {
		r.Add(s)
	}
	var list []times.Time
	for _, s := range texts {
		x, _ := r.Format().Parse(s)
		list = append(list, x)
	}
	step, err := times.Find([][]times.Time{list})
	fmt.Println(list, step, err)
	// Output: [2026-01-02 2026-01-12 2026-01-27] 0s times are 10d and 15d apart; want multiples of one step, such as 5d
}
