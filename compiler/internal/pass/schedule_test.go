package pass_test

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// scheduleCases lists the schedules on which passes are tested, by pass and name. The text form of
// a schedule has no parser: testdata/PASS/NAME.txtar has the printed schedule as "in", and the
// printed result of the pass as "out". The first line of an archive says whether the pass fires or
// must not fire.
var scheduleCases = map[string]func(s *sketch){
	"schedule-dead/unused": func(s *sketch) {
		f, root := s.constant("f", 1, 2, 3, 4, 5, 6), s.temp("root")
		half, unused := s.temp("half", 0, 1), s.temp("unused", 0)
		s.block("up", s.sum(root, f), s.product(half, f), s.sum(unused, half))
		s.entry(ir.LogProb, root)
	},
	"schedule-dead/blocks": func(s *sketch) {
		f, root, message := s.constant("f", 1, 2, 3, 4, 5, 6), s.temp("root"), s.temp("message", 1)
		out := s.add(ir.Table{Name: "P(b | evidence)", Scope: []model.VarID{1}, Role: ir.RoleOut, Var: 1})
		s.block("up", s.sum(message, f), s.sum(root, message))
		s.block("down", s.product(out, message), &ir.NormalizeOp{Table: out})
		s.entry(ir.LogProb, root)
		s.Entries[0].Blocks = s.Entries[0].Blocks[:1]
	},
	"schedule-dead/used": func(s *sketch) {
		f, root, message := s.constant("f", 1, 2, 3, 4, 5, 6), s.temp("root"), s.temp("message", 1)
		out := s.add(ir.Table{Name: "P(b | evidence)", Scope: []model.VarID{1}, Role: ir.RoleOut, Var: 1})
		s.block("up", s.sum(message, f), s.sum(root, message))
		s.block("down", s.product(out, message), &ir.NormalizeOp{Table: out})
		s.entry(ir.LogProb, root)
		s.Entries[0].Blocks = s.Entries[0].Blocks[:1]
		s.entry(ir.Marginals, root, out)
	},
	"schedule-dead/states": func(s *sketch) {
		f, g, root := s.constant("f", 1, 2, 3, 4, 5, 6), s.temp("max of f", 0), s.temp("root")
		s.block("up", &ir.ContractOp{Out: g, In: []ir.TableID{f}, Reduce: ir.ReduceMax},
			&ir.ContractOp{Out: root, In: []ir.TableID{g}, Reduce: ir.ReduceMax})
		s.block("down", &ir.PickOp{Var: 0, In: []ir.TableID{g}}, &ir.PickOp{Var: 1, In: []ir.TableID{f}})
		s.entry(ir.MPE, root)
	},
	"schedule-dead/loop": func(s *sketch) {
		f, one := s.constant("f", 1, 2, 3, 4, 5, 6), s.add(ir.Table{Name: "one", Scope: []model.VarID{1}, Role: ir.RoleConst, Var: -1, Data: []float64{1, 1, 1}})
		kept := func(name string, vars ...model.VarID) ir.TableID {
			return s.add(ir.Table{Name: name, Scope: vars, Role: ir.RolePersistent, Var: -1})
		}
		message, back := kept("message", 1), kept("back", 0)
		rate, residual, logP, possible := kept("rate"), kept("residual"), kept("ln P"), kept("possible")
		out := s.add(ir.Table{Name: "P(b | evidence)", Scope: []model.VarID{1}, Role: ir.RoleOut, Var: 1})
		s.block("start", s.product(message, one))
		s.block("round", s.sum(back, f, message)) // back is the message of the round before
		s.block("round", s.product(message, one))
		s.block("end", s.product(out, message))
		s.entry(ir.Beliefs, possible, out)
		s.Entries[0].Loop = &ir.OpLoop{First: 1, End: 3, LoopOptions: ir.LoopOptions{Iterations: 5}, Rate: rate, Residual: residual, LogP: logP, Bound: ir.NoTable, Improper: ir.NoTable}
	},
	"schedule-fold/constants": func(s *sketch) {
		l := s.add(ir.Table{Name: "λ a", Scope: []model.VarID{0}, Role: ir.RoleIn, Var: 0})
		f, g, root := s.constant("f", 1, 2, 3, 4, 5, 6), s.constantOf("g", []model.VarID{1}, 1, 0, 10), s.temp("root")
		s.block("up", s.sum(root, f, l, g))
		s.entry(ir.LogProb, root)
	},
	"schedule-fold/shared": func(s *sketch) {
		f, g := s.constant("f", 1, 2, 3, 4, 5, 6), s.constantOf("g", []model.VarID{1}, 1, 0, 10)
		root, message := s.temp("root"), s.temp("message", 0)
		s.block("up", s.sum(message, f, g), s.sum(root, f, g, message))
		s.entry(ir.LogProb, root)
	},
	"schedule-fold/one": func(s *sketch) {
		f, message, root := s.constant("f", 1, 2, 3, 4, 5, 6), s.temp("message", 1), s.temp("root")
		s.block("up", s.sum(message, f), s.sum(root, f, message))
		s.entry(ir.LogProb, root)
	},
	"schedule-fold/underflow": func(s *sketch) {
		f, g := s.constant("f", 1e-200, 2, 3, 4, 5, 6), s.constantOf("g", []model.VarID{1}, 1e-200, 0, 10)
		root := s.temp("root")
		s.block("up", s.sum(root, g, f))
		s.entry(ir.LogProb, root)
	},
	"schedule-fold/parameters": func(s *sketch) {
		f, g := s.constant("f", 1, 2, 3, 4, 5, 6), s.constantOf("g", []model.VarID{1}, 1, 0, 10)
		s.Tables[f].Role, s.Tables[g].Role, s.Tables[g].Factor, s.Params = ir.RoleParam, ir.RoleParam, 1, ir.Var
		root := s.temp("root")
		s.block("up", s.sum(root, f, g))
		s.entry(ir.LogProb, root)
	},
	"schedule-fold/large": func(s *sketch) {
		c, d := s.variable("c", 9), s.variable("d", 9)
		ones := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}
		f, g := s.constantOf("f", []model.VarID{c}, ones...), s.constantOf("g", []model.VarID{d}, ones...)
		root := s.temp("root")
		s.block("up", s.sum(root, f, g))
		s.entry(ir.LogProb, root)
	},
	"lower/sum": func(s *sketch) {
		l := s.add(ir.Table{Name: "λ a", Scope: []model.VarID{0}, Role: ir.RoleIn, Var: 0})
		f, g, root := s.constant("f", 1, 2, 3, 4, 5, 6), s.constantOf("g", []model.VarID{1}, 1, 0, 10), s.temp("root")
		message := s.temp("message", 1)
		out := s.add(ir.Table{Name: "P(b | evidence)", Scope: []model.VarID{1}, Role: ir.RoleOut, Var: 1})
		s.block("up", s.sum(message, f, l, g), s.sum(root, message))
		s.block("down", s.product(out, message), &ir.NormalizeOp{Table: out})
		s.entry(ir.Marginals, root, out)
	},
	"lower/states": func(s *sketch) {
		f, g, root := s.constant("f", 1, 2, 3, 4, 5, 6), s.temp("max of f", 0), s.temp("root")
		s.block("up", &ir.ContractOp{Out: g, In: []ir.TableID{f}, Reduce: ir.ReduceMax},
			&ir.ContractOp{Out: root, In: []ir.TableID{g}, Reduce: ir.ReduceMax})
		s.block("down", &ir.PickOp{Var: 0, In: []ir.TableID{g}}, &ir.PickOp{Var: 1, In: []ir.TableID{f}})
		s.entry(ir.MPE, root)
	},
}

// sketch builds a schedule over a, with two states, and b, with three.
type sketch struct{ *ir.Schedule }

func newSketch() *sketch {
	s := &sketch{&ir.Schedule{Model: &model.Model{Name: "m"}}}
	s.variable("a", 2)
	s.variable("b", 3)
	return s
}

// variable adds a variable of n states.
func (s *sketch) variable(name string, n int) model.VarID {
	states := make([]string, n)
	for i := range states {
		states[i] = strconv.Itoa(i)
	}
	return s.Model.NewVar(name, states...).ID
}

// add adds a table.
func (s *sketch) add(t ir.Table) ir.TableID {
	s.Tables = append(s.Tables, t)
	return ir.TableID(len(s.Tables) - 1)
}

// constant adds a table of constants over a and b.
func (s *sketch) constant(name string, data ...float64) ir.TableID {
	return s.constantOf(name, []model.VarID{0, 1}, data...)
}

// constantOf adds a table of constants.
func (s *sketch) constantOf(name string, scope []model.VarID, data ...float64) ir.TableID {
	return s.add(ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1, Data: data})
}

// temp adds a table that an operation fills.
func (s *sketch) temp(name string, scope ...model.VarID) ir.TableID {
	return s.add(ir.Table{Name: name, Scope: scope, Role: ir.RoleTemp, Var: -1})
}

// block adds a block.
func (s *sketch) block(name string, ops ...ir.Op) {
	order := make([]model.VarID, len(s.Model.Vars))
	for v := range order {
		order[v] = model.VarID(v)
	}
	s.Blocks = append(s.Blocks, ir.OpBlock{Name: name, Order: order, Ops: ops})
}

// entry adds an entry that runs all blocks.
func (s *sketch) entry(kind ir.QueryKind, root ir.TableID, outs ...ir.TableID) {
	e := ir.ScheduleEntry{Query: &ir.Query{Name: kind.String(), Kind: kind}, Root: root, Outs: outs}
	for b := range s.Blocks {
		e.Blocks = append(e.Blocks, b)
	}
	s.Entries = append(s.Entries, e)
}

// sum sums the product of tables over the variables that out does not have.
func (s *sketch) sum(out ir.TableID, in ...ir.TableID) ir.Op {
	return &ir.ContractOp{Out: out, In: in, Reduce: ir.ReduceSum}
}

// product multiplies tables.
func (s *sketch) product(out ir.TableID, in ...ir.TableID) ir.Op {
	return &ir.ContractOp{Out: out, In: in}
}

func TestSchedulePasses(t *testing.T) {
	passes := map[string]func(*ir.Schedule){"schedule-dead": pass.ScheduleDead, "schedule-fold": func(s *ir.Schedule) {
		if err := pass.ScheduleFold(s); err != nil {
			t.Error(err)
		}
	}}
	for name, run := range passes {
		goldenSchedules(t, name, func(t *testing.T, in *txtar.Archive, s *ir.Schedule) string {
			before := scheduleText(t, s)
			run(s)
			if err := s.Verify(); err != nil {
				t.Error(err)
			}
			after := scheduleText(t, s)
			checkFires(t, in, before != after)
			run(s)
			if again := scheduleText(t, s); again != after {
				t.Errorf("a second run changes the schedule again:\n%s", again)
			}
			return after
		})
	}
}

// TestLower checks axes and strides of lowered operations.
func TestLower(t *testing.T) {
	goldenSchedules(t, "lower", func(t *testing.T, _ *txtar.Archive, s *ir.Schedule) string {
		p := pass.Lower(&ir.Plan{Schedule: s})
		if err := p.Verify(); err != nil {
			t.Error(err)
		}
		return text(t, p)
	})
}

// goldenSchedules runs the cases of a pass. The pass returns the text of its result.
func goldenSchedules(t *testing.T, name string, run func(t *testing.T, in *txtar.Archive, s *ir.Schedule) string) {
	t.Run(name, func(t *testing.T) {
		for c := range scheduleCases {
			if _, err := os.Stat("testdata/" + c + ".txtar"); strings.HasPrefix(c, name+"/") && err != nil {
				t.Error(err)
			}
		}
		irtest.Golden(t, "testdata/"+name+"/*.txtar", func(t *testing.T, in *txtar.Archive) []txtar.File {
			build, ok := scheduleCases[name+"/"+path.Base(t.Name())]
			if !ok {
				t.Fatal("no schedule has this name")
			}
			s := newSketch()
			build(s)
			if err := s.Verify(); err != nil {
				t.Fatal(err)
			}
			before := scheduleText(t, s.Schedule)
			return []txtar.File{
				{Name: "in", Data: []byte(before)},
				{Name: "out", Data: []byte(run(t, in, s.Schedule))},
			}
		})
	})
}

func scheduleText(t *testing.T, s *ir.Schedule) string {
	var b bytes.Buffer
	if err := s.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestScheduleFoldRoom multiplies the 26 potentials of a bucket over 27 binary variables. Each
// product doubles the one before, and the last would have 2^27 numbers.
func TestScheduleFoldRoom(t *testing.T) {
	m := &model.Model{Name: "m"}
	s := &ir.Schedule{Model: m}
	op := &ir.ContractOp{Reduce: ir.ReduceSum}
	block := ir.OpBlock{Name: "up"}
	for i := range 27 {
		v := m.NewVar(strconv.Itoa(i), "0", "1").ID
		block.Order = append(block.Order, v)
		if i > 0 {
			s.Tables = append(s.Tables, ir.Table{Name: "f", Scope: []model.VarID{0, v}, Role: ir.RoleConst, Var: -1, Data: []float64{1, 2, 3, 4}})
			op.In = append(op.In, ir.TableID(i-1))
		}
	}
	s.Tables = append(s.Tables, ir.Table{Name: "root", Role: ir.RoleTemp, Var: -1})
	op.Out = ir.TableID(len(s.Tables) - 1)
	block.Ops = []ir.Op{op}
	s.Blocks = []ir.OpBlock{block}
	if err := pass.ScheduleFold(s); err != nil {
		t.Fatal(err)
	}
	numbers := 0
	for _, table := range s.Tables {
		numbers += len(table.Data)
	}
	if numbers > 3<<20 || len(op.In) > 3 {
		t.Errorf("%d numbers, %d operands; want at most 3 Mi numbers, and few operands", numbers, len(op.In))
	}
}
