// Package forward plans samples that are drawn from parents to children: the blocks that draw each
// variable of a network given its parents, and that weigh the sample by its evidence.
//
// It is not a method. Likelihood weighting draws samples of a network with it, and a particle
// filter the next slice of each particle. A discrete variable is drawn in proportion to its CPD
// times its likelihood, and the sum of these products is its part of the weight. A run of real
// variables is one straight line of code at the drawn states: a value is its CPD's mean plus
// noise, or the observed one, whose ln density is added to that of the weight.
package forward

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/hybrid"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Sampler plans the blocks that draw one sample.
type Sampler struct {
	*blanket.Trials
	Net    *hybrid.Network
	Steps  []ir.OpBlock                 // the blocks of a sample, without their orders
	Part   map[model.VarID]int          // by real variable: its part of Values
	Before map[model.VarID]gauss.Number // values of real variables that are not drawn
	Values ir.TableID                   // a part for each real variable
	Points ir.TableID                   // the number of observed values so far that were certain given those before
	Log    ir.TableID                   // ln of the weight of the sample so far
	States []model.VarID                // the discrete variables that have a state so far
	// Weights holds further weights of the states of discrete variables that are drawn.
	Weights map[model.VarID]ir.TableID
	Both    bool // whether a value may be certain in some samples, and have a density in others
	// Propose returns, for code that draws real variables, the proposals in place of their CPDs;
	// nil stands for the CPDs.
	Propose func(c *gauss.Code) Proposal
}

// Proposal is a distribution from which the values of some real variables are drawn. The weight of
// a sample makes up for the difference from their CPDs.
type Proposal interface {
	// Of returns the normal distribution of a variable given those that have values, and 1 if the
	// variable is drawn from it or 0 if from its CPD; ok is false if it never is.
	Of(v model.VarID) (mean, variance, drawn circuit.Node, ok bool)
	// Set gives a variable a value.
	Set(v model.VarID, x circuit.Node)
}

// New returns a sampler of a network that draws the real variables reals, whose values are in a
// table of the given role.
func New(t *blanket.Trials, reals []model.VarID, role ir.Role) *Sampler {
	s := &Sampler{Trials: t, Net: hybrid.New(t.Schedule), Part: map[model.VarID]int{}, Before: map[model.VarID]gauss.Number{}}
	s.Net.Model = t.Model
	for i, v := range reals {
		s.Part[v] = i
	}
	if s.Values = ir.NoTable; len(reals) > 0 {
		s.Values = s.Add(ir.Table{Name: "values", Role: role, Var: -1, Parts: len(reals)})
	}
	s.Log, s.Points = s.Kept("ln weight so far"), s.Kept("certain values so far")
	return s
}

// BeginSample adds the block that begins a sample.
func (s *Sampler) BeginSample() {
	set := gauss.NewCode()
	set.Write(ir.MapPart{Table: s.Log}, circuit.Zero)
	set.Write(ir.MapPart{Table: s.Points}, circuit.Zero)
	s.Block("weight", []ir.Op{set.MapOp()})
}

// DrawAll adds the blocks that draw variables, of which parents come before children.
func (s *Sampler) DrawAll(vars []model.VarID) {
	var run []model.VarID
	flush := func() {
		if len(run) > 0 {
			s.Draw(run)
			run = nil
		}
	}
	for _, v := range vars {
		if len(run) > 0 && s.Model.IsReal(v) != s.Model.IsReal(run[0]) {
			flush()
		}
		if run = append(run, v); !s.Model.IsReal(v) && s.soft(v) {
			flush() // its weights depend on values
		}
	}
	flush()
}

// soft reports whether a variable has a softmax CPD.
func (s *Sampler) soft(v model.VarID) bool {
	f := s.Model.CPD(v)
	if f == nil {
		return false
	}
	_, is := f.Dist.(*model.Softmax)
	return is
}

// Block adds a block to the step, in which the states drawn so far are fixed.
func (s *Sampler) Block(name string, ops []ir.Op) {
	s.Steps = append(s.Steps, ir.OpBlock{Name: fmt.Sprintf("%s%d", name, len(s.Steps)), Fixed: slices.Clone(s.States), Ops: ops})
}

// Draw adds the blocks that draw some variables, which are all real or all discrete.
func (s *Sampler) Draw(run []model.VarID) {
	if s.Model.IsReal(run[0]) {
		s.drawReals(run)
		return
	}
	op := s.Trial(ir.DrawForward)
	for _, v := range run {
		level := s.Level(blanket.Plain, []model.VarID{v}, s.table(v))
		if s.soft(v) {
			level.In = append(level.In, s.softmax(v))
		}
		if t, ok := s.Weights[v]; ok {
			level.In = append(level.In, t)
		}
		op.Levels = append(op.Levels, level)
	}
	s.Steps = append(s.Steps, ir.OpBlock{Name: fmt.Sprintf("draw%d", len(s.Steps)), Ops: []ir.Op{op}})
	s.States = append(s.States, run...)
	c := gauss.NewCode()
	sum := s.Temp("ln weight with states")
	c.Write(ir.MapPart{Table: sum}, c.Sum(c.Read(gauss.Part(s.Log, 0)), c.Read(gauss.Part(s.Run().Weight, 0))))
	s.Block("weight", []ir.Op{c.MapOp(), s.Assign(s.Log, sum)})
}

// Assign returns the operation that copies one number of either sign.
func (s *Sampler) Assign(to, from ir.TableID) ir.Op {
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: to}, c.Read(gauss.Part(from, 0)))
	return c.MapOp()
}

// Run returns the numbers of the run.
func (s *Sampler) Run() ir.TrialNumbers[ir.TableID] { return s.Trial(ir.AddWeight).Run }

// table returns the factor of a discrete CPD as a list, which is empty for a given variable and for
// a softmax CPD.
func (s *Sampler) table(v model.VarID) []int {
	f := s.Model.CPD(v)
	if f == nil || s.soft(v) {
		return nil
	}
	return []int{slices.Index(s.Model.Factors, f)}
}

// softmax adds the block that computes the probabilities of the states of v, and returns their
// table.
func (s *Sampler) softmax(v model.VarID) ir.TableID {
	c := gauss.NewCode()
	t := s.Kept("P("+s.Model.Vars[v].Name+")", v)
	value := func(u model.VarID) circuit.Node { return c.Read(s.value(u)) }
	c.Write(ir.MapPart{Table: t}, c.Quot(circuit.One, s.Net.Odds(c, s.Model.CPD(v), value)))
	s.Block("softmax", []ir.Op{c.MapOp()})
	return t
}

// value returns the number that holds the value of a real variable.
func (s *Sampler) value(v model.VarID) gauss.Number {
	if x, ok := s.Before[v]; ok {
		return x
	}
	return gauss.Part(s.Values, s.Part[v])
}

// drawReals adds the block that draws real variables.
func (s *Sampler) drawReals(run []model.VarID) {
	noise := s.Add(ir.Table{Name: "noise", Role: ir.RoleTemp, Var: -1, Parts: len(run)})
	c, log, points := gauss.NewCode(), circuit.Zero, circuit.Zero
	now := map[model.VarID]circuit.Node{}
	value := func(u model.VarID) circuit.Node {
		if x, ok := now[u]; ok {
			return x
		}
		return c.Read(s.value(u))
	}
	next := s.Add(ir.Table{Name: "new values", Role: ir.RoleTemp, Var: -1, Parts: len(run)})
	var proposal Proposal
	if s.Propose != nil {
		proposal = s.Propose(c)
	}
	known := make([]ir.TableID, len(run))
	for i, v := range run {
		known[i] = s.Lambda[v]
		seen, observed := circuit.Zero, circuit.Zero
		if s.Lambda[v] != ir.NoTable {
			seen, observed = c.Read(gauss.Part(s.Lambda[v], 0)), c.Read(gauss.Part(s.Lambda[v], 1))
		}
		now[v] = observed
		if f := s.Model.CPD(v); f != nil {
			var add, point circuit.Node
			now[v], add, point = s.real(c, f, seen, observed, value, c.Read(gauss.Part(noise, i)), proposal)
			log, points = c.Sum(log, add), c.Sum(points, point)
		}
		if proposal != nil {
			proposal.Set(v, now[v])
		}
		if period := s.Model.Period(v); period != 0 {
			now[v] = gauss.Wrapped(c.Circuit, period, now[v])
		}
		c.Write(ir.MapPart{Table: next, Part: i}, c.Sum(now[v], circuit.Zero))
	}
	added := s.AddWeight(c, log, points)
	keep := gauss.NewCode()
	for i, v := range run {
		keep.Write(ir.MapPart{Table: s.Values, Part: s.Part[v]}, keep.Read(gauss.Part(next, i)))
	}
	s.Block("reals", slices.Concat([]ir.Op{&ir.NoiseOp{Out: noise, Known: known}, c.MapOp(), keep.MapOp()}, added))
}

// AddWeight makes code add to ln of the weight and to the number of certain values. It returns the
// operations that follow the code.
func (s *Sampler) AddWeight(c *gauss.Code, log, points circuit.Node) []ir.Op {
	sum, count := s.Temp("ln weight with values"), s.Temp("certain values with these")
	c.Write(ir.MapPart{Table: sum}, c.Sum(c.Read(gauss.Part(s.Log, 0)), log))
	c.Write(ir.MapPart{Table: count}, c.Sum(c.Read(gauss.Part(s.Points, 0)), points))
	return []ir.Op{s.Assign(s.Log, sum), s.Assign(s.Points, count)}
}

// Tolerance is the largest difference, relative to the sizes of both, between an observed value and
// the function that determines it.
const Tolerance = 1e-9

// real returns the value of the child of f, what its observation adds to ln of the weight, and
// whether it was observed and certain.
func (s *Sampler) real(c *gauss.Code, f *model.Factor, seen, observed circuit.Node, value hybrid.Value, z circuit.Node, proposal Proposal) (x, log, point circuit.Node) {
	d := s.Net.Normal(c, f, value)
	unseen, drawn := c.Sub(circuit.One, seen), c.Sum(d.Mean, c.Prod(d.Deviation, z))
	if proposal != nil {
		drawn, log = propose(c, proposal, f.ChildVar(), d, drawn, z)
	}
	x = c.Sum(c.Prod(unseen, drawn), observed)
	density, off := d.Observed(c, observed)
	abs := func(n circuit.Node) circuit.Node { return c.Max(n, c.Neg(n)) }
	allowed := c.Prod(c.Const(Tolerance), c.Sum(abs(observed), abs(d.Mean)))
	wrong := c.Prod(d.Function, gauss.Positive(c.Circuit, c.Sub(abs(off), allowed)))
	impossible := c.Sum(c.Prod(seen, wrong), c.Sub(circuit.One, d.Defined))
	if d.Both && seen != circuit.Zero {
		s.Both = true
	}
	log = c.Sum(c.Prod(unseen, log), c.Sum(c.Prod(seen, density), c.Prod(c.Const(ir.LogZero), c.Min(impossible, circuit.One))))
	return x, log, c.Prod(seen, d.Function)
}

// propose returns a value of v from a proposal, or drawn, one from its CPD d; and ln of the factor
// of the weight for it. A variable of variance 0 is a function, and keeps its CPD.
func propose(c *gauss.Code, proposal Proposal, v model.VarID, d *hybrid.Normal, drawn, z circuit.Node) (x, log circuit.Node) {
	mean, variance, by, ok := proposal.Of(v)
	if !ok {
		return drawn, circuit.Zero
	}
	by = c.Prod(by, c.Sub(circuit.One, d.Function))
	variance = gauss.Or(c.Circuit, by, variance, circuit.One)
	x = gauss.Or(c.Circuit, by, c.Sum(mean, c.Prod(c.Sqrt(variance), z)), drawn)
	q := c.Prod(c.Const(-.5), c.Sum(c.Prod(z, z), c.Log(c.Prod(c.Const(2*math.Pi), variance))))
	return x, c.Prod(by, c.Sub(d.Log(c, x), q))
}

// MergeBlocks joins blocks that follow each other and fix the same states.
func (s *Sampler) MergeBlocks() {
	var steps []ir.OpBlock
	for _, b := range s.Steps {
		if last := len(steps) - 1; last >= 0 && b.Fixed != nil == (steps[last].Fixed != nil) && slices.Equal(b.Fixed, steps[last].Fixed) {
			steps[last].Ops = append(steps[last].Ops, b.Ops...)
			continue
		}
		steps = append(steps, b)
	}
	s.Steps = steps
}

// Count adds the operation that copies the number of certain values to an answer, which it returns.
func (s *Sampler) Count() ir.TableID {
	t := s.Add(ir.Table{Name: "certain values", Role: ir.RoleOut, Var: -1})
	s.Block("certain", []ir.Op{s.Assign(t, s.Points)})
	return t
}

// Blocks adds the blocks of a sample to the schedule and returns their numbers.
func (s *Sampler) Blocks() (blocks []int) {
	order := make([]model.VarID, len(s.Schedule.Model.Vars))
	for v := range order {
		order[v] = model.VarID(v)
	}
	for _, b := range s.Steps {
		b.Order = order
		blocks = append(blocks, len(s.Schedule.Blocks))
		s.Schedule.Blocks = append(s.Schedule.Blocks, b)
	}
	return blocks
}
