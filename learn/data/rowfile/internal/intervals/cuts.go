// Package intervals finds the bounds of intervals that replace numbers.
package intervals

import (
	"math"
	"slices"
	"strconv"
)

// Width returns the bounds between n intervals of the same length, to a thousandth. The values
// differ and ascend.
func Width(values []float64, n int) (cuts []float64) {
	least, most := values[0], values[len(values)-1]
	for k := 1; k < n; k++ {
		share := float64(k) / float64(n)
		cuts = append(cuts, tidy(least*(1-share)+most*share, (most/float64(n)-least/float64(n))/1000))
	}
	return slices.Compact(cuts)
}

// Frequency returns the bounds between at most n intervals of about the same weight. The values
// differ and ascend; weights holds the weight of each.
func Frequency(values, weights []float64, n int) (cuts []float64) {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	below, k := 0.0, 1
	share := func() float64 { return float64(k) / float64(n) * total * (1 - 1e-12) } // tolerates rounding of the sum
	for i, w := range weights[:len(weights)-1] {
		if below += w; k < n && below >= share() {
			cuts = append(cuts, between(values[i], values[i+1]))
			for k < n && below >= share() {
				k++
			}
		}
	}
	return cuts
}

// between returns a number of few digits about midway between a and b, or a if there is no float64
// between them.
func between(a, b float64) float64 {
	if mid := a/2 + b/2; a < mid && mid < b {
		return tidy(mid, (b/2-a/2)/2)
	}
	return a
}

// tidy returns the number with the fewest digits at a distance from x of at most far.
func tidy(x, far float64) float64 {
	for digits := 1; digits < 17; digits++ {
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64); err == nil && math.Abs(y-x) <= far {
			return y
		}
	}
	return x
}
