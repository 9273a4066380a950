package maxsum

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Bounds of the local search after decoding: moves for each variable, and looks at states in one
// search. The tenure is method tabu's.
const (
	polishMoves = 50
	polishLooks = 1 << 26
	tenureShare = 4
	longTenure  = 100
)

// polish returns the operation that improves the decoded states by local search: see
// pgmrt.PolishStates for its words. Rounds is the number of iterations before.
func (b *plan) polish(rounds ir.TableID) ir.Op {
	n := len(b.Model.Vars)
	var card, scope, vars, stride, factor []int32
	row, reads := []int32{0}, slices.Clone(b.base)
	var tables []ir.TableID
	for v := range b.Model.Vars {
		k := int32(b.Model.Card(model.VarID(v)))
		card, row = append(card, k), append(row, row[v]+k)
	}
	for f, edges := range b.Scope {
		if len(edges) == 0 {
			continue
		}
		step := int32(1)
		steps := make([]int32, len(edges))
		for i, e := range slices.Backward(edges) {
			steps[i] = step
			step *= card[e.Var]
		}
		if b.form[f] != ir.FormTable {
			steps = []int32{1, -1} // the difference, from the least on
		}
		scope = append(scope, int32(len(vars)))
		for i, e := range edges {
			vars, stride, factor = append(vars, int32(e.Var)), append(stride, steps[i]), append(factor, int32(len(tables)))
		}
		tables = append(tables, b.constant[f])
	}
	scope = append(scope, int32(len(vars)))
	first, list := grouped(vars, n)
	all := int(row[n])
	budget := max(1, min(polishMoves*n, polishLooks/max(1, all)))
	words := []int32{int32(n), int32(len(tables)), int32(len(vars)), int32(min(longTenure, 1+n/tenureShare)), int32(budget)}
	op := &ir.KernelOp{Func: "PolishStates", Numbers: slices.Concat(words, card, row, scope, vars, stride, first, list, factor),
		Reads: append(append(reads, tables...), b.most, rounds), Writes: []ir.TableID{b.Value}, Work: max(1, all), Ints: max(1, n+all), Memory: "polish"}
	for v := range b.Model.Vars {
		op.Sets = append(op.Sets, model.VarID(v))
	}
	return op
}

// grouped lists the indices of keys by their key, for n keys: the indices of key i are from
// list[first[i]] to before list[first[i+1]].
func grouped(keys []int32, n int) (first, list []int32) {
	first = make([]int32, n+1)
	for _, k := range keys {
		first[k+1]++
	}
	for i := range n {
		first[i+1] += first[i]
	}
	next := slices.Clone(first)
	list = make([]int32, len(keys))
	for i, k := range keys {
		list[next[k]] = int32(i)
		next[k]++
	}
	return first, list
}
