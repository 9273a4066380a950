package importance

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/hybrid"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// mixed plans likelihood weighting of a network with real variables. A step draws the variables in
// topological order, in runs of discrete and of real ones. A run of real variables is one straight
// line of code at the drawn states: a value is its CPD's mean plus noise, or the observed one,
// whose ln density is added to the weight.
type mixed struct {
	*blanket.Trials
	step    []ir.OpBlock
	values  ir.TableID // a part for each real variable
	spreads ir.TableID // if collapsed: variances, where values are means given the states; else NoTable
	points  ir.TableID // the number of observed values so far that were certain given those before
	part    map[model.VarID]int
	scale   []float64
	net     *hybrid.Network
	both    bool       // whether a value may be certain in some samples, and have a density in others
	first   ir.TableID // values of the first sample
	log     ir.TableID // ln of the weight of the sample so far
	states  []model.VarID
}

// planHybrid returns the schedule of a network with real variables.
func (x *LWOptions) planHybrid(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	h := &mixed{Trials: blanket.NewTrials(p), part: map[model.VarID]int{}, spreads: ir.NoTable}
	h.net = hybrid.New(h.Schedule)
	_, h.scale = gauss.Units(p.Model)
	reals := p.Model.Reals()
	for i, v := range reals {
		h.part[v] = i
	}
	h.values = h.kept("values", len(reals))
	h.log, h.points = h.Kept("ln weight so far"), h.Kept("certain values so far")
	set := gauss.NewCode()
	set.Write(ir.MapPart{Table: h.log}, circuit.Zero)
	set.Write(ir.MapPart{Table: h.points}, circuit.Zero)
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
func (h *mixed) drawAll() {
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
		if run = append(run, v); !h.Model.IsReal(v) && h.soft(v) {
			flush() // its weights depend on values
		}
	}
	flush()
}

// soft reports whether a variable has a softmax CPD.
func (h *mixed) soft(v model.VarID) bool {
	f := h.Model.CPD(v)
	if f == nil {
		return false
	}
	_, is := f.Dist.(*model.Softmax)
	return is
}

// kept adds a table of several numbers that keeps them.
func (h *mixed) kept(name string, parts int) ir.TableID {
	return h.Add(ir.Table{Name: name, Role: ir.RolePersistent, Var: -1, Parts: parts})
}

// block adds a block to the step, in which the states drawn so far are fixed.
func (h *mixed) block(name string, ops []ir.Op) {
	h.step = append(h.step, ir.OpBlock{Name: fmt.Sprintf("%s%d", name, len(h.step)), Fixed: slices.Clone(h.states), Ops: ops})
}

// draw adds the blocks that draw some variables, which are all real or all discrete.
func (h *mixed) draw(run []model.VarID) {
	if h.Model.IsReal(run[0]) {
		h.drawReals(run)
		return
	}
	op := h.Trial(ir.DrawForward)
	for _, v := range run {
		level := h.Level(blanket.Plain, []model.VarID{v}, h.table(v))
		if h.soft(v) {
			level.In = append(level.In, h.softmax(v))
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
func (h *mixed) assign(to, from ir.TableID) ir.Op {
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: to}, c.Read(gauss.Part(from, 0)))
	return c.MapOp()
}

// run returns the numbers of the run.
func (h *mixed) run() ir.TrialNumbers[ir.TableID] { return h.Trial(ir.AddWeight).Run }

// table returns the factor of a discrete CPD as a list, which is empty for a given variable and for
// a softmax CPD.
func (h *mixed) table(v model.VarID) []int {
	f := h.Model.CPD(v)
	if f == nil || h.soft(v) {
		return nil
	}
	return []int{slices.Index(h.Model.Factors, f)}
}

// softmax adds the block that computes the probabilities of the states of v, and returns their
// table.
func (h *mixed) softmax(v model.VarID) ir.TableID {
	c := gauss.NewCode()
	t := h.Kept("P("+h.Model.Vars[v].Name+")", v)
	value := func(u model.VarID) circuit.Node { return c.Read(gauss.Part(h.values, h.part[u])) }
	c.Write(ir.MapPart{Table: t}, c.Quot(circuit.One, h.net.Odds(c, h.Model.CPD(v), value)))
	h.block("softmax", []ir.Op{c.MapOp()})
	return t
}

// drawReals adds the block that draws real variables.
func (h *mixed) drawReals(run []model.VarID) {
	noise := h.Add(ir.Table{Name: "noise", Role: ir.RoleTemp, Var: -1, Parts: len(run)})
	c, log, points := gauss.NewCode(), circuit.Zero, circuit.Zero
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
			var add, point circuit.Node
			now[v], add, point = h.real(c, f, seen, observed, value, c.Read(gauss.Part(noise, i)))
			log, points = c.Sum(log, add), c.Sum(points, point)
		}
		c.Write(ir.MapPart{Table: next, Part: i}, c.Sum(now[v], circuit.Zero))
	}
	added := h.add(c, log, points)
	keep := gauss.NewCode()
	for i, v := range run {
		keep.Write(ir.MapPart{Table: h.values, Part: h.part[v]}, keep.Read(gauss.Part(next, i)))
	}
	h.block("reals", slices.Concat([]ir.Op{&ir.NoiseOp{Out: noise}, c.MapOp(), keep.MapOp()}, added))
}

// add makes code add to ln of the weight and to the number of certain values. It returns the
// operations that follow the code.
func (h *mixed) add(c *gauss.Code, log, points circuit.Node) []ir.Op {
	sum, count := h.Temp("ln weight with values"), h.Temp("certain values with these")
	c.Write(ir.MapPart{Table: sum}, c.Sum(c.Read(gauss.Part(h.log, 0)), log))
	c.Write(ir.MapPart{Table: count}, c.Sum(c.Read(gauss.Part(h.points, 0)), points))
	return []ir.Op{h.assign(h.log, sum), h.assign(h.points, count)}
}

// functionTolerance is the largest difference, relative to the sizes of both, between an observed
// value and the function that determines it.
const functionTolerance = 1e-9

// real returns the value of the child of f, what its observation adds to ln of the weight, and
// whether it was observed and certain.
func (h *mixed) real(c *gauss.Code, f *model.Factor, seen, observed circuit.Node, value hybrid.Value, z circuit.Node) (x, log, point circuit.Node) {
	d := h.net.Normal(c, f, value)
	drawn := c.Sum(d.Mean, c.Prod(d.Deviation, z))
	x = c.Sum(c.Prod(c.Sub(circuit.One, seen), drawn), observed)
	off := c.Sub(observed, d.Mean)
	abs := func(n circuit.Node) circuit.Node { return c.Max(n, c.Neg(n)) }
	density := c.Sub(c.Prod(c.Const(-.5), c.Prod(d.Precision, c.Prod(off, off))), d.Half)
	allowed := c.Prod(c.Const(functionTolerance), c.Sum(abs(observed), abs(d.Mean)))
	wrong := c.Prod(d.Function, gauss.Positive(c.Circuit, c.Sub(abs(off), allowed)))
	impossible := c.Sum(c.Prod(seen, wrong), c.Sub(circuit.One, d.Defined))
	if d.Both && seen != circuit.Zero {
		h.both = true
	}
	return x, c.Sum(c.Prod(seen, density), c.Prod(c.Const(ir.LogZero), c.Min(impossible, circuit.One))), c.Prod(seen, d.Function)
}

// build returns the plan: the blocks of the step take the place of one.
func (h *mixed) build(q *ir.Query, x *LWOptions, end []ir.Op) *ir.Plan {
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
