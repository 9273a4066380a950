package jointree

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/contraction"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maySlice reports whether a query of a kind about p may be answered by slices.
func maySlice(p *ir.Problem, kind ir.QueryKind) bool {
	switch kind {
	case ir.Marginals, ir.Posterior, ir.LogProb:
		return mayPair(p) && p.Params == ir.Const
	}
	return false
}

// sliced is a contraction tree, and the variables that are fixed for it.
type sliced struct {
	tree *contraction.Tree
	cut  []model.VarID
}

// sliceShare is the share of the memory for the results of a contraction tree. Inputs, answers and
// gaps between tables take some of the rest.
const sliceShare = .8

// search finds a contraction tree that improves order. With inSlices set, it fixes as many
// variables as the memory that the factors leave wants; none if no cutset suffices.
func (b *builder) search(n *contraction.Network, order []int) *sliced {
	found := &sliced{tree: contraction.New(n, order)}
	found.tree.Stop = func() bool { return b.ctx.Err() != nil }
	found.tree.Anneal(pairsSeed)
	if b.ctx.Lasting {
		found.tree.Center()
	}
	if !b.inSlices {
		return found
	}
	numbers := float64(b.ctx.MaxMem) / 8
	for _, f := range b.all() {
		numbers -= b.p.Model.JointStates(b.factorScope(f))
	}
	fits := func(c contraction.Cost) bool {
		return c.Numbers <= sliceShare*numbers && c.Largest <= float64(b.ctx.MaxTable)
	}
	whole := slices.Clone(n.States)
	cut, ok := found.tree.Slice(fits, func(int) bool { return true }, pairsSeed)
	if !ok {
		n.States = whole
		return &sliced{tree: contraction.New(n, order)}
	}
	for _, v := range cut {
		found.cut = append(found.cut, model.VarID(v))
	}
	slices.Sort(found.cut)
	return found
}

// cutOuts adds a block that sets the posterior of each variable of the cutset to its likelihood,
// which has the states that are possible. The sums over slices replace it.
func (b *builder) cutOuts() {
	if len(b.cut) == 0 {
		return
	}
	var ops []ir.Op
	for _, v := range b.cut {
		if in, ok := b.lambda[v]; ok {
			out := b.add(ir.Table{Name: "P(" + b.p.Model.Vars[v].Name + " | evidence)", Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v})
			ops = append(ops, &ir.ContractOp{Out: out, In: []ir.TableID{in}, Reduce: ir.ReduceNone})
			b.out[v] = out
		}
	}
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: "cutset", Order: b.main.tree.Order(), Ops: ops})
	b.block["cutset"] = len(b.s.Blocks) - 1
}

// slice makes e run once for each joint state of the cutset.
func (b *builder) slice(e *ir.ScheduleEntry) {
	if e.Cutset = b.cut; len(b.cut) > 0 && e.Outs != nil {
		e.Blocks = append(e.Blocks, b.block["cutset"])
	}
}
