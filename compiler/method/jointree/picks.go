package jointree

import "github.com/pgmc-go/pgmc/ir"

// picks plans the choice of a state of every variable after the pass up u, from the roots down: when the turn of a variable comes,
// the rest of its bucket has its states.
func (b *builder) picks(name string, mode ir.PickMode, u *upward) int {
	if i, ok := b.block[name]; ok {
		return i
	}
	var ops []ir.Op
	order := u.f.tree.PostOrder()
	for i := len(order) - 1; i >= 0; i-- {
		bucket := order[i]
		ops = append(ops, &ir.PickOp{Var: u.f.tree.Buckets[bucket].Var, In: u.operands[bucket], Mode: mode})
	}
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: name, Order: u.f.tree.Order(), Ops: ops})
	b.block[name] = len(b.s.Blocks) - 1
	return b.block[name]
}
