package learner_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// TestFits checks that data that would take too much memory is rejected by its sizes.
func TestFits(t *testing.T) {
	row := [][]int{{0, 1}}
	for range 13 {
		row = append(row, row...)
	}
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 4096), row, nil)
	if err := learner.Fits(s); err != nil {
		t.Errorf("4096 states in 8192 rows, 2^25: %v", err)
	}
	s = learnertest.New(t, learnertest.Vars("a", 2, "b", 4097), row, nil)
	want := `variable "b" has 4097 states, in 8192 rows; want at most 33554432 states times rows: leave it out, or give it fewer states`
	if err := learner.Fits(s); err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}
