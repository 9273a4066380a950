package maxsum

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// tableAll gives all factors a table, if there are subgradient steps.
func (b *plan) tableAll(steps int) {
	for f, edges := range b.Scope {
		if steps > 0 && len(edges) > 0 {
			b.tabled(f)
		}
	}
}

// ascend returns the operation that takes subgradient steps once the bound stalls, and rounds the
// choices of factors: see pgmrt.AscendDual for its words.
func (b *plan) ascend(steps int, run *ir.IncumbentNumbers[ir.TableID]) ir.Op {
	n := len(b.Model.Vars)
	var card, scope, vars, stride []int32
	row, at, cell := []int32{0}, []int32{0}, []int32{0}
	var moving, constant, messages, own []ir.TableID
	for v := range b.Model.Vars {
		k := int32(b.Model.Card(b.Model.Vars[v].ID))
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
		scope, cell = append(scope, int32(len(vars))), append(cell, cell[len(cell)-1]+step)
		for i, e := range edges {
			vars, stride, at = append(vars, int32(e.Var)), append(stride, steps[i]), append(at, at[len(at)-1]+card[e.Var])
			t := b.Kept("subgradient's "+b.Arrow(b.Model.Vars[e.Var].Name, b.Model.FactorName(b.Model.Factors[f])), e.Var)
			b.Start = append(b.Start, b.zeroMessage(t))
			messages, own = append(messages, e.ToFactor), append(own, t)
		}
		changes := ir.NoTable
		if b.energy[f] != b.constant[f] {
			changes = b.energy[f]
		}
		moving, constant = append(moving, changes), append(constant, b.constant[f])
	}
	scope = append(scope, int32(len(vars)))
	first, list := grouped(vars, n)
	factors := len(moving)
	words := []int32{int32(n), int32(factors), int32(len(vars)), int32(steps)}
	op := &ir.KernelOp{Func: "AscendDual", Numbers: slices.Concat(words, card, row, scope, vars, stride, at, cell, first, list),
		Reads:  slices.Concat(b.base, moving, constant, []ir.TableID{run.Gain, run.Least, run.BoundBefore, run.Rounds}),
		Writes: slices.Concat([]ir.TableID{b.Residual, b.Value}, messages, own),
		Work:   int(row[n] + at[len(vars)]), Ints: int(cell[factors]) + 2*n + factors + 1, Memory: "ascend"}
	for v := range b.Model.Vars {
		op.Sets = append(op.Sets, b.Model.Vars[v].ID)
	}
	return op
}
