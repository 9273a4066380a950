package pc

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns by tests of independence.
var Learner = learner.Learner{
	Name:  "pc",
	Doc:   "a class of structures by tests of independence (PC-stable)",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Reals | model.Gaussians | model.Mixed,
}

// Options holds the options of pc. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bic, and bic for data with real variables"`
	learner.Scoring
	Test      string  `opt:"test" default:"g" help:"test of independence: chi2, g, or mi, which compares mutual information with a threshold; real variables have Fisher's z or a likelihood ratio for the first two"`
	Alpha     float64 `opt:"alpha" default:"0.05" help:"significance level of chi2 and g"`
	PValues   string  `opt:"p-values" default:"asymptotic" help:"p-values of chi2 and g for discrete variables: asymptotic, by the chi-square distribution; exact, over all counts with the same sums, or where these are too many by permutations; permuted, by random permutations" range:"asymptotic|exact|permuted"`
	Permuted  int     `opt:"permutations" default:"1000" help:"number of random permutations" range:"[1,inf)"`
	Correct   string  `opt:"correct" default:"none" help:"correction of alpha for the number of pairs: none, bonferroni, or fdr, which bounds the share of false edges (Benjamini and Hochberg)" range:"none|bonferroni|fdr"`
	Threshold float64 `opt:"threshold" default:"0.005" help:"mutual information, in nats, up to which mi accepts independence"`
	MaxGiven  int     `opt:"max-given" default:"4" help:"most given variables of a test" range:"[0,inf)" wrong:"at most {max-given} given variables; want 0 or more"`
	MaxTests  int     `opt:"max-tests" default:"10000000" help:"most tests; if those with one more given variable would exceed it, the search ends before them" range:"[1,inf)" wrong:"at most {max-tests} tests; want 1 or more"`
	learner.Constraints
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "bic") }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return l.common().Canonical(ctx, job, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, rules, err := l.common().Ruled(job)
	if err != nil {
		return nil, err
	}
	if err := options.Check(l); err != nil {
		return nil, err
	}
	oracle, err := independence.New(s.Counter, s.Moments(), independence.Options{Kind: l.Test, Level: l.Alpha, Threshold: l.Threshold, PValues: l.PValues, Permutations: l.Permuted})
	if err != nil {
		return nil, err
	}
	if l.Correct != "none" && l.Test == "mi" {
		return nil, fmt.Errorf("correction %s is of p-values, and test mi has none; want chi2 or g", l.Correct)
	}
	if err := l.checkPermutations(job.Train.Vars); err != nil {
		return nil, err
	}
	search, cancel := job.Limit(ctx)
	defer cancel()
	f := &finder{oracle: oracle, most: l.MaxGiven, maxTests: l.MaxTests, cores: job.Cores, rules: rules, correct: correction{l.Correct, l.Alpha},
		tell: func(tests int) { job.ReportProgress(learner.Event{Done: tests}) }}
	class, counts, err := f.class(search, len(job.Train.Vars))
	if err != nil {
		return nil, fmt.Errorf("stopped before the first result: %w", err)
	}
	r, forced, err := l.common().ClassResult("pc", s, class)
	if err != nil {
		return nil, fmt.Errorf("%w; try a smaller alpha", err)
	}
	counts.Forced = forced
	r.Report.Steps, r.Report.Remarks = counts.Tests, counts.remarks(job.Train.Vars)
	return r, nil
}

// remarks reports the number of tests and the contradictions among them.
func (c *Counts) remarks(vars []data.Var) []string {
	list := []string{fmt.Sprintf("%d tests of independence, %d of them with fewer than 5 rows a cell", c.Tests, c.Thin)}
	if c.Left > 0 {
		list = append(list, fmt.Sprintf("tests with %d given variables or more were not made: those with %d would have been %.3g", c.Size, c.Size, c.Left))
	}
	if c.Undecided > 0 {
		var names []string
		for _, v := range slices.Sorted(maps.Keys(c.Determined)) {
			names = append(names, strconv.Quote(vars[v].Name))
		}
		list = append(list, fmt.Sprintf("%d tests were not made, and taken for dependence, since other columns determine %s in all rows; leave out columns that repeat others", c.Undecided, strings.Join(names, ", ")))
	}
	for _, x := range []struct {
		n    int
		what string
	}{
		{c.Skipped, "tests of tables that are too large were not made, and taken for dependence"},
		{c.Contradicted, "directions contradict others, and were left out"},
		{c.Forced, "variables have parents that the tests call no colliders, since no structure agrees with all of them"},
	} {
		if x.n > 0 {
			list = append(list, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	return list
}

// Class finds the class of structures of n variables by an oracle, with at most `most` given
// variables in a test.
func Class(ctx context.Context, n int, oracle independence.Oracle, most, cores int) (*graph.Partial, *Counts, error) {
	return (&finder{oracle: oracle, most: most, maxTests: math.MaxInt, cores: cores, tell: func(int) {}}).class(ctx, n)
}

func (f *finder) class(ctx context.Context, n int) (*graph.Partial, *Counts, error) {
	s, err := f.skeleton(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	return f.orient(s), &s.counts, nil
}
