package choose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir/price"
)

// icachePenaltyNS returns the time that the straight-line code of a query costs beyond the
// predicted times of its blocks. The predicted time of a block assumes that only the block runs,
// but all blocks of the query share the instruction cache. Code for vectors fills it too, though
// its own time does not depend on the contents of the cache (measured from 16 to 94 KB).
func icachePenaltyNS(blocks []int, cost func(block int) backend.Cost) (ns float64) {
	total := 0
	for _, b := range blocks {
		total += cost(b).Straight + cost(b).Beside
	}
	together := price.StraightOp(total)
	for _, b := range blocks {
		n := cost(b).Straight
		ns += float64(n) * (together - price.StraightOp(n))
	}
	return ns
}

// maxThinned bounds the number of sets of blocks that thin evaluates.
const maxThinned = 200

// thin excludes blocks from the back-end for straight-line code if the queries that run them are
// faster without it. It removes blocks in the order of the time that the back-end saves on them for
// each operation, least first, and keeps the set that makes the total time of all queries smallest.
// A single block seldom changes much: the gain comes when the remaining code fits the instruction
// cache.
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

// queries returns the lists of blocks that entries run, each once.
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

// totalNS returns the predicted time of all queries.
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
