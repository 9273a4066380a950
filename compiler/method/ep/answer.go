package ep

import (
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// finish plans the answers: marginals from the clusters of the variables, and ln P from the roots.
func (b *builder) finish() {
	round := b.Round
	b.Round = nil
	for _, k := range b.clusters {
		if len(k.home) > 0 || k.up == nil {
			b.answers(k)
		}
	}
	b.givens()
	b.End, b.Round = b.Round, round
}

// answers plans the marginals of the variables of a cluster, and the evidence of a root.
func (b *builder) answers(k *cluster) {
	_, reals := b.split(k.home)
	checked := b.checked
	b.checked = false // what is improper has been reported
	p := b.project(k, nil, nil, k.discrete, reals, nil)
	b.checked = checked
	if k.up == nil {
		all := b.Temp("weight of " + k.name + ", a root")
		b.sum(all, p.weight)
		b.add(b.Log(1, all), &ir.TallyOp{Kind: ir.TallySum, Factor: 1, Total: b.LogP, In: p.most.Table, Alive: ir.NoTable, Ref: ir.NoTable})
	}
	for _, v := range k.home {
		if !b.real(v) && b.Outs[v] != ir.NoTable {
			b.sum(b.Outs[v], p.weight)
			b.add(&ir.NormalizeOp{Table: b.Outs[v]})
		}
	}
	for i, v := range reals {
		if b.Outs[v] != ir.NoTable {
			b.realAnswer(p, i, v)
		}
	}
}

// realAnswer plans the mean and the variance of function i of a projection, a real variable.
func (b *builder) realAnswer(p *projection, i int, v model.VarID) {
	middle := b.Temp("mean of " + b.Model.Vars[v].Name)
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: middle}, c.Prod(c.Read(p.share), c.Read(p.mean[i])))
	b.run(c)
	c = gauss.NewCode()
	share, mean := c.Read(p.share), c.Read(gauss.Part(middle, 0))
	off := c.Sub(c.Read(p.mean[i]), mean)
	variance := c.Prod(share, c.Sum(c.Read(p.cov[i][i]), c.Prod(off, off)))
	second := b.Temp("variance of " + b.Model.Vars[v].Name)
	c.Write(ir.MapPart{Table: second}, variance)
	b.run(c)
	c = gauss.NewCode()
	hidden := b.hidden(c, v)
	at := c.Prod(c.Prod(hidden, c.Const(b.scale[v])), c.Read(gauss.Part(middle, 0)))
	c.Write(ir.MapPart{Table: b.Outs[v], Part: 0}, c.Sum(b.reference(c, v), at))
	c.Write(ir.MapPart{Table: b.Outs[v], Part: 1}, c.Prod(hidden, c.Prod(c.Const(b.scale[v]*b.scale[v]), c.Read(gauss.Part(second, 0)))))
	b.run(c)
}

// givens plans the answers of given real variables: their values.
func (b *builder) givens() {
	for _, v := range b.Model.Reals() {
		if b.real(v) || b.Outs[v] == ir.NoTable {
			continue
		}
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: b.Outs[v], Part: 0}, c.Read(gauss.Part(b.Lambda[v], 1)))
		c.Write(ir.MapPart{Table: b.Outs[v], Part: 1}, circuit.Zero)
		b.run(c)
	}
}
