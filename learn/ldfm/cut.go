package ldfm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// This file bounds the number of edges of a model: its weights above epsilon from the root and from
// states that occur in the data.

// weights calls do for each weight of a row with a state that occurs in the data.
func (e *em) weights(do func(row, weight int)) {
	n := e.columns()
	e.entries(func(row int, ranges [2][2]int) {
		if e.seen[row] == 0 {
			return
		}
		for _, r := range ranges {
			for c := r[0]; c < r[1]; c++ {
				do(row, row*n+c)
			}
		}
	})
}

// edges returns the number of edges.
func (e *em) edges(d *model.LDFM) (n int) {
	e.weights(func(_, i int) {
		if d.Weights[i] > e.epsilon {
			n++
		}
	})
	return n
}

// least returns the fewest edges that a model may have: one from the root and one from each state.
// With stop weights it may have fewer.
func (e *em) least() int {
	if e.stop {
		return 0
	}
	rows, last := 0, -1
	e.weights(func(row, _ int) {
		if row != last {
			rows, last = rows+1, row
		}
	})
	return rows
}

// checkEdges returns an error if the bound is too small.
func (e *em) checkEdges(bound int) error {
	if least := e.least(); bound > 0 && bound < least {
		return fmt.Errorf("at most %d edges; want at least %d, one out of the root and one out of each state, or 0 for any number", bound, least)
	}
	return nil
}

// none cuts no weight.
func none(int) bool { return false }

// gone returns the function that cuts the weights at epsilon.
func (e *em) gone(d *model.LDFM) func(weight int) bool {
	return func(i int) bool { return d.Weights[i] <= e.epsilon }
}

// smallest returns the function that cuts the edges with the smallest expected counts until the
// bound holds. Without stop weights, each row keeps its best edge.
func (e *em) smallest(d *model.LDFM, counts []float64) func(weight int) bool {
	var list, first []int
	best := map[int]int{}
	e.weights(func(row, i int) {
		if d.Weights[i] <= e.epsilon {
			return
		}
		list = append(list, i)
		if b, ok := best[row]; !ok || counts[i] > counts[b] {
			best[row] = i
		}
	})
	if !e.stop {
		for _, i := range best {
			first = append(first, i)
		}
	}
	keep := make([]bool, len(d.Weights))
	for _, i := range first {
		keep[i] = true
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	left := e.maxEdges - len(first)
	for _, i := range list {
		if left > 0 && !keep[i] {
			keep[i] = true
			left--
		}
	}
	return func(i int) bool { return !keep[i] }
}
