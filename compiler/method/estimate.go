package method

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Estimate holds the estimated size of a program. It is computed only from the scopes of a
// schedule, so that a program that would not fit costs little. Counts are float64 because they may
// exceed any integer.
type Estimate struct {
	Size
	Queries []QueryEstimate // the size of a program for each query alone
}

// QueryEstimate is the estimated size of a program that answers one query.
type QueryEstimate struct {
	Query *ir.Query
	Size
}

// Size holds the size of a program.
type Size struct {
	Largest  float64 // joint states of the largest clique that an operation loops over
	Entries  float64 // entries of all tables, whether or not they share memory
	Products float64 // multiplications if each operation runs once
	Binary   float64 // those of Products over variables that have at most two states
	// Operations counts multiplications and additions: each product of k tables takes k-1, and one
	// more if it is added to others. Back-ends may take fewer, since they form a product of the
	// tables that an inner loop does not move once.
	Operations float64
	Steps      float64 // number of operations
	Tiles      float64 // like Products, but at most TileProducts per operation: a measure of written-out code
	Work       float64 // float64 numbers of scratch memory: inputs, answers, and the temporaries that are live at one time
	Data       float64 // float64 numbers that operations only read
	States     float64 // int32 numbers of scratch memory: one per variable
	Slices     float64 // how often blocks run, once for each joint state of a cutset; 0 without one
}

// TileProducts is the largest number of products of an operation that back-ends write out as code.
// Loops around that code compute the rest.
const TileProducts = 64

// Bytes returns the size of the program's memory in bytes.
func (s *Size) Bytes() float64 { return 8*s.Work + 8*s.Data + 4*s.States }

// EstimateOf estimates the program of s only from scopes: tables need no numbers.
//
// It ignores the effects of later passes. Multiplying small constants changes the data a little,
// and temporaries do not always fit into each other's places without gaps.
func EstimateOf(s *ir.Schedule) Estimate {
	e := &estimator{s: s, joint: s.JointStates(), size: make([]float64, len(s.Tables))}
	for t := range s.Tables {
		e.size[t] = e.joint(nil, ir.TableID(t))
	}
	var est Estimate
	all := newUsage(s)
	for i := range s.Entries {
		one := newUsage(s)
		e.run(&s.Entries[i], one)
		size := e.sizeOf(one)
		size.repeat(e.slices(&s.Entries[i]))
		est.Queries = append(est.Queries, QueryEstimate{s.Entries[i].Query, size})
		all.add(one)
	}
	est.Size = e.sizeOf(all)
	for _, q := range est.Queries {
		est.Slices = max(est.Slices, q.Slices)
	}
	est.repeat(est.Slices)
	return est
}

// slices returns the number of joint states of the cutset of an entry, or 0 if it has none.
func (e *estimator) slices(entry *ir.ScheduleEntry) float64 {
	if len(entry.Cutset) == 0 {
		return 0
	}
	return e.s.Model.JointStates(entry.Cutset)
}

// repeat makes s the size of a program whose operations run n times; 0 is once.
func (s *Size) repeat(n float64) {
	if s.Slices = n; n > 0 {
		s.Products *= n
		s.Binary *= n
		s.Operations *= n
		s.Steps *= n
	}
}

// The program of a circuit: the least number of operations per block, the largest number of
// operations that become code, and the bytes per operation of the rest, which become instructions
// of the tape.
const (
	circuitBlock   = 512
	circuitCode    = 25_000
	circuitOpBytes = 9
)

// EstimateOfCircuit estimates the program of c. It assumes that every node has a place of its own.
func EstimateOfCircuit(c *ir.Circuit) Estimate {
	est := Estimate{Size: SizeOfCircuit(c)}
	for i, size := range c.EntrySizes() {
		x := QueryEstimate{c.Entries[i].Query, sizeOfPart(c, size)}
		x.Size.Data += walkOf(c, &c.Entries[i])
		est.Queries = append(est.Queries, x)
	}
	return est
}

// SizeOfCircuit is EstimateOfCircuit without the queries, of which there may be many.
func SizeOfCircuit(c *ir.Circuit) Size {
	size := sizeOfPart(c, c.Size())
	for i := range c.Entries {
		size.Data += walkOf(c, &c.Entries[i])
	}
	return size
}

// sizeOfPart returns the size of the program of a part of c.
func sizeOfPart(c *ir.Circuit, s ir.CircuitSize) Size {
	ops := float64(s.Ops)
	return Size{Largest: 1, Entries: ops, Products: ops, Operations: ops, Steps: ops/circuitBlock + 1, Tiles: min(ops, circuitCode),
		Work: float64(s.Nodes), Data: float64(s.Nodes) + max(0, ops-circuitCode)*circuitOpBytes/8, States: float64(len(c.Model.Vars))}
}

// walkOf returns the size of the walk of an MPE or sampling query, and 0 for other queries. It
// takes four bytes for each node's place, four for its number of operands, and four for each
// operand.
func walkOf(c *ir.Circuit, e *ir.CircuitEntry) float64 {
	if e.Query.Kind != ir.MPE && e.Query.Kind != ir.Sample {
		return 0
	}
	s := c.SizeOf([]circuit.Node{e.Root})
	return float64(2*s.Nodes+s.Edges) / 2
}

type estimator struct {
	s     *ir.Schedule
	joint ir.JointStates
	size  []float64 // by table
}

// usage records which operations and tables some entries use.
type usage struct {
	ops    [][]bool // by block and operation
	tables []bool
	peak   float64 // largest number of float64 numbers of temporaries that are live at one time
}

func newUsage(s *ir.Schedule) *usage {
	u := &usage{ops: make([][]bool, len(s.Blocks)), tables: make([]bool, len(s.Tables))}
	for i := range s.Blocks {
		u.ops[i] = make([]bool, len(s.Blocks[i].Ops))
	}
	return u
}

// add merges x into u. The entries of the two never run at the same time, so the peak is the larger
// one.
func (u *usage) add(x *usage) {
	for b := range x.ops {
		for k, used := range x.ops[b] {
			u.ops[b][k] = u.ops[b][k] || used
		}
	}
	for t, used := range x.tables {
		u.tables[t] = u.tables[t] || used
	}
	u.peak = max(u.peak, x.peak)
}

// run records in u what entry uses. It visits operations from last to first: in this direction a
// temporary is live from its last reader to its writer.
func (e *estimator) run(entry *ir.ScheduleEntry, u *usage) {
	live := 0.0
	reads := func(t ir.TableID, use ir.Use) {
		if use.Reads() && !u.tables[t] {
			u.tables[t] = true
			live += e.temporary(t)
		}
	}
	makes := func(t ir.TableID, use ir.Use) {
		if use == ir.Write {
			live -= e.temporary(t)
		}
	}
	if entry.Root != ir.NoTable {
		reads(entry.Root, ir.Read)
	}
	for _, t := range entry.Outs {
		reads(t, ir.Read)
	}
	if entry.Stream != nil {
		for _, t := range entry.Stream.Out {
			reads(t, ir.Read)
		}
	}
	u.peak = max(u.peak, live)
	for i := len(entry.Blocks) - 1; i >= 0; i-- {
		b := entry.Blocks[i]
		for k := len(e.s.Blocks[b].Ops) - 1; k >= 0; k-- {
			op := e.s.Blocks[b].Ops[k]
			if out := ir.WriteTables(op); len(out) > 0 && !entry.Repeats() && // an iteration of a loop reads what the previous one wrote
				!slices.ContainsFunc(out, func(t ir.TableID) bool { return u.tables[t] }) {
				continue
			}
			u.ops[b][k] = true
			op.Tables(reads)
			u.peak = max(u.peak, live)
			if _, ok := op.(ir.NestOp); ok {
				op.Tables(makes)
			}
		}
	}
}

// temporary returns the size of t if it shares memory with other tables, and 0 otherwise.
func (e *estimator) temporary(t ir.TableID) float64 {
	if e.s.Tables[t].Role != ir.RoleTemp {
		return 0
	}
	return e.size[t]
}

// binary reports whether no table of op has a variable of more than two states.
func (e *estimator) binary(op ir.Op) bool {
	two := true
	op.Tables(func(t ir.TableID, _ ir.Use) {
		two = two && !slices.ContainsFunc(e.s.Tables[t].Scope, func(v model.VarID) bool { return e.s.Model.Width(v) > 2 })
	})
	return two
}

// terms returns the multiplications and additions of each of the n products of op.
func (e *estimator) terms(op ir.Op, n float64) float64 {
	m, ok := op.(ir.Multiplier)
	if !ok {
		return 1
	}
	terms := float64(len(*m.Operands()) - 1)
	for _, t := range ir.WriteTables(op) {
		if e.size[t] < n {
			return terms + 1
		}
	}
	return max(1, terms)
}

func (e *estimator) sizeOf(u *usage) Size {
	s := Size{Work: u.peak, States: float64(len(e.s.Model.Vars))}
	for b := range u.ops {
		for k, used := range u.ops[b] {
			if !used {
				continue
			}
			s.Steps++
			if op, ok := e.s.Blocks[b].Ops[k].(*ir.KernelOp); ok {
				s.Work += float64(op.Work)
				s.States += float64(op.Ints)
			}
			n := e.s.Blocks[b].Ops[k].Products(e.joint, &e.s.Blocks[b])
			s.Products += n
			if e.binary(e.s.Blocks[b].Ops[k]) {
				s.Binary += n
			}
			s.Operations += n * e.terms(e.s.Blocks[b].Ops[k], n)
			s.Tiles += min(n, TileProducts)
			s.Largest = max(s.Largest, n)
		}
	}
	for t, used := range u.tables {
		if !used {
			continue
		}
		s.Entries += e.size[t]
		switch e.s.Tables[t].Role {
		case ir.RoleConst, ir.RoleParam, ir.RoleLogs, ir.RoleSigned:
			s.Data += e.size[t]
		case ir.RoleIn, ir.RoleOut, ir.RolePersistent:
			s.Work += e.size[t]
		}
	}
	return s
}
