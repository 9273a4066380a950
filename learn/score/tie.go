package score

import "math"

// tie is the share of scores up to which their difference is rounding, which must not decide
// between equivalent structures.
const tie = 1e-12

// Tie returns the difference up to which sums of scores of the given sizes count as equal. Infinite
// ones do not count.
func Tie(scores ...float64) float64 {
	size := 0.0
	for _, x := range scores {
		if !math.IsInf(x, 0) {
			size += math.Abs(x)
		}
	}
	return tie * size
}

// Best chooses the first of the candidates that tie with the best one, which does not depend on
// worse ones between them.
type Best[T any] struct {
	Over float64 // only candidates with higher scores are considered
	Tie  float64 // the difference up to which scores count as equal

	// list holds the candidates that may be chosen. Their scores increase: a later one of a lower
	// score never comes first.
	list []candidate[T]
}

type candidate[T any] struct {
	x     T
	score float64
}

// Clear forgets all candidates.
func (b *Best[T]) Clear() { b.list = b.list[:0] }

// Most returns the highest score of a candidate, or Over without any.
func (b *Best[T]) Most() float64 {
	if n := len(b.list); n > 0 {
		return b.list[n-1].score
	}
	return b.Over
}

// Add adds a candidate.
func (b *Best[T]) Add(x T, score float64) {
	if !(score > b.Most()) {
		return
	}
	lost := 0 // candidates that no longer tie
	for lost < len(b.list) && b.list[lost].score < score-b.Tie {
		lost++
	}
	b.list = append(b.list[:copy(b.list, b.list[lost:])], candidate[T]{x, score})
}

// First returns the chosen candidate with its score; ok is false if there is none.
func (b *Best[T]) First() (x T, score float64, ok bool) {
	if len(b.list) == 0 {
		return x, b.Over, false
	}
	return b.list[0].x, b.list[0].score, true
}
