// Package independence tests by counts and moments whether two variables are independent given
// others.
//
//	chi2  Pearson's statistic Σ (O-E)²/E, by its chi-square distribution
//	g     2 M times the mutual information in the counts, by the same distribution
//	mi    the mutual information itself, in nats, by a threshold
//
// The degrees of freedom are (rows-1)(columns-1) for each state of the others, of the rows and
// columns that have counts there: if all counts are in one row, nothing speaks against
// independence. If the other variables determine one of the two in all rows, the test says nothing
// about a direct dependence, and is not made.
//
// If all variables are real, Fisher's z tests their partial correlation in place of chi2 and g. If
// some are real, one of the two being tested, the test is by the ratio of the likelihoods of two
// conditional linear Gaussian regressions of a real one, with and without the other, and by the
// chi-square distribution. mi is the logarithm of that ratio for each row. Two discrete variables
// are not tested given real ones: in a conditional linear Gaussian network, in which real variables
// have no discrete children, discrete ones separate them if anything does.
//
// A test that does not reject is no proof of independence: with few rows hardly anything is
// rejected.
//
// Source: Koller and Friedman, section 18.2.2; their exercise 18.1 (with the factor M that it
// lacks) for g; Pearson 1900; Fisher 1924 for z.
package independence

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Oracle tests whether x and y are independent given others.
type Oracle func(x, y int, given []int) Outcome

// Outcome is the result of a test.
type Outcome struct {
	Independent bool
	// PValue is the probability of a larger statistic under independence. For mi, which has no
	// p-value, it is minus the mutual information. Of two tests of one kind, the one with the
	// larger PValue agrees better with independence.
	PValue  float64
	Thin    bool // fewer than five rows a cell: the chi-square distribution is a poor approximation
	Skipped bool // the table would exceed MaxCells cells, or the test is of no use; the result is dependence
	// Determined lists the variables among x and y that the others determine in all rows, though
	// not all rows have the same value. The test is not made then, and the result is dependence.
	Determined []int
}

// MaxCells is the most cells of a table. Hardly any data set fills more.
const MaxCells = 1 << 20

// thinRows is the number of rows per cell below which the chi-square distribution is a poor
// approximation: Cochran 1952 asks for five.
const thinRows = 5

// Kinds are the names of the tests.
var Kinds = []string{"chi2", "g", "mi"}

// Options chooses a test and its level.
type Options struct {
	Kind      string
	Level     float64 // chi2 and g: a p-value below it rejects independence
	Threshold float64 // mi: mutual information above it, in nats, rejects independence
	// PValues is how chi2 and g have p-values of discrete variables: Asymptotic by the chi-square
	// distribution, Exact by [ExactPValue] if that is feasible and otherwise permuted, or Permuted
	// by [PermutedPValue].
	PValues      string
	Permutations int
}

// How p-values are computed; empty means Asymptotic.
const (
	Asymptotic = "asymptotic"
	Exact      = "exact"
	Permuted   = "permuted"
)

// maxPermuted is the most rows of a permutation. Of more, drawing a count takes too many steps, and
// rounding spoils its probability; the chi-square distribution is accurate then.
const maxPermuted = 1e8

// permuted returns the p-value of counts that is not asymptotic; ok is false if it is not wanted,
// or if counts are no integers or too large.
func (o *Options) permuted(n []float64, rows float64, cardX, cardY int) (p float64, ok bool) {
	if o.PValues != Exact && o.PValues != Permuted || rows > maxPermuted || slices.ContainsFunc(n, func(x float64) bool { return x != math.Trunc(x) }) {
		return 0, false
	}
	if o.PValues == Exact {
		if p, ok := ExactPValue(o.Kind, n, cardX, cardY); ok {
			return p, true
		}
	}
	return PermutedPValue(o.Kind, n, cardX, cardY, o.Permutations), true
}

// New returns a test on the rows of c, with the moments m of its real variables, or nil without
// any. Several goroutines may use it at once.
func New(c *data.Counter, m *data.Moments, opt Options) (Oracle, error) {
	switch {
	case !slices.Contains(Kinds, opt.Kind):
		return nil, fmt.Errorf("unknown test %q; want chi2, g or mi", opt.Kind)
	case !(opt.Level > 0 && opt.Level < 1):
		return nil, fmt.Errorf("significance level %v; want a number above 0 and below 1", opt.Level)
	case opt.PValues != "" && opt.PValues != Asymptotic && opt.Kind == "mi":
		return nil, fmt.Errorf("%s p-values are for chi2 and g; mi has a threshold", opt.PValues)
	case !(opt.Threshold >= 0) || math.IsInf(opt.Threshold, 0):
		return nil, fmt.Errorf("threshold %v of the mutual information; want 0 or more", opt.Threshold)
	}
	t := &realTest{c, m, opt}
	return func(x, y int, given []int) Outcome {
		switch {
		case m == nil:
		case t.isReal(x) || t.isReal(y):
			return t.test(x, y, given)
		case slices.ContainsFunc(given, t.isReal):
			return Outcome{PValue: math.Inf(-1)}
		}
		vars := append(slices.Clone(given), x, y)
		cells, ok := c.Size(vars)
		if !ok || cells > MaxCells {
			return Outcome{Skipped: true, PValue: math.Inf(-1)}
		}
		n := c.Counts(vars...)
		statistic, df, rows := Statistic(opt.Kind, n, c.Card(x), c.Card(y))
		if df == 0 && len(given) > 0 {
			if list := determined(n, x, y, c.Card(x), c.Card(y)); list != nil {
				return undecided(list)
			}
		}
		if opt.Kind == "mi" {
			return Outcome{PValue: -statistic, Independent: statistic <= opt.Threshold, Thin: rows < thinRows*float64(cells)}
		}
		o := Outcome{PValue: ChiSquareSurvival(df, statistic), Thin: rows < thinRows*float64(cells)}
		if p, ok := opt.permuted(n, rows, c.Card(x), c.Card(y)); ok {
			o.PValue, o.Thin = p, false
		}
		o.Independent = o.PValue >= opt.Level
		return o
	}, nil
}

// undecided is the outcome of a test that is not made.
func undecided(determined []int) Outcome {
	return Outcome{Determined: determined, PValue: math.Inf(-1)}
}

// determined returns the variables among x and y that have one state in each state of the others,
// but not in all of them.
func determined(n []float64, x, y, cardX, cardY int) (list []int) {
	byX, byY := make([]float64, cardX), make([]float64, cardY)
	inX, inY := 0, 0 // most states within a table
	all := make([]float64, cardX*cardY)
	for table := range slices.Chunk(n, cardX*cardY) {
		margins(table, byX, byY)
		inX, inY = max(inX, positive(byX)), max(inY, positive(byY))
		for i, o := range table {
			all[i] += o
		}
	}
	margins(all, byX, byY)
	if inX == 1 && positive(byX) > 1 {
		list = append(list, x)
	}
	if inY == 1 && positive(byY) > 1 {
		list = append(list, y)
	}
	return list
}

// Statistic computes how far counts n are from independence of two variables with cardX and cardY
// states (the second one fastest) in each state of the others, which are slowest. It returns the
// statistic of that kind, its degrees of freedom and the total weight of the rows.
func Statistic(kind string, n []float64, cardX, cardY int) (statistic, df, rows float64) {
	byX, byY := make([]float64, cardX), make([]float64, cardY)
	for table := range slices.Chunk(n, cardX*cardY) {
		all := margins(table, byX, byY)
		if all == 0 {
			continue
		}
		rows += all
		df += float64(positive(byX)-1) * float64(positive(byY)-1)
		for i, o := range table {
			expected := byX[i/cardY] * byY[i%cardY] / all
			switch {
			case expected == 0:
			case kind == "chi2":
				statistic += (o - expected) * (o - expected) / expected
			case o > 0:
				statistic += 2 * o * pgmrt.Ln(o/expected)
			}
		}
	}
	if kind == "mi" && rows > 0 {
		statistic /= 2 * rows
	}
	return statistic, df, rows
}

// ChiSquareSurvival returns the probability that a chi-square variable with df degrees of freedom
// exceeds x. Without degrees of freedom it returns 1.
func ChiSquareSurvival(df, x float64) float64 {
	if df <= 0 || x <= 0 {
		return 1
	}
	return distuv.ChiSquared{K: df}.Survival(x)
}

// margins sums a table by its first variable, by its second, and altogether.
func margins(table, byX, byY []float64) (all float64) {
	clear(byX)
	clear(byY)
	for i, o := range table {
		byX[i/len(byY)] += o
		byY[i%len(byY)] += o
		all += o
	}
	return all
}

func positive(x []float64) (n int) {
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return n
}
