package network

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// maxOdds is the largest logarithm of prior odds. Scores that differ by 1e-12 of their size tie,
// see [score.Tie]: far beyond it, the data would decide about no edge.
const maxOdds = 1e9

// edgePrior returns the logarithms of the prior odds of edges; nil if there are none.
func (o *Common) edgePrior(vars []data.Var, job *learner.Job) (func(parent, child int) float64, error) {
	f, err := readEdgePrior(vars, o.EdgePrior)
	if err != nil {
		return nil, fmt.Errorf("edge-prior: %w", err)
	}
	g, err := o.distancePrior(vars, job.Structure)
	switch {
	case err != nil || f == nil:
		return g, err
	case g == nil:
		return f, nil
	}
	return func(parent, child int) float64 { return f(parent, child) + g(parent, child) }, nil
}

// distancePrior returns the logarithms of the prior odds of edges under which the prior of a
// structure falls by the factor PriorOdds for each edge that only it or only m has; nil if m is.
// Source: Heckerman, Geiger and Chickering 1995, Learning Bayesian networks, for the prior.
func (o *Common) distancePrior(vars []data.Var, m *model.Model) (func(parent, child int) float64, error) {
	switch {
	case m == nil:
		return nil, nil
	case !(o.PriorOdds >= 1 && o.PriorOdds <= math.MaxFloat64):
		return nil, fmt.Errorf("prior odds %v; want a number from 1", o.PriorOdds)
	case m.Kind != model.Bayes:
		return nil, fmt.Errorf("%s: the prior structure is of a %v; want a Bayesian network", m.File, m.Kind)
	case !slices.ContainsFunc(m.Vars, func(v *model.Var) bool {
		return slices.ContainsFunc(vars, func(w data.Var) bool { return v.Name == w.Name })
	}):
		return nil, fmt.Errorf("%s: the data has none of the %d variables of the prior structure; want some", m.File, len(m.Vars))
	case m.Transition != nil && slices.ContainsFunc(vars, func(v data.Var) bool { return v.Before }):
		m = m.Step()
	}
	has, odds := map[[2]int]bool{}, pgmrt.Ln(o.PriorOdds)
	for x, parents := range data.Parents(m, vars) {
		for _, u := range parents {
			has[[2]int{u, x}] = true
		}
	}
	return func(parent, child int) float64 {
		if has[[2]int{parent, child}] || o.Undirected && has[[2]int{child, parent}] {
			return odds
		}
		return -odds
	}, nil
}

// readEdgePrior reads the logarithms of prior odds of edges: a number for all edges, a->b=1.5 for
// one, or a--b=1.5 for both directions, separated by commas or lines.
func readEdgePrior(vars []data.Var, list string) (func(parent, child int) float64, error) {
	items, err := data.Items(list)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	general, odds := 0.0, map[[2]int]float64{}
	for i, item := range items {
		at := strings.LastIndex(item, "=")
		x, err := strconv.ParseFloat(strings.TrimSpace(item[at+1:]), 64)
		switch {
		case err != nil || at >= 0 && strings.TrimSpace(item[:at]) == "":
			return nil, fmt.Errorf("log prior odds %q; want a number for all edges, or some like a->b=1.5 and a--b=1.5", item)
		case !(math.Abs(x) <= maxOdds):
			return nil, diag.Errorf("log prior odds of an edge %v; want a number from %v to %v; %v and %v are for certain edges",
				x, -maxOdds, maxOdds, diag.Option{Name: "require"}, diag.Option{Name: "forbid"})
		case at < 0 && slices.ContainsFunc(items[:i], func(s string) bool { return !strings.Contains(s, "=") }):
			return nil, fmt.Errorf("two log prior odds of all edges; want one")
		case at < 0:
			general = x
			continue
		}
		both, err := edgesOf(vars, strings.TrimSpace(item[:at]))
		if err != nil {
			return nil, err
		}
		for _, e := range both {
			if _, ok := odds[e]; ok {
				return nil, fmt.Errorf("two log prior odds of %s->%s; want one", vars[e[0]].Name, vars[e[1]].Name)
			}
			odds[e] = x
		}
	}
	return func(parent, child int) float64 {
		if x, ok := odds[[2]int{parent, child}]; ok {
			return x
		}
		return general
	}, nil
}

// edgesOf reads an edge a->b, or a--b, which is both directions. If the text can be read as both,
// it is a->b.
func edgesOf(vars []data.Var, text string) ([][2]int, error) {
	a, b, known := data.Ends(vars, text, "--")
	if _, _, directed := data.Ends(vars, text, "->"); directed || !known && (a == text || strings.Contains(text, "->")) {
		return edges(vars, quote(text))
	}
	return edges(vars, quote(a+"->"+b)+","+quote(b+"->"+a))
}

// quote returns an item of a list that [data.Items] reads as the text.
func quote(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
