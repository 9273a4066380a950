package gibbs

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/hybrid"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// checkReals refuses networks with real variables that no chain can sample.
func checkReals(list *diag.List, m *model.Model, by method.Peers) {
	if len(m.Reals()) == 0 {
		return
	}
	pos := diag.Pos{File: m.File}
	if m.Kind != model.Bayes {
		list.Errorf(pos, "found a %v with real variables; method gibbs takes real variables in Bayesian networks", m.Kind)
		return
	}
	for _, v := range m.Reals() {
		f := m.CPD(v)
		if f == nil || !f.Dist.HasZeros() || function(m, v) {
			continue
		}
		why, try := "variable %q is an expression of variance 0", "%v or %v"
		advice := []any{m.Vars[v].Name, by(method.Projection), by(method.ForwardSamples)}
		if f.Gaussian() != nil {
			why, try = "variable %q has variance 0 in some rows alone", "%v, %v, or %v with %v"
			advice = []any{m.Vars[v].Name, by(method.MixedGaussians), by(method.Projection), by(method.ForwardSamples), diag.Option{Name: "collapsed"}}
		}
		list.Errorf(pos, why+"; method gibbs takes functions that are linear in all rows; try "+try, advice...)
		return
	}
}

// function reports whether a real variable is a linear function of its parents in all rows.
func function(m *model.Model, v model.VarID) bool {
	f := m.CPD(v)
	return f != nil && f.Gaussian() != nil && !slices.ContainsFunc(f.Gaussian().Var, func(x float64) bool { return x > 0 })
}

// mixed plans a sweep of a network with real variables. Discrete variables are drawn as in other
// networks, by weights that the densities of real ones multiply; then each real variable is drawn.
type mixed struct {
	*builder
	net           *hybrid.Network
	values        ir.TableID // a part for each real variable
	part          map[model.VarID]int
	centre, scale []float64
	discrete      []model.VarID
	stepped       []model.VarID // real variables without a closed form
	steps         ir.TableID    // the number of sweeps, and for each such variable how often it made Metropolis steps, and how many of these were refused
}

// mixed returns the blocks that begin a chain, the blocks in start first, and the blocks of a
// sweep.
func (b *builder) mixed(start []ir.OpBlock) (begin, sweep []ir.OpBlock) {
	h := &mixed{builder: b, net: hybrid.New(b.Schedule), part: map[model.VarID]int{}}
	h.centre, h.scale = gauss.Units(b.Model)
	for i, v := range b.Model.Reals() {
		h.part[v] = i
	}
	for _, v := range h.chain.All() {
		if !b.Model.IsReal(v) {
			h.discrete = append(h.discrete, v)
		}
	}
	h.values = h.parts("values", ir.RolePersistent, len(h.part))
	groups, _ := blanket.Groups(b.Model)
	var alone []ir.Op
	for _, g := range groups {
		move := h.resample(g)
		if block, ok := h.densities(g, move); ok {
			sweep = append(sweep, block)
		} else {
			alone = append(alone, move)
		}
	}
	if alone != nil {
		sweep = append(sweep, ir.OpBlock{Name: "states", Ops: alone})
	}
	h.countSteps()
	h.chain.Reals = h.answers()
	for _, v := range b.Model.Reals() {
		if function(b.Model, v) {
			h.chain.Functions = append(h.chain.Functions, v)
		}
	}
	return append(start, h.forward()), append(sweep, h.draw())
}

// rest returns the factors that depend on a real variable and are neither its own CPD nor Gaussian.
func (h *mixed) rest(v model.VarID) (list []*model.Factor) {
	for _, f := range h.Model.Factors {
		if f.ChildVar() != v && h.depends(f, v) && f.Gaussian() == nil {
			list = append(list, f)
		}
	}
	return list
}

// depends reports whether v is in the scope of f, or in the scope of the CPD of a function there.
func (h *mixed) depends(f *model.Factor, v model.VarID) bool {
	return slices.ContainsFunc(f.Scope, func(u model.VarID) bool {
		return u == v || f != h.Model.CPD(u) && function(h.Model, u) && h.depends(h.Model.CPD(u), v)
	})
}

// countSteps plans the counts of refused steps, if there are variables that make any.
func (h *mixed) countSteps() {
	for _, v := range h.Model.Reals() {
		if h.Model.CPD(v) != nil && !function(h.Model, v) && h.rest(v) != nil {
			h.stepped = append(h.stepped, v)
		}
	}
	if h.stepped == nil {
		return
	}
	h.steps = h.parts("sweeps and refused steps", ir.RolePersistent, 1+2*len(h.stepped))
	c := gauss.NewCode()
	for i := range 1 + 2*len(h.stepped) {
		c.Write(ir.MapPart{Table: h.steps, Part: i}, circuit.Zero)
	}
	h.chain.Begin = []ir.Op{c.MapOp()}
	h.chain.Refused = []ir.TableID{h.chain.Kept("share of refused steps"), h.chain.Kept("share of refused draws")}
}

// shares writes the shares of refused steps and draws.
func (h *mixed) shares(c *gauss.Code) {
	steps, draws := circuit.Zero, circuit.Zero
	for i, v := range h.stepped {
		made, refused := c.Read(gauss.Part(h.steps, 1+2*i)), c.Read(gauss.Part(h.steps, 2+2*i))
		steps = c.Max(steps, c.Ratio(refused, c.Prod(c.Const(metropolisSteps), made)))
		if bounded(h.rest(v)) {
			draws = c.Max(draws, c.Ratio(made, c.Read(gauss.Part(h.steps, 0))))
		}
	}
	for i, share := range []circuit.Node{steps, draws} {
		c.Write(ir.MapPart{Table: h.chain.Refused[i]}, c.Sum(share, circuit.Zero))
	}
}

// parts adds a table of several numbers.
func (h *mixed) parts(name string, role ir.Role, n int) ir.TableID {
	return h.Add(ir.Table{Name: name, Role: role, Var: -1, Parts: n})
}

// assign returns the operation that copies parts of a table to places elsewhere.
func assign(from ir.TableID, to []ir.MapPart) ir.Op {
	c := gauss.NewCode()
	for i, part := range to {
		c.Write(part, c.Read(gauss.Part(from, i)))
	}
	return c.MapOp()
}

// value returns a function that reads the present value of a real variable.
func (h *mixed) value(c *gauss.Code) hybrid.Value {
	return h.substituted(c, func(v model.VarID) circuit.Node { return c.Read(gauss.Part(h.values, h.part[v])) })
}

// substituted returns value with functions computed from the values of their parents.
func (h *mixed) substituted(c *gauss.Code, value hybrid.Value) hybrid.Value {
	var with hybrid.Value
	with = func(v model.VarID) circuit.Node {
		if function(h.Model, v) {
			return h.net.Normal(c, h.Model.CPD(v), with).Mean
		}
		return value(v)
	}
	return with
}

// evidence returns whether a real variable is observed, and its value then.
func (h *mixed) evidence(c *gauss.Code, v model.VarID) (seen, observed circuit.Node) {
	if h.Lambda[v] == ir.NoTable {
		return circuit.Zero, circuit.Zero
	}
	return c.Read(gauss.Part(h.Lambda[v], 0)), c.Read(gauss.Part(h.Lambda[v], 1))
}

// densities returns the block that draws some discrete variables if factors with real variables
// depend on them. The logarithms of these factors, relative to the largest that the other factors
// allow, become one more table of the row.
func (h *mixed) densities(vars []model.VarID, move *ir.ResampleOp) (ir.OpBlock, bool) {
	c := gauss.NewCode()
	value, sum, found := h.value(c), circuit.Zero, false
	for _, f := range h.Model.Factors {
		own := slices.ContainsFunc(vars, func(v model.VarID) bool { return h.depends(f, v) })
		if own && slices.ContainsFunc(f.Scope, h.Model.IsReal) && !function(h.Model, f.ChildVar()) {
			sum, found = c.Sum(sum, h.net.Log(c, f, value)), true
		}
	}
	if !found {
		return ir.OpBlock{}, false
	}
	name := h.Names(vars)
	logs, allowed := h.Temp("ln densities by "+name, vars...), h.Temp("possible "+name, vars...)
	c.Write(ir.MapPart{Table: logs}, sum)
	product := circuit.One
	for _, t := range move.In {
		product = c.Prod(product, gauss.Positive(c.Circuit, c.Read(gauss.Part(t, 0))))
	}
	c.Write(ir.MapPart{Table: allowed}, product)
	out, most := h.Temp("densities by "+name, vars...), h.Temp("largest ln density by "+name)
	move.In = append(move.In, out)
	fixed := slices.DeleteFunc(slices.Clone(h.discrete), func(v model.VarID) bool { return slices.Contains(vars, v) })
	return ir.OpBlock{Name: "draw " + name, Fixed: fixed, Ops: []ir.Op{c.MapOp(), &ir.AntilogOp{Out: out, Most: most, In: logs, Weight: allowed}, move}}, true
}

// forward returns the block that gives real variables their first values: draws from the prior
// given the states.
func (h *mixed) forward() ir.OpBlock {
	noise := h.parts("noise", ir.RoleTemp, len(h.part))
	next := h.parts("new values", ir.RoleTemp, len(h.part))
	c := gauss.NewCode()
	now := map[model.VarID]circuit.Node{}
	var to []ir.MapPart
	for _, v := range h.order() {
		seen, observed := h.evidence(c, v)
		now[v] = observed
		if f := h.Model.CPD(v); f != nil {
			d := h.net.Normal(c, f, func(u model.VarID) circuit.Node { return now[u] })
			drawn := c.Sum(d.Mean, c.Prod(d.Deviation, c.Read(gauss.Part(noise, len(to)))))
			now[v] = gauss.Or(c.Circuit, seen, observed, drawn)
		}
		c.Write(ir.MapPart{Table: next, Part: len(to)}, c.Sum(now[v], circuit.Zero))
		to = append(to, ir.MapPart{Table: h.values, Part: h.part[v]})
	}
	return ir.OpBlock{Name: "values", Fixed: h.discrete, Ops: []ir.Op{&ir.NoiseOp{Out: noise}, c.MapOp(), assign(next, to)}}
}

// order returns the real variables, parents first.
func (h *mixed) order() []model.VarID {
	return slices.DeleteFunc(h.Model.Topological(), func(v model.VarID) bool { return !h.Model.IsReal(v) })
}

// answers returns the operations that bring the statistics of real variables to their units.
func (h *mixed) answers() []ir.Op {
	c := gauss.NewCode()
	for _, v := range h.Model.Reals() {
		if h.Outs[v] == ir.NoTable {
			continue
		}
		seen, observed := h.evidence(c, v)
		if function(h.Model, v) {
			seen, observed = circuit.Zero, circuit.Zero
		}
		total := func(i int) circuit.Node { return c.Read(gauss.Part(h.chain.Stats[v].Total, i)) }
		s := c.Const(h.scale[v])
		mean := c.Sum(c.Const(h.centre[v]), c.Prod(s, total(0)))
		variance := c.Prod(c.Prod(s, s), total(1))
		c.Write(ir.MapPart{Table: h.Outs[v]}, gauss.Or(c.Circuit, seen, observed, mean))
		c.Write(ir.MapPart{Table: h.Outs[v], Part: 1}, c.Prod(c.Sub(circuit.One, seen), variance))
	}
	if h.stepped != nil {
		h.shares(c)
	}
	if c.Results() == 0 {
		return nil
	}
	return []ir.Op{c.MapOp()}
}
