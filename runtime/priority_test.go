package pgmrt

import (
	"slices"
	"testing"
)

// TestPriorities runs four items in a row, each of which pushes its neighbours, with given
// residuals. The expected order follows by hand from the powers of two.
func TestPriorities(t *testing.T) {
	push := [][]int32{{1}, {0, 2}, {1, 3}, {2}}
	script := []struct {
		item     int
		residual float64
	}{
		{0, .25}, {1, .9}, {2, .3}, {3, .6}, // all in order; the priority of 0 is then .9, that of 1 is .3, that of 2 is .6
		{0, 0},     // .9, before .6, which has the same power of two and came later
		{2, .7},    // .6; pushes 1 and 3
		{1, 0},     // .7 in place of .3
		{3, .125},  // .7; pushes 2
		{2, 1e-12}, // less than the tolerance: pushes nothing
	}
	o, q := LoopOptions{Iterations: 10, Tolerance: 1e-9}, NewPriorities(4)
	for range 2 {
		var r Report
		q.Start()
		for k, want := range script {
			i, ok := q.Next(&o, &r)
			if !ok || i != want.item {
				t.Fatalf("run %d is of item %d, %v; want %d", k, i, ok, want.item)
			}
			q.Ran(&o, want.residual, push[i])
		}
		if i, ok := q.Next(&o, &r); ok || r.Status != Converged || r.Iterations != 3 || r.Residual != 1e-12 {
			t.Errorf("item %d, %v, %+v; want an end in the third round", i, ok, r)
		}
	}
}

// TestPrioritiesEnd checks that a loop without convergence ends after its rounds, and reports the
// largest residual that is left. A damped item pushes itself.
func TestPrioritiesEnd(t *testing.T) {
	o, q := LoopOptions{Iterations: 2, Tolerance: 1e-9}, NewPriorities(2)
	var r Report
	var order []int
	q.Start()
	for i, ok := q.Next(&o, &r); ok; i, ok = q.Next(&o, &r) {
		order = append(order, i)
		q.Ran(&o, .75, []int32{int32(1 - i)})
	}
	if r.Status != NotConverged || r.Iterations != 2 || r.Residual != 1 || !slices.Equal(order, []int{0, 1, 0, 1}) {
		t.Errorf("%v, %+v; want two rounds in turn and a residual of 1", order, r)
	}
	o.Damping, o.Iterations = .5, 100
	r, order = Report{}, nil
	q.Start()
	residual := 1.0
	for i, ok := q.Next(&o, &r); ok; i, ok = q.Next(&o, &r) {
		order = append(order, i)
		if i == 1 {
			q.Ran(&o, 0, nil)
			continue
		}
		q.Ran(&o, residual, nil)
		residual *= o.Damping
	}
	// Item 0 halves its residual. 2^-29 is the last one above 1e-9, and its run leaves 2^-30.
	if r.Status != Converged || len(order) != 31 {
		t.Errorf("%d runs, %+v; want 30 of item 0, and one of item 1", len(order), r)
	}
}
