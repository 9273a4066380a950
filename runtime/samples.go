package pgmrt

import "iter"

// Samples returns an endless sequence of samples, which ends if one fails. runs counts the queries
// of an engine. After another query draw makes a sample, which counts as a query, and otherwise
// next does, which does not. A sample is valid until the next one.
func Samples[A any](runs *uint, draw func(out *A) error, next func(out *A)) iter.Seq[*A] {
	return func(yield func(*A) bool) {
		var out A
		for mine := *runs - 1; ; {
			if mine != *runs {
				if err := draw(&out); err != nil {
					return
				}
				mine = *runs
			} else {
				next(&out)
			}
			if !yield(&out) {
				return
			}
		}
	}
}

// Cloned returns a copy of a value, or nil for nil.
func Cloned[T any](x *T) *T {
	if x == nil {
		return nil
	}
	y := *x
	return &y
}
