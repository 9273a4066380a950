package times

import (
	"fmt"
	"slices"
)

// Irregular is the error for times that no step takes from one to the next.
type Irregular struct {
	// Sequence and At are the place of a time: At in a sequence, from 1, for it is about the time
	// and the one before.
	Sequence, At int
	Short, Long  string // the least distance of two times in a sequence, and the one at the place
	Every        Step   // about how far times are apart
}

// Error describes the times.
func (e *Irregular) Error() string {
	return fmt.Sprintf("times are %s and %s apart; want multiples of one step, such as %v", e.Short, e.Long, e.Every)
}

// Find returns the largest step that takes each time to the next one of its sequence, of which one
// is a single step. Times of a sequence must ascend. The step is none if no sequence has two times.
// The error is an *Irregular.
func Find(sequences [][]Time) (Step, error) {
	kinds := []Step{{Months: 1}, {Days: 1}, {Nanos: 1}}
	if !far(sequences) {
		kinds = kinds[1:]
	}
	for _, one := range kinds {
		if step, ok := one.common(sequences); ok {
			return step, nil
		}
	}
	return Step{}, irregular(sequences)
}

// far reports whether times are at least as far apart as the shortest month is long.
func far(sequences [][]Time) bool {
	for _, list := range sequences {
		for i := 1; i < len(list); i++ {
			if list[i].Wall-list[i-1].Wall < 28*day {
				return false
			}
		}
	}
	return true
}

// common returns the step of which the distances of times are multiples, if it is one of the
// distances. one is the unit.
func (one Step) common(sequences [][]Time) (step Step, ok bool) {
	least := int64(0)
	var all []int64
	for _, list := range sequences {
		before := int64(0)
		for i := 1; i < len(list); i++ {
			at, exact := one.Between(list[0], list[i])
			n := at - before
			if before = at; !exact || n < 1 {
				return step, false
			}
			if least == 0 || n < least {
				least = n
			}
			if len(all) == 0 || all[len(all)-1] != n {
				all = append(all, n)
			}
		}
	}
	for _, n := range all {
		if n%least != 0 {
			return step, false
		}
	}
	return Step{Months: least * one.Months, Days: least * one.Days, Nanos: least * one.Nanos}, true
}

// irregular returns the error for times without a step.
func irregular(sequences [][]Time) *Irregular {
	var all []int64
	for _, list := range sequences {
		for i := 1; i < len(list); i++ {
			all = append(all, list[i].Instant()-list[i-1].Instant())
		}
	}
	least := max(1, slices.Min(all))
	e := &Irregular{Short: length(least).String()}
	for s, list := range sequences {
		for i := 1; i < len(list) && e.Long == ""; i++ {
			if n := list[i].Instant() - list[i-1].Instant(); n%least != 0 {
				e.Sequence, e.At, e.Long = s, i, length(n).String()
			}
		}
	}
	common := least
	for _, n := range all {
		for n > 0 {
			common, n = n, common%n
		}
	}
	if least/common <= mostMissing {
		e.Every = length(common)
		return e
	}
	slices.Sort(all)
	e.Every = near(all[len(all)/2])
	return e
}

// mostMissing is the most slices from one time to the next of a step that an Irregular names since
// it takes each time to the next.
const mostMissing = 12

// length returns the step of some nanoseconds.
func length(n int64) Step {
	if n%day == 0 {
		return Step{Days: n / day}
	}
	return Step{Nanos: n}
}

// near returns a step of a common length that is near to a distance.
func near(distance int64) Step {
	best, off := Step{}, int64(-1)
	for _, text := range []string{"1ms", "10ms", "100ms", "1s", "5s", "10s", "30s", "1m", "5m", "10m", "15m", "30m", "1h", "2h", "3h", "6h", "12h", "1d", "7d", "1mo", "3mo", "1y"} {
		s, _ := ParseStep(text)
		span := s.Months*30*day + s.Days*day + s.Nanos
		if d := max(span-distance, distance-span); off < 0 || d < off {
			best, off = s, d
		}
	}
	return best
}
