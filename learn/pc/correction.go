package pc

import (
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
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

// checkPermutations returns an error if no p-value of permutations can be as small as the level of
// significance: all discrete variables would be independent.
func (l *Options) checkPermutations(vars []data.Var) error {
	discrete := 0
	for _, v := range vars {
		if !v.Real {
			discrete++
		}
	}
	level := l.Alpha
	if n := float64(len(vars)); l.Correct == "bonferroni" && n > 1 {
		level /= n * (n - 1) / 2
	}
	if l.PValues == independence.Asymptotic || discrete < 2 || float64(l.Permuted) > 1/level {
		return nil
	}
	return diag.Errorf("%d permutations have p-values from %.3g, above the level of significance %.3g; want %v or more",
		l.Permuted, 1/float64(l.Permuted+1), level, diag.Option{Name: "permutations", Value: strconv.FormatFloat(math.Floor(1/level)+1, 'f', 0, 64)})
}

// corrects reports whether the p-values of all pairs decide together.
func (c correction) corrects() bool { return c.kind != "" && c.kind != "none" }
