package bound

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// walk visits the numbers of a row-major table with the given axes, a row of the last axis at a
// time: first is the number of the row's first entry, and at its place in an operand with distance
// stride between neighbours along each axis.
func walk(card, stride []int, visit func(first, at int)) {
	last := len(card) - 1
	rows := 1
	for _, c := range card[:last] {
		rows *= c
	}
	digit := make([]int, last)
	at := 0
	for r := range rows {
		visit(r*card[last], at)
		for i := last - 1; i >= 0; i-- {
			digit[i]++
			at += stride[i]
			if digit[i] < card[i] {
				break
			}
			at -= digit[i] * stride[i]
			digit[i] = 0
		}
	}
}

// add adds src to dst, which has the given axes; stride is the stride of src along them.
func add(dst []float64, card, stride []int, src []float64) {
	n, step := card[len(card)-1], stride[len(card)-1]
	walk(card, stride, func(first, at int) {
		row := dst[first : first+n]
		for k := range row {
			row[k] += src[at]
			at += step
		}
	})
}

// margin sets dst to ln of the sum of the exponentials of the numbers of src with each joint state
// of the axes for which stride is positive, or to the largest number if largest is set.
func margin(dst []float64, card, stride []int, src []float64, largest bool) {
	for i := range dst {
		dst[i] = math.Inf(-1)
	}
	n, step := card[len(card)-1], stride[len(card)-1]
	walk(card, stride, func(first, at int) {
		for _, x := range src[first : first+n] {
			dst[at] = max(dst[at], x)
			at += step
		}
	})
	if largest {
		return
	}
	sum := make([]float64, len(dst))
	walk(card, stride, func(first, at int) {
		for _, x := range src[first : first+n] {
			if x > math.Inf(-1) {
				sum[at] += math.Exp(x - dst[at])
			}
			at += step
		}
	})
	for i, s := range sum {
		if s > 0 {
			dst[i] += pgmrt.Ln(s)
		}
	}
}
