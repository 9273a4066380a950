package importance

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// hybrid plans likelihood weighting of a network with real variables. A step draws the variables in
// topological order, in runs of discrete and of real ones. A run of real variables is one straight
// line of code at the drawn states: a value is its CPD's mean plus noise, or the observed one,
// whose ln density is added to the weight.
type hybrid struct {
	*blanket.Trials
	step    []ir.OpBlock
	values  ir.TableID // a part for each real variable
	spreads ir.TableID // if collapsed: variances, where values are means given the states; else NoTable
	part    map[model.VarID]int
	scale   []float64
	first   ir.TableID // values of the first sample
	log     ir.TableID // ln of the weight of the sample so far
	states  []model.VarID
}

// planHybrid returns the schedule of a network with real variables.
func (x *LWOptions) planHybrid(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	h := &hybrid{Trials: blanket.NewTrials(p), part: map[model.VarID]int{}, spreads: ir.NoTable}
	_, h.scale = gauss.Units(p.Model)
	reals := p.Model.Reals()
	for i, v := range reals {
		h.part[v] = i
	}
	h.values = h.kept("values", len(reals))
	h.log = h.Kept("ln weight so far")
	set := gauss.NewCode()
	set.Write(ir.MapPart{Table: h.log}, circuit.Zero)
	h.block("weight", []ir.Op{set.MapOp()})
	if x.Collapsed {
		h.spreads = h.kept("variances", len(reals))
		h.drawStates()
	} else {
		h.drawAll()
	}
	ops, end := h.weigh(reals)
	h.block("weigh", ops)
	plan := h.build(p.Queries[0], x, end)
	if err := c.Fits(h.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := h.Fill(c); err != nil {
		return nil, method.Sampled, fmt.Errorf("lw: %w", err)
	}
	return plan, method.Sampled, nil
}

// drawAll adds the blocks that draw all variables.
func (h *hybrid) drawAll() {
	var run []model.VarID
	flush := func() {
		if len(run) > 0 {
			h.draw(run)
			run = nil
		}
	}
	for _, v := range h.Model.Topological() {
		if len(run) > 0 && h.Model.IsReal(v) != h.Model.IsReal(run[0]) {
			flush()
		}
		if run = append(run, v); !h.Model.IsReal(v) && h.soft(v) != nil {
			flush() // its weights depend on values
		}
	}
	flush()
}

// soft returns the softmax CPD of a variable, or nil.
func (h *hybrid) soft(v model.VarID) *model.Softmax {
	if f := h.Model.CPD(v); f != nil {
		d, _ := f.Dist.(*model.Softmax)
		return d
	}
	return nil
}

// kept adds a table of several numbers that keeps them.
func (h *hybrid) kept(name string, parts int) ir.TableID {
	return h.Add(ir.Table{Name: name, Role: ir.RolePersistent, Var: -1, Parts: parts})
}

// block adds a block to the step, in which the states drawn so far are fixed.
func (h *hybrid) block(name string, ops []ir.Op) {
	h.step = append(h.step, ir.OpBlock{Name: fmt.Sprintf("%s%d", name, len(h.step)), Fixed: slices.Clone(h.states), Ops: ops})
}

// draw adds the blocks that draw some variables, which are all real or all discrete.
func (h *hybrid) draw(run []model.VarID) {
	if h.Model.IsReal(run[0]) {
		h.drawReals(run)
		return
	}
	op := h.Trial(ir.DrawForward)
	for _, v := range run {
		level := h.Level(blanket.Plain, []model.VarID{v}, h.table(v))
		if d := h.soft(v); d != nil {
			level.In = append(level.In, h.softmax(v, d))
		}
		op.Levels = append(op.Levels, level)
	}
	h.step = append(h.step, ir.OpBlock{Name: fmt.Sprintf("draw%d", len(h.step)), Ops: []ir.Op{op}})
	h.states = append(h.states, run...)
	c := gauss.NewCode()
	sum := h.Temp("ln weight with states")
	c.Write(ir.MapPart{Table: sum}, c.Sum(c.Read(gauss.Part(h.log, 0)), c.Read(gauss.Part(h.run().Weight, 0))))
	h.block("weight", []ir.Op{c.MapOp(), h.assign(h.log, sum)})
}

// assign returns the operation that copies one number of either sign.
func (h *hybrid) assign(to, from ir.TableID) ir.Op {
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: to}, c.Read(gauss.Part(from, 0)))
	return c.MapOp()
}

// run returns the numbers of the run.
func (h *hybrid) run() ir.TrialNumbers[ir.TableID] { return h.Trial(ir.AddWeight).Run }

// table returns the factor of a discrete CPD as a list, which is empty for a given variable and for
// a softmax CPD.
func (h *hybrid) table(v model.VarID) []int {
	f := h.Model.CPD(v)
	if f == nil || h.soft(v) != nil {
		return nil
	}
	return []int{slices.Index(h.Model.Factors, f)}
}

// softmax adds the block that computes the probabilities of the states of v, and returns their
// table.
func (h *hybrid) softmax(v model.VarID, d *model.Softmax) ir.TableID {
	f := h.Model.CPD(v)
	discrete, parents := h.Model.SplitParents(f)
	card, c := h.Model.Card(v), gauss.NewCode()
	k := gauss.NewColumns(h.Schedule, h.Model.FactorName(f), discrete)
	is := gauss.NewColumns(h.Schedule, "states of "+h.Model.Vars[v].Name, []model.VarID{v})
	scores, own := make([]circuit.Node, card), circuit.Zero
	for s := range card {
		column := func(at func(r int) float64) circuit.Node {
			x := make([]float64, len(d.Bias)/card)
			for r := range x {
				x[r] = at(r*card + s)
			}
			return k.Read(c, x)
		}
		scores[s] = column(func(at int) float64 { return d.Bias[at] })
		for i, u := range parents {
			by := column(func(at int) float64 { return d.Coef[at*len(parents)+i] })
			scores[s] = c.Sum(scores[s], c.Prod(by, c.Read(gauss.Part(h.values, h.part[u]))))
		}
		one := make([]float64, card)
		one[s] = 1
		own = c.Sum(own, c.Prod(is.Read(c, one), scores[s]))
	}
	const most = 600 // no exponential overflows
	all := circuit.Zero
	for _, s := range scores {
		all = c.Sum(all, c.Exp(c.Min(c.Sub(s, own), c.Const(most))))
	}
	t := h.Kept("P("+h.Model.Vars[v].Name+")", v)
	c.Write(ir.MapPart{Table: t}, c.Quot(circuit.One, all))
	h.block("softmax", []ir.Op{c.MapOp()})
	return t
}

// drawReals adds the block that draws real variables.
func (h *hybrid) drawReals(run []model.VarID) {
	noise := h.Add(ir.Table{Name: "noise", Role: ir.RoleTemp, Var: -1, Parts: len(run)})
	c, log := gauss.NewCode(), circuit.Zero
	now := map[model.VarID]circuit.Node{}
	value := func(u model.VarID) circuit.Node {
		if x, ok := now[u]; ok {
			return x
		}
		return c.Read(gauss.Part(h.values, h.part[u]))
	}
	next := h.Add(ir.Table{Name: "new values", Role: ir.RoleTemp, Var: -1, Parts: len(run)})
	for i, v := range run {
		seen, observed := circuit.Zero, circuit.Zero
		if h.Lambda[v] != ir.NoTable {
			seen, observed = c.Read(gauss.Part(h.Lambda[v], 0)), c.Read(gauss.Part(h.Lambda[v], 1))
		}
		now[v] = observed
		if f := h.Model.CPD(v); f != nil {
			var add circuit.Node
			now[v], add = h.real(c, f, seen, observed, value, c.Read(gauss.Part(noise, i)))
			log = c.Sum(log, add)
		}
		c.Write(ir.MapPart{Table: next, Part: i}, c.Sum(now[v], circuit.Zero))
	}
	sum := h.Temp("ln weight with values")
	c.Write(ir.MapPart{Table: sum}, c.Sum(c.Read(gauss.Part(h.log, 0)), log))
	keep := gauss.NewCode()
	for i, v := range run {
		keep.Write(ir.MapPart{Table: h.values, Part: h.part[v]}, keep.Read(gauss.Part(next, i)))
	}
	h.block("reals", []ir.Op{&ir.NoiseOp{Out: noise}, c.MapOp(), keep.MapOp(), h.assign(h.log, sum)})
}

// functionTolerance is the largest difference, relative to the sizes of both, between an observed
// value and the function that determines it.
const functionTolerance = 1e-9

// real returns the value of the child of f, and what its observation adds to ln of the weight.
func (h *hybrid) real(c *gauss.Code, f *model.Factor, seen, observed circuit.Node, value func(model.VarID) circuit.Node, z circuit.Node) (x, log circuit.Node) {
	mean, defined, variances := h.mean(c, f, value)
	discrete, _ := h.Model.SplitParents(f)
	k := gauss.NewColumns(h.Schedule, "variances of the "+h.Model.FactorName(f), discrete)
	n := len(variances)
	deviation, precision, half, function := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for r, v := range variances {
		deviation[r] = math.Sqrt(v)
		if v > 0 {
			precision[r], half[r] = 1/v, .5*math.Log(2*math.Pi*v)
		} else {
			function[r] = 1
		}
	}
	drawn := c.Sum(mean, c.Prod(k.Read(c, deviation), z))
	x = c.Sum(c.Prod(c.Sub(circuit.One, seen), drawn), observed)
	off := c.Sub(observed, mean)
	abs := func(n circuit.Node) circuit.Node { return c.Max(n, c.Neg(n)) }
	density := c.Sub(c.Prod(c.Const(-.5), c.Prod(k.Read(c, precision), c.Prod(off, off))), k.Read(c, half))
	allowed := c.Prod(c.Const(functionTolerance), c.Sum(abs(observed), abs(mean)))
	wrong := c.Prod(k.Read(c, function), gauss.Positive(c.Circuit, c.Sub(abs(off), allowed)))
	impossible := c.Sum(c.Prod(seen, wrong), c.Sub(circuit.One, defined))
	return x, c.Sum(c.Prod(seen, density), c.Prod(c.Const(ir.LogZero), c.Min(impossible, circuit.One)))
}

// mean returns the mean of the child of f given the values of its parents, whether an expression is
// defined there, and the variances by row.
func (h *hybrid) mean(c *gauss.Code, f *model.Factor, value func(model.VarID) circuit.Node) (mean, defined circuit.Node, variances []float64) {
	if d, ok := f.Dist.(*model.Func); ok {
		is := func(axis int, state int32) circuit.Node {
			v := f.Scope[axis]
			one := make([]float64, h.Model.Card(v))
			one[state] = 1
			return gauss.NewColumns(h.Schedule, "states of "+h.Model.Vars[v].Name, []model.VarID{v}).Read(c, one)
		}
		mean, defined = gauss.Expression(c.Circuit, d, func(axis int) circuit.Node { return value(f.Scope[axis]) }, is)
		return mean, defined, d.Var
	}
	r, _ := h.regression(c, f)
	mean = r.Mean
	for i, u := range r.On {
		mean = c.Sum(mean, c.Prod(r.Coef[i], value(u)))
	}
	return mean, circuit.One, f.Gaussian().Var
}

// regression returns a Gaussian CPD at the states drawn, without its variance, and the table that
// may hold that too.
func (h *hybrid) regression(c *gauss.Code, f *model.Factor) (*gauss.Regression, *gauss.Columns) {
	discrete, parents := h.Model.SplitParents(f)
	d := f.Gaussian()
	k := gauss.NewColumns(h.Schedule, h.Model.FactorName(f), discrete)
	r := &gauss.Regression{On: parents, Mean: k.Read(c, d.Mean)}
	for i := range parents {
		column := make([]float64, len(d.Mean))
		for row := range column {
			_, coef, _ := d.Row(row)
			column[row] = coef[i]
		}
		r.Coef = append(r.Coef, k.Read(c, column))
	}
	return r, k
}

// build returns the plan: the blocks of the step take the place of one.
func (h *hybrid) build(q *ir.Query, x *LWOptions, end []ir.Op) *ir.Plan {
	h.End = end
	plan := h.Build(q, x.chain(), blanket.NoTrial(ir.ModeSample))
	s := plan.Schedule
	e := &s.Entries[0]
	at := e.Chain.Cut[ir.SectionStart]
	order := make([]model.VarID, len(h.Model.Vars))
	for v := range order {
		order[v] = model.VarID(v)
	}
	var blocks []int
	for _, b := range h.step {
		b.Order = order
		blocks = append(blocks, len(s.Blocks))
		s.Blocks = append(s.Blocks, b)
	}
	e.Blocks = slices.Insert(e.Blocks, at, blocks...)
	for i := int(ir.SectionSweep); i < len(e.Chain.Cut); i++ {
		e.Chain.Cut[i] += len(blocks)
	}
	return plan
}
