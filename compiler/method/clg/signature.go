package clg

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// signature plans a signature apart from other queries, in a network without the factors that
// cannot change its answer. Which variables are observed is known, so that the arithmetic of
// evidence folds away. Observed discrete variables are fixed at their states.
func signature(c *method.Context, p *ir.Problem, s *ir.Schedule, q *ir.Query, number int) error {
	m, err := mutilated(p.Model, q)
	if err != nil {
		return fmt.Errorf("clg: %w", err)
	}
	b := newBuilder(c, &ir.Problem{Model: m, Queries: []*ir.Query{q}, Into: s, Params: p.Params})
	b.from = p.Model
	b.lambda = s.Inputs()
	b.Fixed, _ = m.SplitReal(q.Evidence)
	b.known = append([]model.VarID{}, q.Evidence...)
	if err := b.begin(); err != nil {
		return err
	}
	g := b.targetComponent(q)
	if out, ok := b.linear(g, q.Targets[0]); ok {
		b.answer[q.Targets[0]] = out
		b.components = slices.DeleteFunc(b.components, func(x *component) bool { return x == g })
		g = nil
	}
	return b.finish(q, g, "signature"+strconv.Itoa(number))
}

// finish plans the answer of q from the components. g has the target; g is nil if the target is
// discrete or its answer is planned.
func (b *builder) finish(q *ir.Query, g *component, name string) error {
	var blocks []int
	if len(b.Ops) > 0 {
		blocks = append(blocks, b.Block(name+"linear"))
	}
	for _, x := range b.components {
		b.up(x)
	}
	fronts := append(b.declareFronts(), b.groupFronts(false)...)
	b.fronts()
	if len(b.Ops) > 0 {
		blocks = append(blocks, b.Block(name+"up"))
	}
	of, err := b.fixedStates(q, g, fronts)
	if err != nil {
		return err
	}
	blocks = append(blocks, of.Blocks...)
	e := ir.ScheduleEntry{Query: q, Root: of.Root, Outs: of.Outs}
	if g != nil {
		if len(g.context) > 0 {
			g.weights = of.Outs[0]
		}
		b.down(g)
	}
	if b.m.IsReal(q.Targets[0]) {
		e.Outs = []ir.TableID{b.answer[q.Targets[0]]}
	}
	if gates, lost := b.gates(), b.losses(q.Kind); len(gates)+len(lost) > 0 {
		e.Root = b.root(of.Root, gates, lost)
	}
	if len(b.Ops) > 0 {
		blocks = append(blocks, b.Block(name+"down"))
	}
	e.Blocks = blocks
	b.S.Entries = append(b.S.Entries, e)
	return nil
}

// fixedStates plans the discrete part: the posterior of the target, or of the context of its
// component g. fronts are factors of it. The entry is empty if there is no discrete part.
func (b *builder) fixedStates(q *ir.Query, g *component, fronts []ir.Front) (e ir.ScheduleEntry, err error) {
	e.Root = ir.NoTable
	want := &ir.Query{Name: q.Name, Kind: ir.Signature, Evidence: b.Fixed, Factors: []int{}}
	for _, f := range b.m.Factors {
		want.Factors = append(want.Factors, int(b.number(f)))
	}
	p := &ir.Problem{Model: b.from, Params: b.p.Params, Queries: []*ir.Query{want}, Into: b.S, More: true, Fronts: fronts}
	needed := len(fronts) > 0
	if g != nil {
		want.Targets = g.context
	} else if !b.m.IsReal(q.Targets[0]) {
		want.Targets, needed = q.Targets, true
	}
	for _, f := range b.m.Factors {
		needed = needed || f.Gaussian() == nil
	}
	if !needed {
		return e, nil
	}
	if _, _, err := b.ctx.Use(method.Tables, p); err != nil {
		return e, fmt.Errorf("clg: %w", err)
	}
	last := len(b.S.Entries) - 1
	e, b.S.Entries = b.S.Entries[last], b.S.Entries[:last:last]
	return e, nil
}

// mutilated returns the network of the factors that matter to q. Real variables without a CPD in it
// are given.
func mutilated(m *model.Model, q *ir.Query) (*model.Model, error) {
	out := *m
	out.Vars, out.Factors = slices.Clone(m.Vars), nil
	random := make([]bool, len(m.Vars))
	for i, f := range m.Factors {
		if q.Factors == nil && q.Cuts(f) || q.Factors != nil && !slices.Contains(q.Factors, i) {
			continue
		}
		out.Factors = append(out.Factors, f)
		if f.Child >= 0 {
			random[f.ChildVar()] = true
		}
		for _, v := range f.Scope {
			if m.Vars[v].Given && !slices.Contains(q.Evidence, v) {
				return nil, diag.Errorf("%s depends on the given variable %q; want that among its evidence", q.Name, m.Vars[v].Name)
			}
		}
	}
	if v := m.Vars[q.Targets[0]]; v.Given {
		return nil, diag.Errorf("%s asks for the given variable %q, which has no distribution", q.Name, v.Name)
	}
	for _, v := range m.Reals() {
		if !random[v] {
			given := *m.Vars[v]
			given.Given = true
			out.Vars[v] = &given
		}
	}
	return &out, nil
}

// targetComponent returns the component of a real target, or nil.
func (b *builder) targetComponent(q *ir.Query) *component {
	for _, g := range b.components {
		if slices.Contains(g.vars, q.Targets[0]) {
			return g
		}
	}
	return nil
}

// linear plans the posterior of a real target as a linear function of the observed values, with a
// constant variance, for each state of fixed variables. It does so if no other discrete variable
// matters to the component, and if no variance is 0. The arithmetic of elimination is then done
// when the query is planned, unless parameters can be replaced. Values are relative to their
// centres, as elsewhere.
func (b *builder) linear(g *component, target model.VarID) (out ir.TableID, ok bool) {
	if g == nil || len(g.context) > 0 || b.p.Params == ir.Var {
		return ir.NoTable, false
	}
	var own, given []model.VarID
	for _, k := range g.buckets {
		if k.cpd.Gaussian().HasZeros() {
			return ir.NoTable, false
		}
		own, given = union(own, k.own), union(given, []model.VarID{k.v}, k.parents)
	}
	given = slices.DeleteFunc(given, func(v model.VarID) bool { return !slices.Contains(b.known, v) })
	rows, fits := b.m.TableSize(own)
	if !fits || rows > b.ctx.MaxTable/(len(given)+2) {
		return ir.NoTable, false
	}
	columns := make([][]float64, len(given)+2) // coefficients, the constant, the variance
	state := make([]int, len(b.m.Vars))
	for range rows {
		for i, x := range b.regress(g, target, given, state) {
			columns[i] = append(columns[i], x)
		}
		b.m.Next(own, state)
	}
	c := gauss.NewCode()
	table := gauss.NewColumns(b.S, "regression of "+b.m.Vars[target].Name+" on "+b.Set(given), own)
	mean := table.Read(c, columns[len(given)])
	for i, v := range given {
		mean = c.Sum(mean, c.Prod(table.Read(c, columns[i]), b.shifted(c, v)))
	}
	out = b.Add(ir.Table{Name: "P(" + b.m.Vars[target].Name + " | evidence)", Scope: []model.VarID{target}, Role: ir.RoleOut, Var: target})
	c.Write(ir.MapPart{Table: out, Part: 0}, mean)
	c.Write(ir.MapPart{Table: out, Part: 1}, table.Read(c, columns[len(given)+1]))
	b.Ops = append(b.Ops, c.MapOp())
	return out, true
}

// regress returns the coefficients of the posterior mean of target by the values of given relative
// to their centres, its constant, and the posterior variance, at one joint state of the discrete
// variables. It eliminates symbolically and evaluates the result and its derivatives.
func (b *builder) regress(g *component, target model.VarID, given []model.VarID, state []int) []float64 {
	c := circuit.NewSigned()
	value := map[model.VarID]circuit.Node{}
	inputs := make([]circuit.Node, len(given))
	for i, v := range given {
		inputs[i] = c.Input(int32(i))
		value[v] = inputs[i]
	}
	rows, kept := map[*bucket][]*gauss.Row{}, map[*bucket]*gauss.Regression{}
	for _, k := range g.buckets {
		var list []*gauss.Row
		for _, kid := range k.kids {
			list = append(list, rows[kid]...)
		}
		seen, unseen := circuit.Zero, circuit.One
		if slices.Contains(b.known, k.v) {
			seen, unseen = unseen, seen
		}
		kept[k], rows[k], _ = gauss.Pull(c, k.v, b.rowOf(c, k, state, value), list, seen, unseen, circuit.One)
	}
	m := b.momentsOf(c, b.bucketOf[target], kept)
	mean := m.Of(target)
	slopes := c.Derive(mean, inputs, nil)
	at := c.Eval(func(int32) float64 { return 0 })
	out := make([]float64, 0, len(given)+2)
	for _, n := range slopes {
		out = append(out, at[n])
	}
	return append(out, at[mean]+b.at(target, state), at[m.Between(target, target)])
}

// rowOf returns the CPD of k at a joint state, relative to references and observed values.
func (b *builder) rowOf(c *circuit.Circuit, k *bucket, state []int, value map[model.VarID]circuit.Node) *gauss.Row {
	_, coef, variance := k.cpd.Gaussian().Row(b.m.Index(k.own, state))
	cpd := gauss.Regression{On: k.random, Mean: c.Const(b.offsetAt(k, state)), Var: c.Const(variance)}
	for i, u := range k.parents {
		cpd.Mean = c.Sum(cpd.Mean, c.Prod(c.Const(coef[i]), value[u]))
		if b.m.Vars[u].Given {
			continue
		}
		x := coef[i]
		if slices.Contains(b.known, u) {
			x = 0
		}
		cpd.Coef = append(cpd.Coef, c.Const(x))
	}
	cpd.Mean = c.Sub(cpd.Mean, value[k.v])
	return &gauss.Row{Regression: cpd, Bounds: b.bounds(k), Precision: c.Const(1 / variance)}
}

// momentsOf returns the moments of the variable and the separator of k, by way of the buckets
// above.
func (b *builder) momentsOf(c *circuit.Circuit, k *bucket, kept map[*bucket]*gauss.Regression) *gauss.Moments {
	m := &gauss.Moments{}
	if k.parent != nil {
		above := b.momentsOf(c, k.parent, kept)
		for i, v := range k.scope {
			var row []circuit.Node
			for _, w := range k.scope[:i+1] {
				row = append(row, above.Between(v, w))
			}
			m.Scope, m.Mean, m.Cov = append(m.Scope, v), append(m.Mean, above.Of(v)), append(m.Cov, row)
		}
	}
	m.Push(c, k.v, kept[k])
	return m
}
