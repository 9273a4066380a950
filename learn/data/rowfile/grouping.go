package rowfile

import (
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// grouping collects rows into sequences by the texts of a column.
type grouping struct {
	names  *SequenceNames
	of     []int
	number map[string]int
}

// newGrouping returns the grouping of opt; nil if rows are independent.
func newGrouping(r *Reader, opt *LoadOptions) (*grouping, error) {
	if !opt.Slices {
		return nil, nil
	}
	names, err := r.SequenceNames(opt.Sequence)
	return &grouping{names: names, number: map[string]int{}}, err
}

// add adds a row.
func (g *grouping) add(rec *data.Record) error {
	name, err := g.names.Of(rec)
	if err != nil {
		return err
	}
	k, ok := g.number[name]
	if !ok {
		k = len(g.number)
		g.number[name] = k
	}
	g.of = append(g.of, k)
	return nil
}

// apply returns the set with the rows of each sequence together, in the order of their first rows.
func (g *grouping) apply(s *data.Set) (*data.Set, error) {
	order := make([]int, len(g.of))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return g.of[a] - g.of[b] })
	if !slices.IsSorted(order) {
		s = s.Subset(order)
	}
	var first []int
	for i, row := range order {
		if i == 0 || g.of[row] != g.of[order[i-1]] {
			first = append(first, i)
		}
	}
	return s.InSequences(first)
}
