package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
)

// ScheduleDead drops the operations with results that no entry uses.
func ScheduleDead(s *ir.Schedule) {
	live := make([][]bool, len(s.Blocks)) // by block and operation
	for b := range s.Blocks {
		live[b] = make([]bool, len(s.Blocks[b].Ops))
	}
	wanted := make([]bool, len(s.Tables))
	reads := func(t ir.TableID, use ir.Use) { wanted[t] = wanted[t] || use.Reads() }
	for _, e := range s.Entries {
		clear(wanted)
		for _, t := range e.Answers() {
			wanted[t] = true
		}
		for i := len(e.Blocks) - 1; i >= 0; i-- {
			ops := s.Blocks[e.Blocks[i]].Ops
			for k := len(ops) - 1; k >= 0; k-- {
				if !e.Repeats() && !needs(ops[k], wanted) { // a round reads the results of the one before
					continue
				}
				live[e.Blocks[i]][k] = true
				ops[k].Tables(reads)
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

// needs reports whether op writes a table that is used, or sets states because it writes no table.
func needs(op ir.Op, wanted []bool) bool {
	tables := ir.WriteTables(op)
	return len(tables) == 0 || slices.ContainsFunc(tables, func(t ir.TableID) bool { return wanted[t] })
}
