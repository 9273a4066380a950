package pc

import (
	"math"
	"slices"
)

// correction corrects the level of significance for testing many pairs. Each pair has one null
// hypothesis: some set of variables separates it. Its p-value is the largest one of its tests so
// far.
//
// Sources: Koller and Friedman, exercise 18.3, for Bonferroni's; Benjamini and Hochberg 1995,
// Controlling the false discovery rate, and Li and Wang 2009, Controlling the false discovery rate
// of the association/causality structure learned with the PC algorithm, for fdr.
type correction struct {
	kind  string  // none, bonferroni or fdr
	level float64 // the level of significance
}

// critical returns the largest p-value that speaks for dependence; without a correction, in which
// each test decides for itself, it is 1.
func (c correction) critical(s *skeleton) float64 {
	if !c.corrects() {
		return 1
	}
	n := float64(s.Len())
	all := n * (n - 1) / 2
	if c.kind == "bonferroni" {
		return c.level / all
	}
	values := make([]float64, 0, len(s.tested))
	for _, sep := range s.tested {
		values = append(values, sep.best)
	}
	slices.Sort(values)
	for i, p := range slices.Backward(values) {
		untested := all - float64(len(values)) // which stay dependent
		if p <= c.level*(untested+float64(i+1))/all {
			return p
		}
	}
	return math.Inf(-1)
}

// corrects reports whether the p-values of all pairs decide together.
func (c correction) corrects() bool { return c.kind != "" && c.kind != "none" }
