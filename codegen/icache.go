package codegen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/backend"
)

// icachePenaltyNS is what the straight-line code of a query costs beyond the prices of its blocks.
// The price of a block holds for the block alone; all blocks of the query share the cache of
// instructions.
func icachePenaltyNS(blocks []int, cost func(block int) backend.Cost) (ns float64) {
	total := 0
	for _, b := range blocks {
		total += cost(b).Straight
	}
	together := backend.StraightNS(total)
	for _, b := range blocks {
		n := cost(b).Straight
		ns += float64(n) * (together - backend.StraightNS(n))
	}
	return ns
}

// maxThinned is how many sets of blocks are weighed.
const maxThinned = 200

// thin bars blocks from their back-end of straight text where the queries that run them are faster
// without: first those that lose least for an operation, then as many more as make the sum of the
// times of all queries least. One block alone seldom changes anything; that the rest fits the cache
// again does.
func (c *chooser) thin() {
	chosen := make([]int, len(c.costs))
	var straight []int
	for i := range chosen {
		chosen[i] = c.best(i)
		if chosen[i] >= 0 && c.costs[i][chosen[i]].Straight > 0 && c.gain(i, chosen[i]) < nothingElse {
			straight = append(straight, i)
		}
	}
	gains := make([]float64, len(chosen))
	for _, i := range straight {
		gains[i] = c.gain(i, chosen[i])
	}
	slices.SortStableFunc(straight, func(i, j int) int { return cmp.Compare(gains[i], gains[j]) })
	queries := c.queries()
	least, upTo := c.totalNS(queries, chosen), 0
	for n, i := range straight {
		c.barred[i][chosen[i]] = true
		chosen[i] = c.best(i)
		if n%(len(straight)/maxThinned+1) > 0 {
			continue
		}
		if ns := c.totalNS(queries, chosen); ns < least {
			least, upTo = ns, n+1
		}
	}
	for _, i := range straight[upTo:] {
		for k := range c.barred[i] {
			c.barred[i][k] = false
		}
	}
}

// queries are the lists of blocks that entries run, each once.
func (c *chooser) queries() (list [][]int) {
	seen := map[string]bool{}
	for _, e := range c.p.Entries {
		var key strings.Builder
		for _, b := range e.Blocks {
			key.WriteRune(rune(b))
		}
		if !seen[key.String()] {
			seen[key.String()] = true
			list = append(list, e.Blocks)
		}
	}
	return list
}

// totalNS is the time of all queries.
func (c *chooser) totalNS(queries [][]int, chosen []int) (ns float64) {
	cost := func(b int) backend.Cost {
		if chosen[b] < 0 {
			return backend.Cost{}
		}
		return c.costs[b][chosen[b]]
	}
	for _, blocks := range queries {
		for _, b := range blocks {
			ns += cost(b).NS
		}
		ns += icachePenaltyNS(blocks, cost)
	}
	return ns
}
