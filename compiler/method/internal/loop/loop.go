// Package loop builds the plans of methods that iterate: schedules whose blocks run until their
// numbers converge, with the tables, options and checks that all such methods share.
//
// It is not a method and knows no messages: each method defines the operations of an iteration.
package loop

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Check returns the reasons why the iterating method x cannot answer p.
func Check(x method.Instance, p *ir.Problem, by method.Peers) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	if p.Params == ir.Var {
		list.Errorf(pos, "method %s needs constant parameters; %v, or take %v or %s", x.MethodName(), method.ConstParams, by(method.Tables), by(method.Circuit).Value)
	}
	all := options.Wrong(x)
	if slices.ContainsFunc(all, ofLoop) {
		o := options.Part[ir.LoopOptions](x)
		list.Errorf(pos, "method %s: found %d iterations, tolerance %v and damping %v; want at least one, a tolerance of at least 0, and a damping of at least 0 and below 1",
			x.MethodName(), o.Iterations, o.Tolerance, o.Damping)
	}
	for _, wrong := range all {
		if !ofLoop(wrong) {
			list.Errorf(pos, "%v", wrong)
		}
	}
	return list
}

// ofLoop reports whether an error is about an option that all iterating methods have.
func ofLoop(e *options.RangeError) bool {
	return slices.Contains([]string{"iterations", "tolerance", "damping"}, e.Name)
}

// Plan builds the schedule of one query that a loop answers. Start runs once, Round runs until it
// converges, and End runs once. The axes of all tables are in the order of the variables.
type Plan struct {
	Start, Round, End []ir.Op
	// Items replaces Round if the data determine the order of updates. With Priority, the item with
	// the largest pending residual runs first, instead of the one that has waited longest.
	Items    []Item
	Priority bool

	Model    *model.Model
	Schedule *ir.Schedule
	Residual ir.TableID   // the largest change of a number in the iteration
	Rate     ir.TableID   // the damping
	LogP     ir.TableID   // ln of the estimate of P(evidence)
	Improper ir.TableID   // the number of messages that the iteration left out; NoTable if the method counts none
	Alive    ir.TableID   // one number: 0 if the evidence was found impossible
	Lambda   []ir.TableID // by variable: its likelihood; NoTable if it is latent
	Outs     []ir.TableID // by variable: its marginal; NoTable if it is latent

	factor map[ir.TableID]*model.Factor // the factors whose numbers Fill sets
	One    ir.TableID                   // the number 1
	Zero   ir.TableID                   // the number 0
}

// Item is a group of operations that run together. Push lists the items that must run again if it
// has changed a number.
type Item struct {
	Name string
	Ops  []ir.Op
	Push []int32
}

// New returns a plan for p that has only the tables of every loop.
func New(p *ir.Problem) *Plan {
	m := p.Model
	l := &Plan{Model: m, Schedule: p.NewSchedule(), Improper: ir.NoTable, factor: map[ir.TableID]*model.Factor{}}
	l.Zero, l.One = l.constant("zero", nil, 0), l.constant("one", nil, 1)
	l.Residual, l.Rate = l.Kept("residual"), l.Kept("damping")
	l.LogP, l.Alive = l.Kept("ln P"), l.Kept("possible")
	for _, v := range m.Vars {
		in, out := ir.NoTable, ir.NoTable
		if !v.Latent {
			in = l.Add(ir.Table{Name: "λ " + v.Name, Scope: []model.VarID{v.ID}, Role: ir.RoleIn, Var: v.ID})
			out = l.Add(ir.Table{Name: "marginal of " + v.Name, Scope: []model.VarID{v.ID}, Role: ir.RoleOut, Var: v.ID})
		}
		l.Lambda, l.Outs = append(l.Lambda, in), append(l.Outs, out)
	}
	l.Start = []ir.Op{l.Copy(l.LogP, l.Zero), l.Copy(l.Alive, l.One)}
	l.Round = []ir.Op{l.Clear()}
	return l
}

// Add adds a table and returns its number.
func (l *Plan) Add(t ir.Table) ir.TableID {
	l.Schedule.Tables = append(l.Schedule.Tables, t)
	return ir.TableID(len(l.Schedule.Tables) - 1)
}

// constant adds a table of constants that all equal x.
func (l *Plan) constant(name string, scope []model.VarID, x float64) ir.TableID {
	n, _ := l.Model.TableSize(scope)
	return l.Add(ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1, Data: slices.Repeat([]float64{x}, n)})
}

// Uniform adds the uniform distribution of some variables, which are ascending.
func (l *Plan) Uniform(scope ...model.VarID) ir.TableID {
	return l.constant("uniform "+l.Names(scope), scope, 1/l.Model.JointStates(scope))
}

// Ones adds a table over v that is 1 for every state.
func (l *Plan) Ones(v model.VarID) ir.TableID {
	return l.constant("any "+l.Model.Vars[v].Name, []model.VarID{v}, 1)
}

// Names returns the names of variables, for the names of tables.
func (l *Plan) Names(scope []model.VarID) string {
	var names []string
	for _, v := range scope {
		names = append(names, l.Model.Vars[v].Name)
	}
	return strings.Join(names, ",")
}

// Number adds a table of one constant.
func (l *Plan) Number(name string, x float64) ir.TableID { return l.constant(name, nil, x) }

// Kept adds a table that keeps its numbers from one iteration to the next.
func (l *Plan) Kept(name string, scope ...model.VarID) ir.TableID {
	return l.Add(ir.Table{Name: name, Scope: scope, Role: ir.RolePersistent, Var: -1})
}

// Temp adds a table that is used within one iteration.
func (l *Plan) Temp(name string, scope ...model.VarID) ir.TableID {
	return l.Add(ir.Table{Name: name, Scope: scope, Role: ir.RoleTemp, Var: -1})
}

// Factor adds the table of f, whose numbers Fill sets.
func (l *Plan) Factor(f *model.Factor) ir.TableID {
	id := l.Add(ir.Table{Name: l.Model.FactorName(f), Scope: slices.Sorted(slices.Values(f.Scope)), Role: ir.RoleConst, Var: -1})
	l.factor[id] = f
	return id
}

// Fill computes the numbers of the tables of factors, and applies change unless that is nil. It
// returns an error if a table has more than limit entries.
func (l *Plan) Fill(limit int, change func(t ir.TableID, values []float64) []float64) error {
	for i := range l.Schedule.Tables {
		f, ok := l.factor[ir.TableID(i)]
		if !ok {
			continue
		}
		t := &l.Schedule.Tables[i]
		values, err := l.Model.Tabulate(f, limit)
		if err != nil {
			return err
		}
		if change != nil {
			values = change(ir.TableID(i), values)
		}
		t.Data = l.Model.Rearrange(values, f.Scope, t.Scope)
	}
	return nil
}

// Copy returns the operation that copies a table to another of the same scope.
func (l *Plan) Copy(to, from ir.TableID) ir.Op {
	return &ir.ContractOp{Out: to, In: []ir.TableID{from}}
}

// Sum returns the operation that multiplies the tables in and sums the product onto the scope of
// out.
func (l *Plan) Sum(out ir.TableID, in ...ir.TableID) ir.Op {
	op := &ir.ContractOp{Out: out, In: in}
	for _, t := range in {
		for _, v := range l.Schedule.Tables[t].Scope {
			if !slices.Contains(l.Schedule.Tables[out].Scope, v) {
				op.Reduce = ir.ReduceSum
			}
		}
	}
	return op
}

// Clear returns the operation that sets the residual to 0, at the beginning of an iteration or an
// item.
func (l *Plan) Clear() ir.Op { return l.Copy(l.Residual, l.Zero) }

// Damp returns the operation that moves a kept table towards a new value and updates the residual.
func (l *Plan) Damp(table, next ir.TableID) ir.Op {
	return &ir.DampOp{Table: table, New: next, Rate: l.Rate, Residual: l.Residual}
}

// Log returns the operation that adds factor times ln of the sum of a table to ln P. If the sum is
// 0, the evidence is impossible.
func (l *Plan) Log(factor float64, t ir.TableID) ir.Op {
	return &ir.TallyOp{Kind: ir.TallyLog, Factor: factor, Total: l.LogP, In: t, Alive: l.Alive, Ref: ir.NoTable}
}

// Finish returns the plan of query q.
func (l *Plan) Finish(q *ir.Query, o ir.LoopOptions) *ir.Plan {
	s := l.Schedule
	order := make([]model.VarID, len(l.Model.Vars))
	for v := range order {
		order[v] = model.VarID(v)
	}
	var blocks []int
	block := func(name string, ops []ir.Op) {
		blocks = append(blocks, len(s.Blocks))
		s.Blocks = append(s.Blocks, ir.OpBlock{Name: name, Order: order, Ops: ops})
	}
	loop := &ir.OpLoop{First: 1, LoopOptions: o, Residual: l.Residual, Rate: l.Rate, LogP: l.LogP, Bound: ir.NoTable, Improper: l.Improper}
	block("start", l.Start)
	if l.Items == nil {
		for _, ops := range apart(l.Round) {
			block("round", ops)
		}
	}
	for _, item := range l.Items {
		block(item.Name, item.Ops)
		loop.Push = append(loop.Push, item.Push)
	}
	loop.End, loop.Priority = len(blocks), l.Priority
	block("end", l.End)
	s.Entries = []ir.ScheduleEntry{{Query: q, Blocks: blocks, Root: l.Alive, Loop: loop,
		Outs: slices.DeleteFunc(slices.Clone(l.Outs), func(t ir.TableID) bool { return t == ir.NoTable })}}
	return &ir.Plan{Schedule: s}
}

// apart splits operations so that each kernel stands by itself.
func apart(ops []ir.Op) (parts [][]ir.Op) {
	for start := 0; start < len(ops); {
		end := start + slices.IndexFunc(ops[start:], func(op ir.Op) bool { _, is := op.(*ir.KernelOp); return is })
		switch {
		case end < start:
			end = len(ops)
		case end == start:
			end++
		}
		parts = append(parts, ops[start:end])
		start = end
	}
	return parts
}

// Arrow returns the name of a message.
func (l *Plan) Arrow(from, to string) string { return fmt.Sprintf("{%s} → {%s}", from, to) }

// Constant adds a table of constants over scope, whose numbers the caller sets.
func (l *Plan) Constant(name string, scope []model.VarID) ir.TableID {
	return l.Add(ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1})
}

// Leaves adds a table of the numbers of a tree's leaves.
func (l *Plan) Leaves(name string, values []float64) ir.TableID {
	return l.Add(ir.Table{Name: name, Role: ir.RoleConst, Var: -1, Data: values})
}
