package particle

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/forward"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// pass goes over the variables of one slice of a particle. It pushes the real ones onto moments,
// each with its evidence, gives the drawn ones values, and draws states. A state that measurements
// wait for is drawn by their density, with the moments for each state, of which those of the drawn
// one go on.
//
// A proposal takes two passes. In the first one drawn variables stay spread: it draws the states,
// and ends with a normal distribution of the drawn variables given the evidence. The second one
// draws these from it, and adds up the weight.
type pass struct {
	*kept
	m      *model.Model
	d      *forward.Sampler
	ctx    *method.Context
	turns  []turn
	of     *slicing
	inputs map[model.VarID]ir.TableID
	before gauss.Stored
	spread bool // drawn variables get no values
	known  bool // all states are drawn
	near   *fitted

	c      *gauss.Code   // of the block under construction
	noise  []model.VarID // that are drawn in it
	random ir.TableID    // their noise
	log    circuit.Node  // ln of the factor of the weight
	st     *partial
	left   []model.VarID // variables of the slice that are pushed

	tables  map[string]*gauss.Columns
	columns map[string]gauss.Number
}

// mostBranches is the most joint states of the discrete parents of a real variable. Constants take
// its square.
const mostBranches = 256

// mostCode is the most operations of one slice of a particle if no covariance is 0, which is about
// the time that it takes to plan.
const mostCode = 1 << 25

// slice adds the entry of a slice m, and returns its moments at the end.
func (k *kept) slice(c *method.Context, s *ir.Schedule, m *model.Model, p *ir.Problem, name string) (*gauss.Moments, error) {
	d, stream, real := newSlice(s, m, p, k.how, len(k.how.Draw.Kept.Carried))
	s.Tables[d.Values].Parts = k.how.Draw.Kept.Values
	x := &pass{kept: k, m: m, d: d, ctx: c, inputs: map[model.VarID]ir.TableID{}, tables: map[string]*gauss.Columns{}, columns: map[string]gauss.Number{}}
	x.turns, x.of = k.order(m)
	for v, t := range d.Lambda {
		if t != ir.NoTable {
			x.inputs[model.VarID(v)] = t
		}
	}
	if len(real) > 0 {
		x.before = k.enter(stream.In[0], real)
	}
	if err := x.fits(); err != nil {
		return nil, err
	}
	d.BeginSample()
	d.Weights = map[model.VarID]ir.TableID{}
	x.begin()
	if rules[k.how.Draw.Proposal] != nil {
		if err := x.propose(); err != nil {
			return nil, err
		}
	}
	if err := x.run(); err != nil {
		return nil, err
	}
	end := x.st.Moments
	if err := x.leave(); err != nil {
		return nil, err
	}
	stream.Out = []ir.TableID{d.Values}
	return end, endSlice(c, s, p, name, d, stream)
}

// fits returns an error if a real variable has too many regressions, or the slice too much
// arithmetic.
func (p *pass) fits() error {
	ops, n := 0.0, float64(len(p.base.Reals()))
	for _, t := range p.turns {
		over := p.parentStates(t.real)
		states := p.m.JointStates(over)
		if states > mostBranches {
			return diag.Errorf("the real variable %q has a regression for each of %.4g joint states of {%s}; limit: %d", p.m.Vars[t.real[0]].Name, states, p.d.Names(over), mostBranches)
		}
		ops += states * n * n * float64(len(t.real))
	}
	if ops > mostCode {
		return diag.Errorf("the %v real variables of a particle take up to about %.2g operations; limit: %d", n, ops, mostCode)
	}
	return nil
}

// begin begins a pass with the moments before the slice.
func (p *pass) begin() {
	p.c, p.log, p.noise, p.left, p.random = gauss.NewCode(), circuit.Zero, nil, nil, ir.NoTable
	p.st = &partial{p.before.Read(p.c), circuit.Zero, circuit.One}
}

// propose is the first pass of a proposal.
func (p *pass) propose() error {
	p.spread = true
	if err := p.run(); err != nil {
		return err
	}
	end := p.st
	numbers := p.flush(end)
	p.spread, p.known = false, true
	p.begin()
	p.read(end, numbers[0])
	p.near = &fitted{c: p.c, defined: end.defined}
	p.near.take(end.Moments, p.drawn)
	return nil
}

// run goes over the variables of the slice.
func (p *pass) run() error {
	for _, t := range p.turns {
		err := p.ctx.Err()
		switch {
		case err != nil:
		case t.discrete < 0 || p.known:
			err = p.advance(t.real)
		case len(t.real) == 0:
			p.read(p.st, p.flush(p.st)[0])
			p.d.Draw([]model.VarID{t.discrete})
		default:
			err = p.decide(t.discrete, t.real)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// advance pushes real variables at the drawn states.
func (p *pass) advance(vars []model.VarID) error {
	if len(vars) == 0 {
		return nil
	}
	over := p.parentStates(vars)
	branches, err := p.branch(vars, over, true)
	if err != nil {
		return err
	}
	p.st = p.choose(branches, over)
	if !p.spread {
		p.log = p.c.Sum(p.log, p.st.log)
	}
	for _, v := range vars {
		if p.near != nil && p.isDrawn(v) {
			p.near.Set(v, p.st.Of(v))
		}
	}
	p.forget(vars)
	return nil
}

// decide draws the state of v by the density of the measurements vars, and pushes these.
func (p *pass) decide(v model.VarID, vars []model.VarID) error {
	over := p.parentStates(vars)
	branches, err := p.branch(vars, over, true)
	if err != nil {
		return err
	}
	numbers := p.flush(branches...)
	c, log := gauss.NewCode(), circuit.Zero
	for u := range branches {
		where := make([]float64, len(branches))
		where[u] = 1
		log = c.Sum(log, c.Prod(p.column(c, over, where), c.Read(numbers[u][logNode])))
	}
	name := p.m.Vars[v].Name
	density, possible, most := p.d.Kept("ln density by "+name, v), p.d.Kept("possible "+name, v), p.d.Kept("largest ln density by "+name)
	c.Write(ir.MapPart{Table: density}, log)
	prior, err := p.prior(c, v)
	if err != nil {
		return err
	}
	c.Write(ir.MapPart{Table: possible}, prior)
	p.d.Weights[v] = p.d.Kept("density by "+name, v)
	p.d.Block("score", []ir.Op{c.MapOp(), &ir.AntilogOp{Out: p.d.Weights[v], Most: most, In: density, Weight: possible}})
	p.d.Draw([]model.VarID{v})
	c = gauss.NewCode()
	add := c.Read(gauss.Part(most, 0))
	if p.spread { // the state is only proposed
		add = c.Sub(add, c.Read(gauss.Part(density, 0)))
	}
	added := p.d.AddWeight(c, add, circuit.Zero)
	p.d.Block("weight", append([]ir.Op{c.MapOp()}, added...))
	for u, b := range branches {
		p.read(b, numbers[u])
	}
	p.st = p.choose(branches, over)
	p.forget(vars)
	return nil
}

// prior returns the probability of each state of v given its parents, times its likelihood.
func (p *pass) prior(c *gauss.Code, v model.VarID) (circuit.Node, error) {
	n := circuit.One
	if p.d.Lambda[v] != ir.NoTable {
		n = c.Read(gauss.Part(p.d.Lambda[v], 0))
	}
	f := p.m.CPD(v)
	if f == nil {
		return n, nil
	}
	values, err := p.m.Tabulate(f, p.ctx.MaxTable)
	if err != nil {
		return n, err
	}
	scope := slices.Sorted(slices.Values(f.Scope))
	return c.Prod(n, p.column(c, scope, p.m.Rearrange(values, f.Scope, scope))), nil
}

// flush ends the block under construction, and begins a new one in which numbers of the given
// partials can be read.
func (p *pass) flush(list ...*partial) [][]gauss.Number {
	numbers := p.store(list)
	var ops, added []ir.Op
	if p.log != circuit.Zero {
		added = p.d.AddWeight(p.c, p.log, circuit.Zero)
	}
	if len(p.noise) > 0 {
		known := make([]ir.TableID, len(p.noise))
		for i, v := range p.noise {
			known[i] = p.d.Lambda[v]
		}
		ops = append(ops, &ir.NoiseOp{Out: p.random, Known: known})
	}
	if p.c.Results() > 0 {
		p.d.Block("reals", slices.Concat(ops, []ir.Op{p.c.MapOp()}, added))
	}
	p.c, p.log, p.noise, p.random = gauss.NewCode(), circuit.Zero, nil, ir.NoTable
	return numbers
}
