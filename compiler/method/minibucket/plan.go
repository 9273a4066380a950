package minibucket

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/bound"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// boxes are the options of a plan.
type boxes struct {
	Search            bool
	Numbers, Contexts int
}

// plan builds the schedule of either method: one kernel, which runs in rounds.
type plan struct {
	*loop.Plan
	query  *ir.Query
	fixed  *bound.Fixed
	rounds ir.TableID
}

// bytesANumber is what a number of a box takes: messages are smaller than boxes, and there are two
// eliminations.
const bytesANumber = 16

// newPlan chooses mini-buckets for p.
func newPlan(c *method.Context, p *ir.Problem, x boxes) (*plan, error) {
	m := p.Model
	var scopes [][]model.VarID
	vars := make([]model.VarID, len(m.Vars))
	for _, f := range m.Factors {
		scopes = append(scopes, f.Scope)
	}
	for v := range vars {
		vars[v] = model.VarID(v)
	}
	found, err := c.Order(scopes, vars, nil)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(found))
	for i, v := range found {
		order[i] = int(v)
	}
	opt := bound.FixOptions{MaxTable: c.MaxTable, Numbers: float64(x.Numbers), Slots: x.Contexts}
	if c.MaxMem > 0 {
		opt.Numbers, opt.Slots = min(opt.Numbers, float64(c.MaxMem/2/bytesANumber)), min(opt.Slots, int(c.MaxMem/2/bytesANumber))
	}
	fixed, err := bound.Fix(c, m, order, x.Search, opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Queries[0].Method, err)
	}
	b := &plan{Plan: loop.New(p), query: p.Queries[0], fixed: fixed}
	b.rounds = b.Kept("rounds")
	b.Start = append(b.Start, b.Copy(b.rounds, b.Zero))
	return b, nil
}

// numbers adds a table of constants of either sign.
func (b *plan) numbers(name string, values []float64) ir.TableID {
	if len(values) == 0 {
		values = []float64{0}
	}
	return b.Add(ir.Table{Name: name, Role: ir.RoleLogs, Var: -1, Data: values})
}

// kept adds a table of n numbers that stay from one round to the next.
func (b *plan) kept(name string, n int) ir.TableID {
	return b.Add(ir.Table{Name: name, Role: ir.RolePersistent, Var: -1, Parts: max(1, n)})
}

// states returns the number of states of all variables, and the largest of one.
func (b *plan) states() (all, most int) {
	for v := range b.Model.Vars {
		n := b.Model.Card(model.VarID(v))
		all, most = all+n, max(most, n)
	}
	return all, most
}

// reads returns the tables that both kernels read first.
func (b *plan) reads() []ir.TableID {
	return append(slices.Clone(b.Lambda), b.numbers("ln of the factors", b.fixed.Tables),
		b.numbers("impossible states, ln of constants, rounding", b.fixed.Never), b.numbers("weights and shifts", b.fixed.Upper))
}

// bound returns the plan of method bound: see pgmrt.BoundSums for the words.
func (b *plan) bound() *ir.Plan {
	upper := b.Kept("upper bound of ln P")
	b.Start = append(b.Start, b.Copy(upper, b.Zero))
	states, most := b.states()
	op := &ir.KernelOp{Func: "BoundSums", Numbers: append(slices.Clone(b.fixed.Words), int32(most)),
		Reads:  append(b.reads(), b.numbers("weights and shifts of the lower bound", b.fixed.Lower)),
		Writes: []ir.TableID{b.Alive, b.LogP, upper, b.Residual, b.rounds, b.kept("bounds", states+2*b.fixed.Messages+3*most)},
		Work:   b.fixed.Box, Ints: b.fixed.Boxes, Memory: "bounds"}
	var above []ir.TableID
	for v := range b.Model.Vars {
		id := model.VarID(v)
		if b.Outs[v] == ir.NoTable {
			op.Writes = append(op.Writes, b.Kept("least of "+b.Model.Vars[v].Name, id))
			above = append(above, b.Kept("most of "+b.Model.Vars[v].Name, id))
			continue
		}
		op.Writes = append(op.Writes, b.Outs[v])
		above = append(above, b.Add(ir.Table{Name: "upper bounds of " + b.Model.Vars[v].Name, Scope: []model.VarID{id}, Role: ir.RoleOut, Var: id}))
		b.Start = append(b.Start, b.Copy(b.Outs[v], b.Ones(id)), b.Copy(above[v], b.Ones(id)))
	}
	op.Writes = append(op.Writes, above...)
	b.Round = []ir.Op{op}
	made := b.Finish(b.query, ir.LoopOptions{Iterations: len(b.Model.Vars) + 2})
	entry := &b.Schedule.Entries[0]
	entry.Loop.Bound = upper
	for v, t := range above {
		if b.Outs[v] != ir.NoTable {
			entry.Outs = append(entry.Outs, t)
		}
	}
	return made
}

// search returns the plan of method search: see pgmrt.SearchStates for the words.
func (b *plan) search(o ir.LoopOptions) *ir.Plan {
	upper, ties := b.Kept("bound"), b.Kept("ties")
	b.Start = append(b.Start, b.Copy(upper, b.Zero), b.Copy(ties, b.Zero))
	states, _ := b.states()
	op := &ir.KernelOp{Func: "SearchStates", Numbers: append(slices.Clone(b.fixed.Words), b.fixed.Search...), Reads: b.reads(),
		Writes: []ir.TableID{b.Alive, b.LogP, upper, b.Residual, b.rounds, b.kept("search", states+b.fixed.Messages+b.fixed.Kept)},
		Work:   b.fixed.Box, Ints: b.fixed.Ints, Memory: "search"}
	for v := range b.Model.Vars {
		op.Sets = append(op.Sets, model.VarID(v))
	}
	b.Round = []ir.Op{op}
	for v := range b.Outs {
		b.Outs[v] = ir.NoTable
	}
	made := b.Finish(b.query, o)
	b.Schedule.Entries[0].Loop.Decode = &ir.OpDecode{Bound: upper, Slack: ir.NoTable, Ties: ties}
	return made
}
