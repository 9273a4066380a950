package rate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
)

// Missingness is the result of tests of whether values are missing completely at random.
type Missingness struct {
	Tests []MissingTest `json:"tests"` // the least p-value first
}

// MissingTest is a test of whether it depends on another variable if a variable is observed.
type MissingTest struct {
	Variable  string  `json:"variable"`
	By        string  `json:"by"`
	Rows      float64 `json:"rows"` // that have a value of By
	PValue    float64 `json:"p_value"`
	Corrected float64 `json:"corrected"` // the p-value times the number of tests, up to 1 (Bonferroni)
}

// missingLevel is the corrected p-value below which a test rejects.
const missingLevel = 0.05

// permutations is the number of random permutations that take the place of the chi-square
// distribution if there are few rows, of variables with at most maxPermuted states. Their least
// p-value passes the correction of 100 tests.
const (
	permutations = 10_000
	maxPermuted  = 200
)

// TestMissing tests for each variable that some rows miss, and each other one, whether the
// observability of the first is independent of the values of the second: by Pearson's statistic,
// and for real values by a ratio of likelihoods of regressions. A dependence shows that values are
// not missing completely at random (Koller and Friedman, section 19.1.2). No test can show whether
// values are missing at random: whether the observability of a variable depends on its own value,
// given the values that are observed.
func TestMissing(s *data.Set) (*Missingness, error) {
	var vars []int
	for v := range s.Vars {
		if s.Misses(v) && !s.Empty(v) {
			vars = append(vars, v)
		}
	}
	set, err := s.WithObserved(vars)
	if err != nil {
		return nil, err
	}
	counter, moments := data.NewCounter(set, 0), data.NewMoments(set, 1)
	oracle, err := independence.New(counter, moments, independence.Options{Kind: "chi2", Level: missingLevel})
	if err != nil {
		return nil, err
	}
	few, err := independence.New(counter, moments, independence.Options{Kind: "chi2", Level: missingLevel, PValues: independence.Permuted, Permutations: permutations})
	if err != nil {
		return nil, err
	}
	out := &Missingness{}
	for i, v := range vars {
		for by := range s.Vars {
			states := len(s.Vars[by].States)
			if by == v || s.Empty(by) || 2*states > s.Len() { // an identifier says nothing
				continue
			}
			o := oracle(len(s.Vars)+i, by, nil)
			if o.Thin && !s.Vars[by].Real && states <= maxPermuted {
				o = few(len(s.Vars)+i, by, nil)
			}
			if !o.Skipped && o.Determined == nil {
				out.Tests = append(out.Tests, MissingTest{Variable: s.Vars[v].Name, By: s.Vars[by].Name, Rows: present(s, by), PValue: o.PValue})
			}
		}
	}
	for i := range out.Tests {
		out.Tests[i].Corrected = min(1, out.Tests[i].PValue*float64(len(out.Tests)))
	}
	slices.SortStableFunc(out.Tests, func(a, b MissingTest) int { return cmp.Compare(a.PValue, b.PValue) })
	return out, nil
}

// present returns the weight of the rows that have a value of v.
func present(s *data.Set, v int) (sum float64) {
	column := s.Column(v)
	for row := range s.Len() {
		if column.At(row) != data.Missing {
			sum += s.Weight(row)
		}
	}
	return sum
}

// Rejected returns the number of tests that reject: of values that are not missing completely at
// random.
func (m *Missingness) Rejected() (n int) {
	for _, t := range m.Tests {
		if t.Corrected < missingLevel {
			n++
		}
	}
	return n
}

// String says what the tests show.
func (m *Missingness) String() string {
	switch n := m.Rejected(); {
	case len(m.Tests) == 0:
		return "no test of missing values: no column misses some, beside another with values"
	case n == 0:
		return fmt.Sprintf("none of %d tests shows that a missing value depends on another column; it may still depend on the value that is missing, which no test of these rows shows", len(m.Tests))
	default:
		return fmt.Sprintf("%d of %d tests show that a missing value depends on another column, so that complete rows mislead; EM takes in the others, and is right if missing values depend on nothing that is missing", n, len(m.Tests))
	}
}
