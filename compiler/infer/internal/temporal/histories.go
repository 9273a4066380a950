package temporal

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Fixed returns moments of the real variables that persist which are certain of their means.
func Fixed(m *model.Model, moments []float64) []float64 {
	_, real := m.SplitReal(m.Transition.Before)
	out := slices.Clone(moments)
	clear(out[min(len(real), len(out)):])
	return out
}

// Choose draws one of n numbers by its weight.
func Choose(r *pgmrt.Rand, n int, weight func(int) float64) int {
	total := 0.0
	for i := range n {
		total += weight(i)
	}
	u, last := r.Float64()*total, 0
	for i := range n {
		if w := weight(i); w > 0 {
			last = i // if rounding leaves u above 0
			if u -= w; u < 0 {
				break
			}
		}
	}
	return last
}
