package ldfm

import "slices"

// maximise sets w to the weights that maximise the sum of a[i]·ln w[i], each at least epsilon, with
// sum 1. With a = c + alpha - 1 this is the mode of the modified Dirichlet distribution with
// parameter alpha after counts c (Tu 2016). Entries that are not positive get epsilon, and so do
// entries that would fall below it while the rest is shared in proportion. If no entry is positive,
// there is no interior maximum, and the largest one takes all, the first of ties. w and a may be
// the same slice.
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
