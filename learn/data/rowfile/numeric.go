package rowfile

import (
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/states"
)

// MaxWhole is the most different whole numbers of a column that [LoadOptions].Numeric leaves
// discrete: numbers of so few values are more often codes or counts than measurements.
const MaxWhole = 20

// Measured reports whether texts are numbers of which a column becomes a real variable by
// [LoadOptions].Numeric.
func Measured(texts []string) bool {
	numbers, ok := states.Numbers(texts)
	if !ok {
		return false
	}
	slices.Sort(numbers)
	return measured(slices.Compact(numbers))
}

// real makes a column of numbers real-valued, and reports whether it did: all its values must be
// numbers, and more than MaxWhole different ones or one that is no whole number.
func (l *loader) real(v int, x *data.Var) bool {
	if !l.opt.Numeric {
		return false
	}
	number, ok := states.Numbers(x.States)
	if !ok || !measured(number) {
		return false
	}
	column := &l.columns[v]
	values, states := make([]float64, l.rows), make([]uint8, l.rows)
	for row := range values {
		if k := column.At(row); k == data.Missing {
			states[row] = data.MissingByte
		} else {
			values[row] = number[k]
		}
	}
	if l.reals == nil {
		l.reals = make([][]float64, len(l.columns))
	}
	l.reals[v], column.States = values, data.States{Bytes: states}
	x.States, x.Real = nil, true
	return true
}
