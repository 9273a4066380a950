package data

import "slices"

// MaxWhole is the most different whole numbers of a column that [LoadOptions].Numeric leaves
// discrete: numbers of so few values are more often codes or counts than measurements.
const MaxWhole = 20

// Measured reports whether texts are numbers of which a column becomes a real variable by
// [LoadOptions].Numeric.
func Measured(texts []string) bool {
	numbers, ok := numbersOf(texts)
	if !ok {
		return false
	}
	slices.Sort(numbers)
	return measured(slices.Compact(numbers))
}

// real makes a column of numbers real-valued, and reports whether it did: all its values must be
// numbers, and more than MaxWhole different ones or one that is no whole number.
func (l *loader) real(v int, x *Var) bool {
	if !l.opt.Numeric {
		return false
	}
	number, ok := numbersOf(x.States)
	if !ok || !measured(number) {
		return false
	}
	s, column := l.set, &l.set.columns[v]
	values, states := make([]float64, s.rows), makeStates(false, s.rows)
	for row := range values {
		if k := column.At(row); k == Missing {
			states.add(Missing)
		} else {
			values[row] = number[k]
			states.add(0)
		}
	}
	if s.reals == nil {
		s.reals = make([][]float64, len(s.columns))
	}
	s.reals[v], *column = values, states
	x.States, x.Real = nil, true
	return true
}
