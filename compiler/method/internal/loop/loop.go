// Package loop builds the plans of methods that iterate: a schedule whose blocks run until their
// numbers settle, with the tables that all such plans have, their options, and the checks of these.
//
// It is no method and knows no messages: which operations a round consists of is the method's own.
package loop

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Iterations and Tolerance are the defaults of all methods that iterate.
const (
	Iterations = 1000
	Tolerance  = 1e-9
)

// Bind declares the flags of the options that all such methods have.
func Bind(fs *flag.FlagSet, iterations *int, tolerance, damping *float64) {
	fs.IntVar(iterations, "iterations", *iterations, "at most so many rounds")
	fs.Float64Var(tolerance, "tolerance", *tolerance, "end after a round that changes no number by more")
	fs.Float64Var(damping, "damping", *damping, "the share of the old value in a new one, from 0 to below 1")
}

// RunOptions is the options of a run of a loop.
var RunOptions = []ir.RunOption{
	{Name: "Iterations", Type: "int", Field: "Iterations", Doc: "at most so many rounds"},
	{Name: "Tolerance", Type: "float64", Field: "Tolerance", Doc: "end after a round that changes no number by more", Note: "negative: never"},
	{Name: "Damping", Type: "float64", Field: "Damping", Doc: "the share of the old value in a new one, below 1", Note: "negative: none"},
}

// Check says why an iterating method, which answers its own query alone, can't do the problem.
func Check(name, word string, o ir.LoopOptions, p *ir.Problem) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	if method.CheckQueries(name, word, p, &list); list.HasErrors() {
		return list
	}
	if p.Params == ir.Var {
		list.Errorf(pos, "method %s wants parameters that stay as they are; %v, or take %v or circuit", name, method.ConstParams, method.By("jointree"))
	}
	if !o.Valid() {
		list.Errorf(pos, "method %s with %d iterations, tolerance %v and damping %v; want at least one, a tolerance of at least 0, and a damping of at least 0 and below 1",
			name, o.Iterations, o.Tolerance, o.Damping)
	}
	return list
}

// Plan is a schedule in the making for one query that a loop answers: Start runs once, Round until
// it settles, End once. All tables over variables are laid out by their numbers.
type Plan struct {
	Start, Round, End []ir.Op
	Items             []Item // in place of Round, where the data decide on the order
	Priority          bool   // of items: the one that waits for the largest residual first

	Model    *model.Model
	Schedule *ir.Schedule
	Residual ir.TableID   // how far a round moved what it hands on
	Rate     ir.TableID   // the damping
	LogP     ir.TableID   // ln of the estimate of P(evidence)
	Alive    ir.TableID   // one number: 0 where the evidence was found impossible
	Lambda   []ir.TableID // by variable: its likelihood; NoTable where it is latent
	Outs     []ir.TableID // by variable: its marginal; NoTable where it is latent

	factor map[ir.TableID]*model.Factor // whose numbers Fill has to set
	One    ir.TableID                   // the number 1
	Zero   ir.TableID                   // the number 0
}

// Item is operations that run together, and the items that have to run again where they have
// changed something.
type Item struct {
	Name string
	Ops  []ir.Op
	Push []int32
}

// New begins a plan for p.
func New(p *ir.Problem) *Plan {
	m := p.Model
	l := &Plan{Model: m, Schedule: &ir.Schedule{Model: m, Params: p.Params}, factor: map[ir.TableID]*model.Factor{}}
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

// Add adds a table.
func (l *Plan) Add(t ir.Table) ir.TableID {
	l.Schedule.Tables = append(l.Schedule.Tables, t)
	return ir.TableID(len(l.Schedule.Tables) - 1)
}

// constant is a table with one number in all places.
func (l *Plan) constant(name string, scope []model.VarID, x float64) ir.TableID {
	n := 1
	for _, v := range scope {
		n *= l.Model.Card(v)
	}
	return l.Add(ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1, Data: slices.Repeat([]float64{x}, n)})
}

// Uniform is the uniform distribution of some variables, which are in order.
func (l *Plan) Uniform(scope ...model.VarID) ir.TableID {
	n := 1.0
	for _, v := range scope {
		n *= float64(l.Model.Card(v))
	}
	return l.constant("uniform "+l.Names(scope), scope, 1/n)
}

// Ones is a table over v that says nothing.
func (l *Plan) Ones(v model.VarID) ir.TableID {
	return l.constant("any "+l.Model.Vars[v].Name, []model.VarID{v}, 1)
}

// Names lists variables for comments.
func (l *Plan) Names(scope []model.VarID) string {
	var names []string
	for _, v := range scope {
		names = append(names, l.Model.Vars[v].Name)
	}
	return strings.Join(names, ",")
}

// Number is a table of one constant.
func (l *Plan) Number(name string, x float64) ir.TableID { return l.constant(name, nil, x) }

// Kept is a table that one round hands on to the next, and Temp one that lives within a round.
func (l *Plan) Kept(name string, scope ...model.VarID) ir.TableID {
	return l.Add(ir.Table{Name: name, Scope: scope, Role: ir.RolePersistent, Var: -1})
}

// Temp is a table that lives within a round.
func (l *Plan) Temp(name string, scope ...model.VarID) ir.TableID {
	return l.Add(ir.Table{Name: name, Scope: scope, Role: ir.RoleTemp, Var: -1})
}

// Factor is f as a table, whose numbers Fill sets.
func (l *Plan) Factor(f *model.Factor) ir.TableID {
	id := l.Add(ir.Table{Name: l.Model.FactorName(f), Scope: slices.Sorted(slices.Values(f.Scope)), Role: ir.RoleConst, Var: -1})
	l.factor[id] = f
	return id
}

// Fill gives the tables of factors their numbers, after change where that is not nil.
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
		t.Data = factors.Permute(l.Model, values, f.Scope, t.Scope)
	}
	return nil
}

// Copy sets one table to another of its scope.
func (l *Plan) Copy(to, from ir.TableID) ir.Op {
	return &ir.ContractOp{Out: to, In: []ir.TableID{from}}
}

// Sum is the operation that sums the product of in onto out.
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

// Clear sets the residual to 0, with which a round or an item begins.
func (l *Plan) Clear() ir.Op { return l.Copy(l.Residual, l.Zero) }

// Damp moves a kept table towards a new value, and notes how far.
func (l *Plan) Damp(table, next ir.TableID) ir.Op {
	return &ir.DampOp{Table: table, New: next, Rate: l.Rate, Residual: l.Residual}
}

// Log adds factor times ln of the sum of a table to ln P; where that sum is 0, the evidence is
// impossible.
func (l *Plan) Log(factor float64, t ir.TableID) ir.Op {
	return &ir.TallyOp{Kind: ir.TallyLog, Factor: factor, Total: l.LogP, In: t, Alive: l.Alive, Ref: ir.NoTable}
}

// Finish makes the plan of query q.
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
	loop := &ir.OpLoop{First: 1, LoopOptions: o, Residual: l.Residual, Rate: l.Rate, LogP: l.LogP, Bound: ir.NoTable}
	block("start", l.Start)
	if l.Items == nil {
		block("round", l.Round)
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

// Arrow names a message.
func (l *Plan) Arrow(from, to string) string { return fmt.Sprintf("{%s} → {%s}", from, to) }

// Constant is a table of constants over scope, whose numbers the caller sets.
func (l *Plan) Constant(name string, scope []model.VarID) ir.TableID {
	return l.Add(ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1})
}

// Leaves is numbers that trees lead to.
func (l *Plan) Leaves(name string, values []float64) ir.TableID {
	return l.Add(ir.Table{Name: name, Role: ir.RoleConst, Var: -1, Data: values})
}
