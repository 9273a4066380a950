package clg

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// discrete plans the discrete part by method jointree, with the fronts of the components, and makes
// its schedule the one to add to. The discrete part has the queries of the problem, except that a
// posterior of the context of a component replaces the posterior of a real variable, and such a
// posterior for each component besides.
func (b *builder) discrete() error {
	b.lambda = b.S.Inputs()
	for _, q := range b.p.Queries {
		b.joints = append(b.joints, b.newJoint(q))
	}
	if len(b.m.Reals()) == len(b.m.Vars) {
		if b.tilted() {
			b.declareTilts()
		}
		return nil
	}
	p := &ir.Problem{Model: b.m, Params: b.p.Params, Fronts: slices.Clone(b.p.Fronts), Into: b.S, More: true}
	first := len(b.S.Entries)
	b.addFronts(p)
	for i, q := range b.p.Queries {
		switch {
		case q.Kind == ir.Posterior && b.m.IsReal(q.Targets[0]):
			q = &ir.Query{Name: "real " + strconv.Itoa(i), Kind: ir.LogProb}
		case q.Kind == ir.Statistics || derives(q):
			q = &ir.Query{Name: q.Name, Kind: ir.Gradient}
		}
		if j := &b.joints[i]; j.real != nil {
			q = j.weighs(i)
		}
		p.Queries = append(p.Queries, q)
	}
	if _, _, err := b.ctx.Use(method.Tables, p); err != nil {
		return err
	}
	b.lambda = b.S.Inputs()
	b.divide(first)
	return nil
}

// addFronts adds the fronts of the components to p, with a query for the weights of each, the
// maxima of each if the most probable completion is asked for, and the fronts of groups and tilts.
func (b *builder) addFronts(p *ir.Problem) {
	p.Fronts = append(p.Fronts, b.declareFronts()...)
	for _, g := range b.components {
		if len(g.context) > 0 {
			p.Queries = append(p.Queries, &ir.Query{Name: "front " + strconv.Itoa(len(p.Queries)), Kind: ir.Joint, Targets: g.context})
		}
	}
	if b.p.Asks(ir.MPE) {
		for _, g := range b.hosts() {
			g.best = b.Add(ir.Table{Name: "maxima of " + b.Set(g.vars), Scope: g.context, Role: ir.RoleOut, Var: -1})
			p.Fronts = append(p.Fronts, ir.Front{Table: g.best, Scope: g.context, Max: true})
		}
	}
	p.Fronts = append(p.Fronts, b.groupFronts(b.p.Asks(ir.MPE))...)
	if b.tilted() {
		p.Fronts = append(p.Fronts, b.declareTilts()...)
	}
}

// divide gives the components and joints the entries from the given one on that weigh them, and
// leaves the entries of the queries in sub.
func (b *builder) divide(first int) {
	entries := b.S.Entries[first:]
	for _, g := range b.components {
		if len(g.context) > 0 {
			e := &entries[0]
			g.weights, g.posterior = e.Outs[0], e.Blocks
			entries = entries[1:]
		}
	}
	b.sub, b.S.Entries = entries, b.S.Entries[:first:first]
	for i := range b.joints {
		switch j := &b.joints[i]; {
		case j.front != nil:
			j.weights = j.front.weights
		case j.real != nil && len(j.over) > 0:
			j.weights = b.sub[i].Outs[0]
		}
	}
}

// possible plans a table over the context that is positive for the states that evidence, the
// discrete CPDs over these variables and the functions of the component allow.
func (b *builder) possible(g *component, root *form) ir.TableID {
	c := gauss.NewCode()
	all := circuit.One
	for _, v := range g.context {
		if !b.m.Vars[v].Latent && !b.signed() {
			all = c.Prod(all, c.Read(gauss.Part(b.evidence(v), 0)))
		}
	}
	for _, f := range b.m.Factors {
		if slices.ContainsFunc(f.Scope, func(v model.VarID) bool { return !slices.Contains(g.context, v) && !slices.Contains(b.Fixed, v) }) {
			continue
		}
		if b.p.Params == ir.Var { // any number may become 0
			all = c.Prod(all, c.Read(b.param(f)))
		} else if values, err := b.m.Tabulate(f, b.ctx.MaxTable); err == nil && slices.Contains(values, 0) {
			t := b.Add(ir.Table{Name: b.m.FactorName(f), Scope: f.Scope, Role: ir.RoleLogs, Var: -1, Data: values})
			all = c.Prod(all, c.Read(gauss.Part(t, 0)))
		}
	}
	all = c.Prod(all, c.Read(root.gate))
	if all == circuit.One { // latent variables alone
		all = c.Sum(all, circuit.Zero)
	}
	out := b.Temp("possible "+b.Set(g.context), g.context)
	c.Write(ir.MapPart{Table: out}, all)
	b.Ops = append(b.Ops, c.MapOp())
	return out
}

// entries makes the entries of the queries of the problem.
func (b *builder) entries() {
	type rooted struct {
		root  ir.TableID
		block int
	}
	roots := map[ir.TableID]rooted{} // by the root of the discrete part
	var logs []ir.TableID
	posteriors := []int{}
	for _, g := range b.components {
		if !g.guest {
			logs = append(logs, g.logs)
		}
		posteriors = append(posteriors, g.posterior...)
	}
	for i, q := range b.p.Queries {
		e := ir.ScheduleEntry{Query: q, Root: ir.NoTable, Blocks: []int{b.upBlock}, Logs: logs}
		if q.Kind == ir.MPE {
			e.Blocks, e.Logs = append(e.Blocks, b.bestBlock), b.bestLogs()
		}
		of := ir.ScheduleEntry{Root: ir.NoTable}
		if b.sub != nil {
			of = b.sub[i]
		}
		e.Blocks = append(e.Blocks, of.Blocks...)
		if wantsAll(q) || q.Kind == ir.Statistics || derives(q) || q.Kind == ir.Posterior && b.m.IsReal(q.Targets[0]) {
			last := b.downBlock
			if derives(q) {
				last = b.gradientBlock
			}
			addBlocks(&e, append(slices.Clone(posteriors), last))
		}
		if q.Kind == ir.Sensitivity {
			e.Tilt = []ir.TableID{b.tilts.target, b.tilts.scale}
		}
		if j := &b.joints[i]; j.real != nil {
			if j.front != nil {
				addBlocks(&e, j.front.posterior)
			}
			e.Blocks = append(e.Blocks, j.block)
		}
		e.Root = of.Root
		if gates, lost := b.gates(), b.losses(q.Kind); e.Root == ir.NoTable || len(gates)+len(lost) > 0 {
			r, ok := roots[of.Root]
			if !ok {
				r.root = b.root(of.Root, gates, lost)
				r.block = b.Block("root" + strconv.Itoa(len(roots)+1))
				roots[of.Root] = r
			}
			e.Root, e.Blocks = r.root, append(e.Blocks, r.block)
		}
		if block, ok := b.assign[q.Kind]; ok {
			e.Blocks = append(e.Blocks, block)
		}
		if e.Outs = b.outs(q, of.Outs); b.joints[i].real != nil {
			e.Outs = []ir.TableID{b.joints[i].out}
		}
		b.S.Entries = append(b.S.Entries, e)
	}
}

// addBlocks adds the blocks that e lacks.
func addBlocks(e *ir.ScheduleEntry, blocks []int) {
	for _, k := range blocks {
		if !slices.Contains(e.Blocks, k) {
			e.Blocks = append(e.Blocks, k)
		}
	}
}

// wantsAll reports whether a query asks for the posteriors of all variables.
func wantsAll(q *ir.Query) bool { return q.Kind == ir.Marginals || q.Kind == ir.Session }

// gates returns the gates of components without a context that may be closed.
func (b *builder) gates() (list []gauss.Number) {
	for _, g := range b.components {
		if len(g.context) == 0 && g.gate != gauss.Constant(1) {
			list = append(list, g.gate)
		}
	}
	return list
}

// param returns the table of the parameters of f, over discrete variables. In a signature, fronts
// are planned before the discrete part, which then finds the table.
func (b *builder) param(f *model.Factor) gauss.Number {
	i := b.number(f)
	t := slices.IndexFunc(b.S.Tables, func(t ir.Table) bool { return t.Role == ir.RoleParam && t.Factor == i })
	if t < 0 {
		values, err := b.m.Tabulate(f, b.ctx.MaxTable)
		if err != nil {
			return gauss.Constant(1)
		}
		t = int(b.Add(ir.Table{Name: b.m.FactorName(f), Scope: f.Scope, Role: ir.RoleParam, Var: -1, Factor: i, Data: values}))
	}
	return gauss.Part(ir.TableID(t), 0)
}

// root plans the product of the root of the discrete part, if there is one, and the gates of
// components. It is not a number if the discrete part is near 0 and one of lost is positive.
func (b *builder) root(of ir.TableID, gates, lost []gauss.Number) ir.TableID {
	c := gauss.NewCode()
	all, open := circuit.One, circuit.One
	if of != ir.NoTable {
		all = c.Read(gauss.Part(of, 0))
	}
	for _, x := range gates {
		open = c.Prod(open, c.Read(x))
	}
	near := circuit.Zero
	for _, x := range lost {
		near = c.Sum(near, c.Read(x))
	}
	near = c.Prod(open, c.Prod(gauss.Positive(c.Circuit, near), gauss.Positive(c.Circuit, c.Sub(c.Const(leastRoot), all))))
	t := b.Temp("root", nil)
	far := c.Sub(circuit.One, near)
	c.Write(ir.MapPart{Table: t}, c.Prod(open, c.Sum(all, c.Prod(far, c.Log(far)))))
	b.Do(c)
	return t
}

// outs returns the answers of a query, in the order of the variables. of has the answers of
// discrete variables.
func (b *builder) outs(q *ir.Query, of []ir.TableID) (outs []ir.TableID) {
	switch q.Kind {
	case ir.LogProb:
		return nil
	case ir.Joint:
		return of
	case ir.Statistics:
		return b.byFactor(of, b.statistics)
	case ir.Gradient, ir.Sensitivity:
		return b.byFactor(of, b.derivatives)
	case ir.Sample, ir.MPE:
		for _, v := range b.m.Reals() {
			if t, ok := b.values[v]; ok {
				outs = append(outs, t)
			}
		}
		return outs
	}
	byVar := map[model.VarID]ir.TableID{}
	for _, t := range of {
		byVar[b.S.Tables[t].Var] = t
	}
	for _, v := range b.m.Vars {
		if t, ok := byVar[v.ID]; ok {
			outs = append(outs, t)
		} else if t, ok := b.answer[v.ID]; ok && (wantsAll(q) || q.Targets[0] == v.ID) {
			outs = append(outs, t)
		}
	}
	return outs
}
