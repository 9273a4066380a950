package method

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// LoopFlags binds the options that all iterating methods have.
func LoopFlags(o *ir.LoopOptions, fs *flag.FlagSet) {
	fs.IntVar(&o.Iterations, "iterations", o.Iterations, "at most so many rounds")
	fs.Float64Var(&o.Tolerance, "tolerance", o.Tolerance, "end after a round that changes no number by more")
	fs.Float64Var(&o.Damping, "damping", o.Damping, "the share of the old value in a new one, from 0 to below 1")
}

// LoopRun is the options of a run of a loop.
var LoopRun = []ir.RunOption{
	{Name: "Iterations", Type: "int", Field: "Iterations", Doc: "at most so many rounds"},
	{Name: "Tolerance", Type: "float64", Field: "Tolerance", Doc: "end after a round that changes no number by more", Note: "negative: never"},
	{Name: "Damping", Type: "float64", Field: "Damping", Doc: "the share of the old value in a new one, below 1", Note: "negative: none"},
}

// CheckLoop says why an iterating method, which answers its own query alone, can't do the problem.
func CheckLoop(name, word string, o ir.LoopOptions, p *ir.Problem) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	if CheckQueries(name, word, p, &list); list.HasErrors() {
		return list
	}
	if p.Params == ir.Var {
		list.Errorf(pos, "method %s wants parameters that stay as they are; leave out --params var, or take --method jointree or circuit", name)
	}
	if !o.Valid() {
		list.Errorf(pos, "method %s with %d iterations, tolerance %v and damping %v; want at least one, a tolerance of at least 0, and a damping of at least 0 and below 1",
			name, o.Iterations, o.Tolerance, o.Damping)
	}
	return list
}

// CheckQueries adds an error if p has queries of other methods. The method's own is asked for by
// word.
func CheckQueries(name, word string, p *ir.Problem, list *diag.List) {
	for _, q := range p.Queries {
		if q.Method != name {
			list.Errorf(diag.Pos{File: p.Model.File}, "method %s answers the query %s alone, and not %s; %s", name, word, q.Word(), Others(p.Model))
			return
		}
	}
}

// CheckExact says why an exact method can't do the problem: it has a query of a method that is not
// exact, or a dependency network, which has no joint distribution to sum over.
func CheckExact(name string, p *ir.Problem) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	for _, q := range p.Queries {
		if q.Method != "" {
			list.Errorf(pos, "method %s is exact and does not answer %s; try --method %s", name, q.Word(), q.Method)
		}
	}
	return list
}

// LoopPlan is a schedule in the making for one query that a loop answers: Start runs once, Round until it settles, End once. All
// tables over variables are laid out by their numbers.
type LoopPlan struct {
	Start, Round, End []ir.Op
	Items             []LoopItem // in place of Round, where the data decide on the order
	Priority          bool       // of items: the one that waits for the largest residual first

	Model    *model.Model
	Schedule *ir.Schedule
	Residual ir.TableID   // how far a round moved what it hands on
	Rate     ir.TableID   // the damping
	LogP     ir.TableID   // ln of the estimate of P(evidence)
	Alive    ir.TableID   // one number: 0 where the evidence was found impossible
	Lambda   []ir.TableID // by variable: its likelihood; NoTable where it is latent
	Outs     []ir.TableID // by variable: its marginal; NoTable where it is latent

	factor map[ir.TableID]*model.Factor // whose numbers Fill has to set
	one    ir.TableID
	zero   ir.TableID
}

// LoopItem is operations that run together, and the items that have to run again where they have changed something.
type LoopItem struct {
	Name string
	Ops  []ir.Op
	Push []int32
}

// NewLoopPlan begins a plan for p.
func NewLoopPlan(p *ir.Problem) *LoopPlan {
	m := p.Model
	l := &LoopPlan{Model: m, Schedule: &ir.Schedule{Model: m, Params: p.Params}, factor: map[ir.TableID]*model.Factor{}}
	l.zero, l.one = l.constant("zero", nil, 0), l.constant("one", nil, 1)
	l.Residual, l.Rate = l.Kept("residual"), l.Kept("damping")
	l.LogP, l.Alive = l.Kept("ln P"), l.Kept("possible")
	for _, v := range m.Vars {
		in, out := ir.NoTable, ir.NoTable
		if !v.Latent {
			in = l.add(ir.Table{Name: "λ " + v.Name, Scope: []model.VarID{v.ID}, Role: ir.RoleIn, Var: v.ID})
			out = l.add(ir.Table{Name: "marginal of " + v.Name, Scope: []model.VarID{v.ID}, Role: ir.RoleOut, Var: v.ID})
		}
		l.Lambda, l.Outs = append(l.Lambda, in), append(l.Outs, out)
	}
	l.Start = []ir.Op{l.Copy(l.LogP, l.zero), l.Copy(l.Alive, l.one)}
	l.Round = []ir.Op{l.Clear()}
	return l
}

func (l *LoopPlan) add(t ir.Table) ir.TableID {
	l.Schedule.Tables = append(l.Schedule.Tables, t)
	return ir.TableID(len(l.Schedule.Tables) - 1)
}

// constant is a table with one number in all places.
func (l *LoopPlan) constant(name string, scope []model.VarID, x float64) ir.TableID {
	n := 1
	for _, v := range scope {
		n *= l.Model.Card(v)
	}
	return l.add(ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1, Data: slices.Repeat([]float64{x}, n)})
}

// Uniform is the uniform distribution of some variables, which are in order.
func (l *LoopPlan) Uniform(scope ...model.VarID) ir.TableID {
	n := 1.0
	for _, v := range scope {
		n *= float64(l.Model.Card(v))
	}
	return l.constant("uniform "+l.Names(scope), scope, 1/n)
}

// Ones is a table over v that says nothing.
func (l *LoopPlan) Ones(v model.VarID) ir.TableID {
	return l.constant("any "+l.Model.Vars[v].Name, []model.VarID{v}, 1)
}

// Names lists variables for comments.
func (l *LoopPlan) Names(scope []model.VarID) string {
	var names []string
	for _, v := range scope {
		names = append(names, l.Model.Vars[v].Name)
	}
	return strings.Join(names, ",")
}

// Number is a table of one constant.
func (l *LoopPlan) Number(name string, x float64) ir.TableID { return l.constant(name, nil, x) }

// Kept is a table that one round hands on to the next, and Temp one that lives within a round.
func (l *LoopPlan) Kept(name string, scope ...model.VarID) ir.TableID {
	return l.add(ir.Table{Name: name, Scope: scope, Role: ir.RolePersistent, Var: -1})
}

// Temp is a table that lives within a round.
func (l *LoopPlan) Temp(name string, scope ...model.VarID) ir.TableID {
	return l.add(ir.Table{Name: name, Scope: scope, Role: ir.RoleTemp, Var: -1})
}

// Factor is f as a table, whose numbers Fill sets.
func (l *LoopPlan) Factor(f *model.Factor) ir.TableID {
	id := l.add(ir.Table{Name: l.Model.FactorName(f), Scope: slices.Sorted(slices.Values(f.Scope)), Role: ir.RoleConst, Var: -1})
	l.factor[id] = f
	return id
}

// Fill gives the tables of factors their numbers, after change where that is not nil.
func (l *LoopPlan) Fill(limit int, change func(t ir.TableID, values []float64) []float64) error {
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
		t.Data = Permute(l.Model, values, f.Scope, t.Scope)
	}
	return nil
}

// Copy sets one table to another of its scope.
func (l *LoopPlan) Copy(to, from ir.TableID) ir.Op {
	return &ir.ContractOp{Out: to, In: []ir.TableID{from}}
}

// Sum is the operation that sums the product of in onto out.
func (l *LoopPlan) Sum(out ir.TableID, in ...ir.TableID) ir.Op {
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
func (l *LoopPlan) Clear() ir.Op { return l.Copy(l.Residual, l.zero) }

// Damp moves a kept table towards a new value, and notes how far.
func (l *LoopPlan) Damp(table, next ir.TableID) ir.Op {
	return &ir.DampOp{Table: table, New: next, Rate: l.Rate, Residual: l.Residual}
}

// Log adds factor times ln of the sum of a table to ln P; where that sum is 0, the evidence is impossible.
func (l *LoopPlan) Log(factor float64, t ir.TableID) ir.Op {
	return &ir.TallyOp{Kind: ir.TallyLog, Factor: factor, Total: l.LogP, In: t, Alive: l.Alive, Ref: ir.NoTable}
}

// Finish makes the plan of query q.
func (l *LoopPlan) Finish(q *ir.Query, o ir.LoopOptions) *ir.Plan {
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
func (l *LoopPlan) Arrow(from, to string) string { return fmt.Sprintf("{%s} → {%s}", from, to) }

// Permute lays out a row-major table over from as one over to, the same variables in another order.
func Permute(m *model.Model, values []float64, from, to []model.VarID) []float64 {
	if slices.Equal(from, to) {
		return values
	}
	stride := map[model.VarID]int{}
	n := 1
	for i := len(from) - 1; i >= 0; i-- {
		stride[from[i]] = n
		n *= m.Card(from[i])
	}
	steps, cards := make([]int, len(to)), make([]int, len(to))
	for i, v := range to {
		steps[i], cards[i] = stride[v], m.Card(v)
	}
	out := make([]float64, len(values))
	index, at := make([]int, len(to)), 0
	for i := range out {
		out[i] = values[at]
		for axis := len(to) - 1; axis >= 0; axis-- {
			index[axis]++
			at += steps[axis]
			if index[axis] < cards[axis] {
				break
			}
			at -= index[axis] * steps[axis]
			index[axis] = 0
		}
	}
	return out
}

// Others says in messages who answers what a method that iterates or samples does not.
func Others(m *model.Model) string {
	if m.Kind == model.Dependency {
		return "nothing does for a dependency network, which has no joint distribution; its marginals come by --method meanfield or gibbs"
	}
	if m.Kind == model.Forest {
		return "nothing does for a latent dependency forest model, the sum of whose weights is #P-hard; its marginals come by --method ldfm"
	}
	return "try --method jointree or circuit"
}
