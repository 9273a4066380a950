// Package parentsets lists the scored parent sets of each variable, for searches and averages over
// orders of the variables.
//
// It searches nothing itself. Source: Koller and Friedman, sections 18.4.2 and 18.5.2; Teyssier and
// Koller 2005, Ordering-based search, for the choice of candidates and the pruning of sets.
package parentsets

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/knownorder"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Set is a set of parents.
type Set struct {
	Parents []int     // ascending
	In      graph.Set // the same
	Score   float64   // of the family
}

// MaxSets is the most sets that are scored for all variables together. A request for more is taken
// for a mistake.
const MaxSets = 1e7

// Options bounds the sets that are listed.
type Options struct {
	MaxParents int // most parents in a set
	Candidates int // most candidate parents of a variable: those that alone improve its score most; 0 for all variables
	// Slack is how much less than its best subset a set may score and still be listed. At 0, the
	// list holds the sets that are the best choice for some set of predecessors.
	Slack float64
	// Required returns the parents that a variable must have; nil for none. Its last set then is an
	// impossible one without parents, so that an order that puts a required parent last has a
	// score.
	Required func(x int) []int
}

// impossible is the score of a set without required parents. It is finite, so that differences of
// scores are numbers.
const impossible = -1e100

// Check returns an error if the lists would be too long for n variables.
func (o Options) Check(n int) error {
	if o.Candidates < 0 {
		return fmt.Errorf("%d candidate parents; want 1 or more, or 0 for all", o.Candidates)
	}
	from := n - 1
	if o.Candidates > 0 {
		from = min(from, o.Candidates)
	}
	each, choices := 0.0, 1.0
	for k := 0; k <= min(o.MaxParents, from); k++ {
		each += choices
		choices *= float64(from-k) / float64(k+1)
	}
	if total := each * float64(n); total > MaxSets {
		return fmt.Errorf("%d variables with up to %d parents from %d have %.3g families; want at most %.0e: fewer candidates or fewer parents", n, o.MaxParents, from, total, MaxSets)
	}
	return nil
}

// All lists the sets of each variable, best first; ties go to the smaller set, then to the first.
// The best set for given predecessors is the first one that they contain. All returns the error of
// ctx if that ends.
func All(ctx context.Context, s *score.Scorer, o Options, cores int) ([][]Set, error) {
	n := len(s.Counter.Set().Vars)
	if err := o.Check(n); err != nil {
		return nil, err
	}
	lists := make([][]Set, n)
	learner.Each(cores, n, func(x int) {
		var required []int
		if o.Required != nil {
			required = o.Required(x)
		}
		lists[x] = best(o.list(ctx, s, x, n, required), o.Slack)
		if len(required) > 0 {
			lists[x] = append(lists[x], Set{nil, graph.NewSet(n), impossible})
		}
	})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("stopped before the first result: %w", context.Cause(ctx))
	}
	return lists, nil
}

// list scores the parent sets of x, smaller ones first.
func (o Options) list(ctx context.Context, s *score.Scorer, x, n int, required []int) []Set {
	out := []Set{{required, graph.SetOf(n, required...), s.Family(x, required...)}}
	for set := range knownorder.Sets(o.candidates(s, x, n), required, o.MaxParents) {
		if len(out)%64 == 0 && ctx.Err() != nil {
			return nil
		}
		if s.Fits(x, set...) {
			out = append(out, Set{slices.Clone(set), graph.SetOf(n, set...), s.Family(x, set...)})
		}
	}
	return out
}

// candidates returns the variables that may be parents of x, ascending.
func (o Options) candidates(s *score.Scorer, x, n int) []int {
	var from []int
	gain := make([]float64, n)
	for u := range n {
		if u == x || !s.Fits(x, u) {
			continue
		}
		from = append(from, u)
		if o.Candidates > 0 {
			gain[u] = s.Family(x, u)
		}
	}
	if o.Candidates == 0 || len(from) <= o.Candidates {
		return from
	}
	slices.SortStableFunc(from, func(a, b int) int {
		return cmp.Compare(gain[b], gain[a])
	})
	from = from[:o.Candidates]
	slices.Sort(from)
	return from
}

// best keeps the sets that score more than their best subset less the slack, best first. In list,
// smaller sets come before larger ones.
func best(list []Set, slack float64) []Set {
	var kept []Set
	within := make(map[string]float64, len(list)) // by set: the best score of the set and its subsets
	for _, set := range list {
		most := math.Inf(-1)
		for i := range set.Parents {
			rest := slices.Delete(slices.Clone(set.Parents), i, i+1)
			if f, ok := within[key(rest)]; ok {
				most = max(most, f)
			}
		}
		if set.Score > most-slack+score.Tie(set.Score) {
			kept = append(kept, set)
		}
		within[key(set.Parents)] = max(most, set.Score)
	}
	slices.SortStableFunc(kept, func(a, b Set) int { return cmp.Compare(b.Score, a.Score) })
	return kept
}

func key(set []int) string {
	b := make([]byte, 0, 4*len(set))
	for _, v := range set {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return string(b)
}

// First returns the first set of a list that lies within the predecessors.
func First(list []Set, before graph.Set) *Set {
	i := slices.IndexFunc(list, func(s Set) bool { return s.In.Within(before) })
	return &list[i]
}
