package pass

import "github.com/pgmc-go/pgmc/ir"

// ScheduleDead drops the operations whose results no entry uses.
func ScheduleDead(s *ir.Schedule) {
	live := make([][]bool, len(s.Blocks)) // by block and operation
	for b := range s.Blocks {
		live[b] = make([]bool, len(s.Blocks[b].Ops))
	}
	wanted := make([]bool, len(s.Tables))
	for _, e := range s.Entries {
		clear(wanted)
		if e.Root != ir.NoTable {
			wanted[e.Root] = true
		}
		for _, t := range e.Outs {
			wanted[t] = true
		}
		for i := len(e.Blocks) - 1; i >= 0; i-- {
			ops := s.Blocks[e.Blocks[i]].Ops
			for k := len(ops) - 1; k >= 0; k-- {
				if out := ir.Writes(ops[k]); out != ir.NoTable && !wanted[out] && !e.Repeats() { // a round reads what it writes
					continue
				}
				live[e.Blocks[i]][k] = true
				for _, t := range ir.Reads(ops[k]) {
					wanted[t] = true
				}
			}
		}
	}
	for b := range s.Blocks {
		ops := s.Blocks[b].Ops[:0]
		for k, op := range s.Blocks[b].Ops {
			if live[b][k] {
				ops = append(ops, op)
			}
		}
		s.Blocks[b].Ops = ops
	}
}
