package blanket

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// MeanLogRange returns the mean, over the factors with small tables, of the difference between the
// logarithms of a factor's largest and least positive numbers.
func MeanLogRange(m *model.Model) float64 {
	sum, n := 0.0, 0
	state := make([]int, len(m.Vars))
	for _, f := range m.Factors {
		size, ok := m.TableSize(f.Scope)
		if !ok || size > wholeStates || size < 2 {
			continue
		}
		low, high := math.Inf(1), 0.0
		for range size {
			if x := m.Value(f, state); x > 0 {
				low, high = min(low, x), max(high, x)
			}
			m.Next(f.Scope, state)
		}
		if high > 0 {
			sum += pgmrt.Ln(high) - pgmrt.Ln(low)
			n++
		}
	}
	return sum / float64(max(1, n))
}
