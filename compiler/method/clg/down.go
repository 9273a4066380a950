package clg

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// down plans the moments of the variables of a component, from its root to the leaves.
func (b *builder) down(g *component) {
	for i := len(g.buckets) - 1; i >= 0; i-- {
		k := g.buckets[i]
		var above gauss.Stored
		switch p := k.parent; {
		case p == nil:
			k.weights = g.weights
		case slices.Equal(p.context, k.context):
			above, k.weights = p.moments.Of(k.scope), p.weights
		default:
			above = b.mix(p, k)
		}
		b.push(k, above)
		b.answers(k)
		if b.statistics != nil {
			b.family(k)
		}
	}
}

// push plans the moments of the variable of k, given the moments of its separator.
func (b *builder) push(k *bucket, above gauss.Stored) {
	k.moments = b.pushed(k, above, k.context)
}

// pushed plans the moments of the variable of k and of those that above has, for each joint state
// of a context.
func (b *builder) pushed(k *bucket, above gauss.Stored, context []model.VarID) gauss.Stored {
	c := gauss.NewCode()
	w := b.NewWriter(c, b.Temp("moments of "+b.m.Vars[k.v].Name, context))
	m := above.Read(c)
	r := &gauss.Regression{On: k.scope, Mean: c.Read(k.kept.mean), Var: c.Read(k.kept.variance)}
	for _, x := range k.kept.coef {
		r.Coef = append(r.Coef, c.Read(x))
	}
	m.Push(c.Circuit, k.v, r)
	n := len(above.Scope)
	out := gauss.Stored{Scope: m.Scope, Mean: append(slices.Clone(above.Mean), w.Write(m.Mean[n])), Cov: slices.Clone(above.Cov)}
	if len(r.On) > 1 { // terms of both signs may leave less than the noise
		m.Cov[n][n] = c.Max(m.Cov[n][n], r.Var)
	}
	var row []gauss.Number
	for _, x := range m.Cov[n] {
		row = append(row, w.Write(x))
	}
	out.Cov = append(out.Cov, row)
	w.Run()
	return out
}

// mix plans the moments of the separator of k for each state of its context, which is smaller than
// the context of its parent p: the moments of the mixtures that p's moments are. A joint state of
// weight 0 has moments of 0.
func (b *builder) mix(p, k *bucket) gauss.Stored {
	share := p.weights // of a joint state of p's context in that of k's
	if len(k.context) > 0 {
		k.weights = b.Temp("P("+b.Set(k.context)+" | evidence)", k.context)
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: k.weights}, c.Read(gauss.Part(p.weights, 0)))
		b.Ops = append(b.Ops, c.MapOp())
		share = b.Temp("P("+b.Set(p.context)+" | "+b.Set(k.context)+", evidence)", p.context)
		c = gauss.NewCode()
		c.Write(ir.MapPart{Table: share}, c.Ratio(c.Read(gauss.Part(p.weights, 0)), c.Read(gauss.Part(k.weights, 0))))
		b.Ops = append(b.Ops, c.MapOp())
	}
	return b.Mixture(p.moments.Of(k.scope), share, k.context)
}

// givens plans the answers of given real variables: their values.
func (b *builder) givens() {
	for _, v := range b.m.Reals() {
		if !b.m.Vars[v].Given {
			continue
		}
		b.answer[v] = b.Add(ir.Table{Name: b.m.Vars[v].Name + ", given", Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v})
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: b.answer[v], Part: 0}, c.Read(gauss.Part(b.evidence(v), 1)))
		c.Write(ir.MapPart{Table: b.answer[v], Part: 1}, circuit.Zero)
		b.Ops = append(b.Ops, c.MapOp())
	}
}

// answers plans the posterior mean and variance of the variable of k.
func (b *builder) answers(k *bucket) {
	v := k.v
	if b.m.Vars[v].Latent {
		return
	}
	n := len(k.scope)
	mean, variance := k.moments.Mean[n], k.moments.Cov[n][n]
	out := b.Add(ir.Table{Name: "P(" + b.m.Vars[v].Name + " | evidence)", Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v})
	b.answer[v] = out
	c := gauss.NewCode()
	if len(k.context) == 0 {
		c.Write(ir.MapPart{Table: out, Part: 0}, c.Sum(c.Read(mean), b.place(c, v)))
		c.Write(ir.MapPart{Table: out, Part: 1}, c.Read(variance))
		b.Ops = append(b.Ops, c.MapOp())
		return
	}
	middle := b.Temp("mean of "+b.m.Vars[v].Name, nil) // relative, so that an observed value is exact
	share := c.Read(gauss.Part(k.weights, 0))
	c.Write(ir.MapPart{Table: middle}, c.Prod(share, b.comparable(c, v, c.Read(mean))))
	b.Ops = append(b.Ops, c.MapOp())
	c = gauss.NewCode()
	off := c.Sub(b.comparable(c, v, c.Read(mean)), c.Read(gauss.Part(middle, 0)))
	c.Write(ir.MapPart{Table: out, Part: 1}, c.Prod(c.Read(gauss.Part(k.weights, 0)), c.Sum(c.Read(variance), c.Prod(off, off))))
	b.Ops = append(b.Ops, c.MapOp())
	c = gauss.NewCode()
	c.Write(ir.MapPart{Table: out, Part: 0}, c.Sum(c.Read(gauss.Part(middle, 0)), b.place(c, v)))
	b.Ops = append(b.Ops, c.MapOp())
}
