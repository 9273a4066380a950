package edit

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/model"
)

// scopeOf returns the scope of f with its child last.
func scopeOf(f *model.Factor) []model.VarID { return append(f.Parents(), f.ChildVar()) }

// isExpression reports whether f is an expression, which has no rows for the states of parents.
func isExpression(m *model.Model, f *model.Factor) bool {
	_, ok := f.Dist.(model.Rowwise)
	return !ok && m.IsReal(f.ChildVar())
}

// tabulated returns f as a table with its child last, and a note if it was none. f must have no
// real variables.
func tabulated(m *model.Model, f *model.Factor, limit int) (*model.Factor, string, error) {
	values, err := m.Tabulate(f, limit)
	if err != nil {
		return nil, "", fmt.Errorf("the CPD of %s is of kind %s, and has no table of at most %d numbers", name(m, f.ChildVar()), f.Dist.Kind(), limit)
	}
	g := revised(f, scopeOf(f), &model.Table{Values: m.Rearrange(values, f.Scope, scopeOf(f))})
	if f.Dist.Kind() == g.Dist.Kind() {
		return g, "", nil
	}
	return g, "; it is a table now", nil
}

// words are parts of messages about CPDs of a kind: on a parent that is added, with its name and
// the lowest state of the child; on one that is removed, with its name and the weights; on new
// states, if their rows are not uniform; and on what can be set in place of a probability.
type words struct{ added, removed, unknown, want string }

// wordsOf returns the words for the kind of a CPD.
func wordsOf(f *model.Factor) words {
	if w, ok := kindWords[f.Dist.Kind()]; ok {
		return w
	}
	return words{added: repeatedRows, removed: meanRows}
}

const (
	repeatedRows = "its rows are repeated for the states of %[1]s"
	meanRows     = "its rows are means over the states of %[1]s, %[2]s"
)

// kindWords has the words for kinds that differ from tables.
var kindWords = map[string]words{
	"gaussian": {repeatedRows, meanRows + ", and variances have the variance of their means added",
		"; rows of new states have the mean 0 and the variance 1", "its mean, coefficients or variance"},
	"noisy-max": {"the cause %[1]s contributes the lowest state, %[2]s", "the leak has the mean contribution of %[1]s, %[2]s",
		"; new states contribute the lowest state", ""},
	"tree":     {added: "its tree does not test %[1]s", removed: "its tree did not test %[1]s"},
	"features": {added: "no feature of it names %[1]s"},
	"softmax":  {added: repeatedRows, removed: meanRows, want: "the bias or the coefficients of a state"},
	"func":     {want: "its variance"},
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
