package jointree

import "github.com/pgmc-go/pgmc/ir"

// picks plans the choice of states after the upward pass u, from the roots down. If u maximizes, it
// chooses the best state of each variable that u maximizes over; otherwise it draws a state of
// every variable. When a variable is chosen, the other variables of its bucket have their states.
func (b *builder) picks(name string, u *upward) int {
	if i, ok := b.block[name]; ok {
		return i
	}
	var ops []ir.Op
	order := u.f.tree.PostOrder()
	for i := len(order) - 1; i >= 0; i-- {
		v, mode := u.f.tree.Buckets[order[i]].Var, ir.PickDraw
		if u.max != nil {
			mode = ir.PickMax
		}
		if mode == ir.PickDraw || u.max[v] {
			ops = append(ops, &ir.PickOp{Var: v, In: u.operands[order[i]], Mode: mode})
		}
	}
	b.s.Blocks = append(b.s.Blocks, ir.OpBlock{Name: name, Order: u.f.tree.Order(), Ops: ops})
	b.block[name] = len(b.s.Blocks) - 1
	return b.block[name]
}
