package network

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// maxOdds is the largest logarithm of prior odds. Scores that differ by 1e-12 of their size tie, see
// [score.Tie]: far beyond it, the data would decide about no edge.
const maxOdds = 1e9

// edgePrior returns the logarithms of the prior odds of edges; nil if there are none.
func (o *Common) edgePrior(vars []data.Var) (func(parent, child int) float64, error) {
	f, err := readEdgePrior(vars, o.EdgePrior)
	if err != nil {
		return nil, fmt.Errorf("edge-prior: %w", err)
	}
	return f, nil
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

// edgesOf reads an edge a->b, or a--b, which is both directions. If the text can be read as both, it
// is a->b.
func edgesOf(vars []data.Var, text string) ([][2]int, error) {
	a, b, known := data.Ends(vars, text, "--")
	if _, _, directed := data.Ends(vars, text, "->"); directed || !known && (a == text || strings.Contains(text, "->")) {
		return edges(vars, quote(text))
	}
	return edges(vars, quote(a+"->"+b)+","+quote(b+"->"+a))
}

// quote returns an item of a list that [data.Items] reads as the text.
func quote(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
