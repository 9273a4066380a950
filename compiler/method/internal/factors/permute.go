package factors

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Permute converts a row-major table over from to one over to, which holds the same variables in
// another order.
func Permute(m *model.Model, values []float64, from, to []model.VarID) []float64 {
	if slices.Equal(from, to) {
		return values
	}
	stride := map[model.VarID]int{}
	n := 1
	for i := len(from) - 1; i >= 0; i-- {
		stride[from[i]] = n
		n *= m.Card(from[i])
	}
	steps, cards := make([]int, len(to)), make([]int, len(to))
	for i, v := range to {
		steps[i], cards[i] = stride[v], m.Card(v)
	}
	out := make([]float64, len(values))
	index, at := make([]int, len(to)), 0
	for i := range out {
		out[i] = values[at]
		for axis := len(to) - 1; axis >= 0; axis-- {
			index[axis]++
			at += steps[axis]
			if index[axis] < cards[axis] {
				break
			}
			at -= index[axis] * steps[axis]
			index[axis] = 0
		}
	}
	return out
}
