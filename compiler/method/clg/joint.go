package clg

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// joint is the plan of a joint posterior of real and discrete variables, or of a mixture. Its
// answer is a table over the discrete variables with the parts of [model.JointParts].
type joint struct {
	real     []model.VarID // the real targets; nil if the query is about discrete variables alone
	discrete []model.VarID // the scope of the answer, in its order
	over     []model.VarID // discrete, and the contexts of the components of the real targets
	parts    []*component  // these components
	weights  ir.TableID    // the posterior of over
	front    *component    // the component whose context over is; nil if there is none
	out      ir.TableID
	block    int
}

// newJoint returns the plan of q, or a joint without real targets. A mixture is the joint posterior
// of its target and the context of the target's component.
func (b *builder) newJoint(q *ir.Query) joint {
	j := joint{weights: ir.NoTable}
	if q.Kind != ir.Joint && q.Kind != ir.Mixture || !slices.ContainsFunc(q.Targets, b.m.IsReal) {
		return j
	}
	j.discrete, j.real = b.m.SplitReal(q.Targets)
	j.over = j.discrete
	for _, g := range b.components {
		if slices.ContainsFunc(j.real, func(v model.VarID) bool { return slices.Contains(g.vars, v) }) {
			j.parts = append(j.parts, g)
			j.over = union(j.over, g.context)
		}
	}
	if q.Kind == ir.Mixture {
		j.discrete = j.over
	} else if len(j.over) == len(j.discrete) {
		j.over = j.discrete
	}
	for _, g := range j.parts {
		if len(g.context) > 0 && slices.Equal(g.context, j.over) {
			j.front = g
		}
	}
	return j
}

// weighs returns the query of the discrete part that weighs the components of the mixture. The
// posterior of the context of a component is there in any case.
func (j *joint) weighs(number int) *ir.Query {
	name := "weights " + strconv.Itoa(number)
	if len(j.over) == 0 || j.front != nil {
		return &ir.Query{Name: name, Kind: ir.LogProb}
	}
	return &ir.Query{Name: name, Kind: ir.Joint, Targets: j.over}
}

// joint plans the answer of j. Within a joint state of all discrete variables that matter, real
// variables are normal, and independent if their components differ. The answer mixes these normal
// distributions over the variables that are not in its scope.
func (b *builder) joint(j *joint) {
	m := b.compared(b.conditional(j), j.over)
	j.out = b.Add(ir.Table{Name: "joint posterior of " + b.Set(append(slices.Clone(j.real), j.discrete...)), Scope: j.discrete, Role: ir.RoleOut, Var: -1,
		Parts: model.JointParts(len(j.real))})
	if len(j.over) > len(j.discrete) {
		m = b.mixed(j, m)
	}
	c := gauss.NewCode()
	one := circuit.One // 0 for joint states of probability 0, whose moments are 0
	if len(j.discrete) > 0 {
		p := c.Read(b.probability(j))
		one = c.Ratio(p, p)
		c.Write(ir.MapPart{Table: j.out}, p)
	} else {
		c.Write(ir.MapPart{Table: j.out}, c.Const(1))
	}
	part := 1
	write := func(n circuit.Node) {
		c.Write(ir.MapPart{Table: j.out, Part: part}, c.Prod(one, n))
		part++
	}
	for i, v := range j.real {
		write(c.Sum(c.Read(m.Mean[i]), b.place(c, v)))
	}
	for i := range j.real {
		for k := range i + 1 {
			write(c.Read(m.Cov[i][k]))
		}
	}
	b.Ops = append(b.Ops, c.MapOp())
}

// probability returns the number of the probability of a joint state of the answer's scope.
func (b *builder) probability(j *joint) gauss.Number {
	if len(j.over) == len(j.discrete) {
		return gauss.Part(j.weights, 0)
	}
	t := b.Temp("P("+b.Set(j.discrete)+" | evidence)", j.discrete)
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: t}, c.Read(gauss.Part(j.weights, 0)))
	b.Ops = append(b.Ops, c.MapOp())
	return gauss.Part(t, 0)
}

// conditional plans the moments of the real targets for each joint state of the variables of
// j.over. A given variable is at its value, and has no variance.
func (b *builder) conditional(j *joint) gauss.Stored {
	var of []gauss.Stored
	for _, g := range j.parts {
		of = append(of, b.carry(g, j.real))
	}
	number := func(v, w model.VarID, pick func(m *gauss.Stored, i, k int) gauss.Number) gauss.Number {
		for i := range of {
			m := &of[i]
			if at, to := slices.Index(m.Scope, v), slices.Index(m.Scope, w); at >= 0 && to >= 0 {
				return pick(m, max(at, to), min(at, to))
			}
		}
		return gauss.Constant(0)
	}
	out := gauss.Stored{Scope: j.real}
	for i, v := range j.real {
		out.Mean = append(out.Mean, number(v, v, func(m *gauss.Stored, i, _ int) gauss.Number { return m.Mean[i] }))
		var row []gauss.Number
		for _, w := range j.real[:i+1] {
			row = append(row, number(v, w, func(m *gauss.Stored, i, k int) gauss.Number { return m.Cov[i][k] }))
		}
		out.Cov = append(out.Cov, row)
	}
	return out
}

// carry plans the moments of the targets that are in g for each joint state of g's context. It goes
// from the root down the ways to their buckets and keeps the variables that it still needs.
func (b *builder) carry(g *component, targets []model.VarID) gauss.Stored {
	on := map[*bucket]bool{}
	for _, v := range targets {
		if slices.Contains(g.vars, v) {
			for k := b.bucketOf[v]; k != nil; k = k.parent {
				on[k] = true
			}
		}
	}
	var m gauss.Stored
	for i := len(g.buckets) - 1; i >= 0; i-- {
		k := g.buckets[i]
		if !on[k] {
			continue
		}
		m = b.pushed(k, m, g.context)
		m = m.Of(slices.DeleteFunc(slices.Clone(m.Scope), func(v model.VarID) bool {
			return !slices.Contains(targets, v) && !slices.ContainsFunc(g.buckets[:i], func(k *bucket) bool { return on[k] && slices.Contains(k.scope, v) })
		}))
	}
	return m
}

// mixed plans the moments of the mixtures of m over the variables of j.over that are not in the
// scope of the answer.
func (b *builder) mixed(j *joint, m gauss.Stored) gauss.Stored {
	share := j.weights // of a joint state of over in that of the scope
	if len(j.discrete) > 0 {
		p := b.probability(j)
		share = b.Temp("P("+b.Set(j.over)+" | "+b.Set(j.discrete)+", evidence)", j.over)
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: share}, c.Ratio(c.Read(gauss.Part(j.weights, 0)), c.Read(p)))
		b.Ops = append(b.Ops, c.MapOp())
	}
	return b.Mixture(m, share, j.discrete)
}
