package ldfm

import "slices"

// maximise sets w to the weights, each of at least epsilon and one together, that make the sum of a[i]·ln w[i] largest: what the modified
// Dirichlet distribution with parameter alpha has as its mode after counts c, where a = c + alpha - 1 (Tu 2016). What is not positive gets
// epsilon, and so does what would fall below it while the rest shares in proportion. Where nothing is positive the sum has no maximum
// within, and the largest takes all, the first of several. w and a may be one.
func maximise(w, a []float64, epsilon float64) {
	if slices.Max(a) <= 0 {
		best := 0
		for i, x := range a {
			if x > a[best] {
				best = i
			}
		}
		for i := range w {
			w[i] = epsilon
		}
		w[best] = 1 - float64(len(w)-1)*epsilon
		return
	}
	below := make([]bool, len(a))
	for i, x := range a {
		below[i] = x <= 0
	}
	for {
		sum, left, cut := 0.0, 1.0, false
		for i, x := range a {
			if below[i] {
				left -= epsilon
			} else {
				sum += x
			}
		}
		for i, x := range a {
			if !below[i] && x*left < epsilon*sum {
				below[i], cut = true, true
			}
		}
		if cut {
			continue
		}
		for i, x := range a {
			if w[i] = epsilon; !below[i] {
				w[i] = x * left / sum
			}
		}
		return
	}
}
