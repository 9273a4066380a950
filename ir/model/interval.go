package model

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// IntervalNames returns the names of the states of a variable that stands for a number, given the
// ascending bounds between them: "..1.5", "1.5..2.5" and "2.5..". An interval includes its upper
// bound. Without bounds there is one state, "..".
func IntervalNames(cuts []float64) []string {
	var names []string
	last := ""
	for _, c := range cuts {
		text := strconv.FormatFloat(c, 'g', -1, 64)
		names = append(names, last+".."+text)
		last = text
	}
	return append(names, last+"..")
}

// IntervalCuts returns the bounds of states that are consecutive intervals from minus infinity to
// infinity; ok is false for other states.
func IntervalCuts(states []string) (cuts []float64, ok bool) {
	if len(states) == 0 || !strings.HasPrefix(states[0], "..") || !strings.HasSuffix(states[len(states)-1], "..") {
		return nil, false
	}
	last := ""
	for i, s := range states {
		from, to, ok := strings.Cut(s, "..")
		if !ok || from != last {
			return nil, false
		}
		if i == len(states)-1 {
			return cuts, to == ""
		}
		x, err := strconv.ParseFloat(to, 64)
		if err != nil || math.IsNaN(x) || i > 0 && x <= cuts[i-1] {
			return nil, false
		}
		cuts, last = append(cuts, x), to
	}
	return cuts, true
}

// Interval returns the state that holds a number, given the bounds between states.
func Interval(cuts []float64, x float64) int {
	state, _ := slices.BinarySearch(cuts, x) // the first bound that is at least x
	return state
}

// stateOf returns the number of the state with the given name. If name is a number, it stands for
// the state that is the same number, or the interval that holds it.
func stateOf(states []string, name string) (state int, ok bool) {
	if i := slices.Index(states, name); i >= 0 {
		return i, true
	}
	x, err := strconv.ParseFloat(name, 64)
	if err != nil || math.IsNaN(x) {
		return 0, false
	}
	if cuts, ok := IntervalCuts(states); ok {
		return Interval(cuts, x), true
	}
	if _, number := Number(name); !number {
		return 0, false
	}
	numbers, _ := StateNumbers(states)
	i := slices.Index(numbers, x)
	return max(0, i), i >= 0
}
