package edit

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/model"
)

// scopeOf returns the scope of f with its child last.
func scopeOf(f *model.Factor) []model.VarID { return append(f.Parents(), f.ChildVar()) }

// sized returns an error if a table over vars has more than limit numbers.
func sized(m *model.Model, child model.VarID, vars []model.VarID, limit int) (n int, err error) {
	n, ok := m.TableSize(vars)
	if !ok || n > limit {
		return 0, fmt.Errorf("the table of %s would have e^%.1f numbers; the limit is %d", name(m, child), m.LogTableSize(vars), limit)
	}
	return n, nil
}

// tabulated returns f as a table with its child last. f must have no real variables.
func tabulated(m *model.Model, f *model.Factor, limit int) (*model.Factor, error) {
	scope := scopeOf(f)
	values, err := m.Tabulate(f, limit)
	if err != nil {
		return nil, fmt.Errorf("the CPD of %s is of kind %s, and has no table of at most %d numbers", name(m, f.ChildVar()), f.Dist.Kind(), limit)
	}
	return revised(f, scope, &model.Table{Values: m.Permute(values, f.Scope, scope)}), nil
}

// share scales a row so that state has the probability p and the others keep their proportions.
func share(row []float64, state int, p float64) error {
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("found the probability %v; want 0 to 1", p)
	}
	sum := 0.0
	for s, x := range row {
		if s != state {
			sum += x
		}
	}
	rest := 1 - p
	switch {
	case rest > 0 && len(row) == 1:
		return fmt.Errorf("found the probability %v of the only state; want 1", p)
	case rest > 0 && !(sum > 0) && len(row) > 2: // also in an undefined row
		return fmt.Errorf("found the probability %v, and the other states are all 0, so that nothing says how they share %v; want the whole row", p, rounded(rest))
	}
	for s := range row {
		switch {
		case s == state:
			row[s] = p
		case len(row) == 2:
			row[s] = rounded(rest)
		case rest == 0:
			row[s] = 0
		default:
			row[s] = rounded(row[s] / sum * rest)
		}
	}
	return nil
}

// rounded returns x with 15 significant digits, so that 1 - .9 is .1.
func rounded(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 15, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// complete checks that numbers are a distribution. It scales a row that misses 1 as rounded numbers
// do, and reports whether it had to scale by more than printed digits explain.
func complete(row []float64) (scaled bool, err error) {
	sum := 0.0
	for _, x := range row {
		if !(x >= 0 && x <= 1) {
			return false, fmt.Errorf("found the probability %v; want 0 to 1", x)
		}
		sum += x
	}
	off := sum - 1
	switch {
	case off > model.RowsWarn, off < -model.RowsWarn:
		return false, fmt.Errorf("the numbers sum to %v; want 1", rounded(sum))
	case off > model.RowsSilent, off < -model.RowsSilent:
		scaled = true
	case off <= model.RowsExact && off >= -model.RowsExact:
		return false, nil
	}
	for s := range row {
		row[s] /= sum
	}
	return scaled, nil
}

// uniform returns n equal probabilities.
func uniform(n int) []float64 { return slices.Repeat([]float64{1 / float64(n)}, n) }
