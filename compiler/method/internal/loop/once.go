package loop

import "github.com/pgmc-go/pgmc/ir"

// Once makes the only entry of s, which computes exact marginals, an answer to q: a loop that
// converges in its first round, before the blocks of the entry. It leaves out no messages.
func Once(s *ir.Schedule, q *ir.Query, o ir.LoopOptions) {
	l := &Plan{Model: s.Model, Schedule: s}
	l.Zero = l.constant("zero", nil, 0)
	l.Residual, l.Rate, l.Improper = l.Kept("residual"), l.Kept("damping"), l.Kept("improper messages")
	e := &s.Entries[0]
	e.Query, e.Blocks = q, append([]int{len(s.Blocks)}, e.Blocks...)
	s.Blocks = append(s.Blocks, ir.OpBlock{Name: "round", Ops: []ir.Op{l.Clear(), l.Copy(l.Improper, l.Zero)}})
	e.Loop = &ir.OpLoop{End: 1, LoopOptions: o, Residual: l.Residual, Rate: l.Rate, LogP: ir.NoTable, Bound: ir.NoTable, Improper: l.Improper}
}
