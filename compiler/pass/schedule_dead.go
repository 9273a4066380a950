package pass

import "github.com/pgmc-go/pgmc/ir"

// ScheduleDead drops the operations whose results no entry uses.
func ScheduleDead(s *ir.Schedule) {
	type use struct{ block, op int }
	live := map[use]bool{}
	for _, e := range s.Entries {
		wanted := map[ir.TableID]bool{e.Root: true}
		for _, t := range e.Outs {
			wanted[t] = true
		}
		for i := len(e.Blocks) - 1; i >= 0; i-- {
			ops := s.Blocks[e.Blocks[i]].Ops
			for k := len(ops) - 1; k >= 0; k-- {
				if out := ir.Writes(ops[k]); out != ir.NoTable && !wanted[out] {
					continue
				}
				live[use{e.Blocks[i], k}] = true
				for _, t := range ir.Reads(ops[k]) {
					wanted[t] = true
				}
			}
		}
	}
	for b := range s.Blocks {
		var ops []ir.Op
		for k, op := range s.Blocks[b].Ops {
			if live[use{b, k}] {
				ops = append(ops, op)
			}
		}
		s.Blocks[b].Ops = ops
	}
}
