package ir_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The tables of chainSchedule by number.
const (
	likelihoodA ir.TableID = iota
	likelihoodB
	priorA
	givenA
	message
	posteriorB
	total
	best
	top
	posteriorA
)

// chainSchedule returns a schedule for queries of every kind on a -> b, with two and three states.
func chainSchedule() *ir.Schedule {
	m := &model.Model{Name: "chain"}
	a, b := m.NewVar("a", "a0", "a1").ID, m.NewVar("b", "b0", "b1", "b2").ID
	vars := func(vs ...model.VarID) []model.VarID { return vs }
	contract := func(out ir.TableID, reduce ir.Reduce, in ...ir.TableID) ir.Op {
		return &ir.ContractOp{Out: out, In: in, Reduce: reduce}
	}
	return &ir.Schedule{Model: m,
		Tables: []ir.Table{
			likelihoodA: {Name: "λ a", Scope: vars(a), Role: ir.RoleIn, Var: a},
			likelihoodB: {Name: "λ b", Scope: vars(b), Role: ir.RoleIn, Var: b},
			priorA:      {Name: "P(a)", Scope: vars(a), Role: ir.RoleConst, Var: -1, Data: []float64{.25, .75}},
			givenA:      {Name: "P(b | a)", Scope: vars(a, b), Role: ir.RoleParam, Var: -1, Data: []float64{.5, .25, .25, 0, 0, 1}},
			message:     {Name: "{a} → {b}", Scope: vars(b), Role: ir.RoleTemp, Var: -1},
			posteriorB:  {Name: "P(b | evidence)", Scope: vars(b), Role: ir.RoleOut, Var: b},
			total:       {Name: "sum", Role: ir.RoleTemp, Var: -1},
			best:        {Name: "best", Scope: vars(a), Role: ir.RoleTemp, Var: -1},
			top:         {Name: "top", Role: ir.RoleTemp, Var: -1},
			posteriorA:  {Name: "P(a | b)", Scope: vars(a), Role: ir.RoleOut, Var: a},
		},
		Blocks: []ir.OpBlock{
			{Name: "up", Order: vars(a, b), Ops: []ir.Op{
				contract(message, ir.ReduceSum, priorA, likelihoodA, givenA),
				contract(posteriorB, ir.ReduceNone, message, likelihoodB),
				contract(total, ir.ReduceSum, posteriorB),
				&ir.NormalizeOp{Table: posteriorB},
			}},
			{Name: "best", Order: vars(a, b), Ops: []ir.Op{
				contract(best, ir.ReduceMax, priorA, likelihoodA, givenA, likelihoodB),
				contract(top, ir.ReduceMax, best),
				&ir.PickOp{Var: a, In: []ir.TableID{best}},
				&ir.PickOp{Var: b, In: []ir.TableID{givenA, likelihoodB}},
			}},
			{Name: "signature", Fixed: vars(b), Ops: []ir.Op{contract(posteriorA, ir.ReduceNone, priorA, givenA), &ir.NormalizeOp{Table: posteriorA}}},
		},
		Entries: []ir.ScheduleEntry{
			{Query: &ir.Query{Name: "b", Kind: ir.Posterior, Targets: vars(b)}, Blocks: []int{0}, Root: total, Outs: []ir.TableID{posteriorB}},
			{Query: &ir.Query{Name: "mpe", Kind: ir.MPE}, Blocks: []int{1}, Root: top},
			{Query: &ir.Query{Name: "sig", Kind: ir.Signature, Targets: vars(a), Evidence: vars(b)}, Blocks: []int{2}, Root: ir.NoTable, Outs: []ir.TableID{posteriorA}},
		},
	}
}

func TestScheduleVerify(t *testing.T) {
	op := func(s *ir.Schedule, block, op int) *ir.ContractOp { return s.Blocks[block].Ops[op].(*ir.ContractOp) }
	for _, c := range []struct {
		name string
		edit func(s *ir.Schedule)
		want string // empty if there is no error
	}{
		{"good", func(s *ir.Schedule) {}, ""},
		{"one state is neither kept nor reduced", func(s *ir.Schedule) {
			c := s.Model.NewVar("c", "c0").ID
			s.Tables[message].Scope, s.Blocks[0].Order = []model.VarID{1, c}, []model.VarID{0, 1, c}
		}, ""},

		// tables
		{"role", func(s *ir.Schedule) { s.Tables[0].Role = 9 }, `table t0 "λ a": unknown role: 9`},
		{"variable out of range", func(s *ir.Schedule) { s.Tables[message].Scope[0] = 2 }, `table t4 "{a} → {b}": scope names v2 of 2`},
		{"negative variable", func(s *ir.Schedule) { s.Tables[message].Scope[0] = -1 }, `scope names v-1 of 2`},
		{"variable twice", func(s *ir.Schedule) { s.Tables[givenA].Scope[1] = 0 }, `table t3 "P(b | a)": scope names "a" twice`},
		{"length of data", func(s *ir.Schedule) { s.Tables[givenA].Data = nil }, `it has 0 numbers of data; want 6`},
		{"negative data", func(s *ir.Schedule) { s.Tables[priorA].Data[1] = -1 }, `number 1 of its data is -1; want a finite number`},
		{"infinite data", func(s *ir.Schedule) { s.Tables[priorA].Data[0] = math.Inf(1) }, `number 0 of its data is +Inf`},
		{"data of a temporary", func(s *ir.Schedule) { s.Tables[total].Data = []float64{1} }, `temp has data; want none`},
		{"input over two variables", func(s *ir.Schedule) { s.Tables[likelihoodA].Scope = []model.VarID{0, 1} }, `in is over [0 1]; want only variable v0`},
		{"output of another variable", func(s *ir.Schedule) { s.Tables[posteriorB].Var = 0 }, `out is over [1]; want only variable v0`},
		{"temporary of a variable", func(s *ir.Schedule) { s.Tables[total].Var = 0 }, `temp belongs to variable v0; want an input or output`},
		{"too large", func(s *ir.Schedule) {
			s.Tables[message].Scope = nil
			for range 32 {
				s.Tables[message].Scope = append(s.Tables[message].Scope, s.Model.NewVar("x", "0", "1").ID)
			}
		}, `has e^22.2 entries; want at most 2147483647`},

		// operations
		{"operand out of range", func(s *ir.Schedule) { op(s, 0, 2).In[0] = 99 }, `block 0 "up" operation 2: uses table t99 of 10`},
		{"result out of range", func(s *ir.Schedule) { op(s, 0, 2).Out = ir.NoTable }, `uses table t-1 of 10`},
		{"writes an input", func(s *ir.Schedule) { op(s, 0, 1).Out = likelihoodB }, `writes table t1, which is in`},
		{"writes a constant", func(s *ir.Schedule) { s.Blocks[0].Ops[3] = &ir.NormalizeOp{Table: priorA} }, `writes table t2, which is const`},
		{"writes a parameter", func(s *ir.Schedule) { s.Blocks[0].Ops[3] = &ir.NormalizeOp{Table: givenA} }, `writes table t3, which is param`},
		{"result among the operands", func(s *ir.Schedule) { op(s, 0, 1).In[0] = posteriorB }, `t5 is both the result and an operand`},
		{"result not covered", func(s *ir.Schedule) { op(s, 0, 0).In = []ir.TableID{priorA} }, `result t4 has "b", which no operand has`},
		{"result over a fixed variable", func(s *ir.Schedule) { op(s, 2, 0).Out = posteriorB }, `result t5 has "b", which is fixed`},
		{"product that reduces", func(s *ir.Schedule) { op(s, 0, 0).Reduce = ir.ReduceNone }, `a product whose result lacks a variable of its operands`},
		{"sum over nothing", func(s *ir.Schedule) { op(s, 0, 1).Reduce = ir.ReduceSum }, `a sum over nothing`},
		{"sum over fixed variables", func(s *ir.Schedule) { op(s, 2, 0).Reduce = ir.ReduceSum }, `a sum over nothing`},
		{"reduction", func(s *ir.Schedule) { op(s, 0, 0).Reduce = 9 }, `no such reduction: 9`},
		{"picked variable", func(s *ir.Schedule) { s.Blocks[1].Ops[2].(*ir.PickOp).Var = 7 }, `block 1 "best" operation 2: pick names v7 of 2`},
		{"mode", func(s *ir.Schedule) { s.Blocks[1].Ops[2].(*ir.PickOp).Mode = 7 }, `no such mode of choosing: 7`},
		{"pick from nowhere", func(s *ir.Schedule) { s.Blocks[1].Ops[2].(*ir.PickOp).In[0] = 70 }, `uses table t70 of 10`},
		{"operation", func(s *ir.Schedule) { s.Blocks[1].Ops[2] = nil }, `unknown operation <nil>`},
		{"fixed twice", func(s *ir.Schedule) { s.Blocks[2].Fixed = []model.VarID{1, 1} }, `block 2 "signature": fixed names "b" twice`},
		{"order of nowhere", func(s *ir.Schedule) { s.Blocks[0].Order = []model.VarID{5} }, `block 0 "up": order names v5 of 2`},
		{"against the order", func(s *ir.Schedule) { s.Tables[3].Role = ir.RoleConst; s.Blocks[0].Order = []model.VarID{1, 0} }, `t3 has "b" at a place other than in the order of the block`},
		{"not in the order", func(s *ir.Schedule) { s.Tables[3].Role = ir.RoleConst; s.Blocks[1].Order = []model.VarID{0} }, `t3 has "b" at a place other than in the order of the block`},

		// entries
		{"no query", func(s *ir.Schedule) { s.Entries[0].Query = nil }, `entry 0: it has no query`},
		{"two of a name", func(s *ir.Schedule) { s.Entries[1].Query.Name = "b" }, `entry "b": another query has the same name`},
		{"block out of range", func(s *ir.Schedule) { s.Entries[1].Blocks[0] = 3 }, `runs block 3 of 3`},
		{"no root", func(s *ir.Schedule) { s.Entries[1].Root = ir.NoTable }, `there is no root; want one, except for a signature`},
		{"root of several numbers", func(s *ir.Schedule) { s.Entries[1].Root = best }, `root t7 is over [0]; want one number`},
		{"root out of range", func(s *ir.Schedule) { s.Entries[1].Root = 99 }, `uses table t99 of 10`},
		{"output that is none", func(s *ir.Schedule) { s.Entries[0].Outs[0] = message }, `output t4 is temp`},
		{"output of another variable", func(s *ir.Schedule) { s.Entries[0].Outs[0] = posteriorA }, `output t9 is over [0]; want the target, [1]`},
		{"output twice", func(s *ir.Schedule) {
			s.Entries[0].Query.Kind = ir.Marginals
			s.Entries[0].Outs = []ir.TableID{posteriorB, posteriorB}
		}, `output t5 is listed twice`},
		{"target out of range", func(s *ir.Schedule) { s.Entries[0].Query.Targets[0] = 9 }, `query names v9 of 2`},

		// runs
		{"reads before it writes", func(s *ir.Schedule) {
			ops := s.Blocks[0].Ops
			ops[0], ops[1] = ops[1], ops[0]
		}, `entry "b": block 0 "up" operation 0: reads t4, which was not written yet`},
		{"normalizes nothing", func(s *ir.Schedule) { s.Blocks[2].Ops = s.Blocks[2].Ops[1:] }, `reads t9, which was not written yet`},
		{"root never computed", func(s *ir.Schedule) { s.Entries[1].Root = total }, `entry "mpe": after its blocks: reads t6`},
		{"output never computed", func(s *ir.Schedule) { s.Entries[2].Blocks = nil }, `entry "sig": after its blocks: reads t9`},
		{"no state yet", func(s *ir.Schedule) { s.Entries[2].Query.Evidence = nil }, `entry "sig": block 2 "signature": "b" has no state yet`},
		{"picks in the wrong order", func(s *ir.Schedule) {
			ops := s.Blocks[1].Ops
			ops[2], ops[3] = ops[3], ops[2]
		}, `entry "mpe": block 1 "best" operation 2: "a" has no state yet`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := chainSchedule()
			c.edit(s)
			err := s.Verify()
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}
