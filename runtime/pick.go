package pgmrt

// pickTie is 1 - 2^-44: weights that differ by less, relative to the largest, count as equal, so
// that the order of sums and products in different back-ends does not decide a tie.
const pickTie = 1 - 0x1p-44

// Argmax returns the first index with a weight within a relative 2^-44 of the largest. Weights are
// at least 0.
func Argmax(w []float64) int {
	top := 0.0
	for _, x := range w {
		top = max(top, x)
	}
	top *= pickTie
	for i, x := range w {
		if x >= top {
			return i
		}
	}
	return 0
}

// Draw returns an index with a probability in proportion to its weight, by one number of r. Weights
// are at least 0. It returns an index of weight zero only if all are zero, and then 0.
func Draw(w []float64, r *Rand) int {
	sum := 0.0
	for _, x := range w {
		sum += x
	}
	u, below, last := r.Float64()*sum, 0.0, 0
	for i, x := range w {
		if x == 0 {
			continue
		}
		below += x
		if u < below {
			return i
		}
		last = i
	}
	return last // rounding moved u beyond the last weight
}
