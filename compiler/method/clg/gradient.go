package clg

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// derives reports whether q asks for the derivatives of ln P(evidence) by the parameters.
func derives(q *ir.Query) bool { return q.Kind == ir.Gradient || q.Kind == ir.Sensitivity }

// ofFamily returns the moments of random variables of the family of k for each joint state of its
// discrete parents, and the posterior of that.
func (b *builder) ofFamily(k *bucket, random []model.VarID) (gauss.Stored, ir.TableID) {
	own := union(k.own)
	if slices.Equal(own, k.context) {
		return k.moments.Of(random), k.weights
	}
	part := &bucket{scope: random, context: own, weights: ir.NoTable}
	m := b.mix(k, part)
	return m, part.weights
}

// slopes plans the derivatives of ln P(evidence) by the parameters of the CPD of k, in their order.
// With the error e = y - mean - coef·u of the child y and the variance v, they are the posterior
// expectations of e/v, e·u/v and (e²/v - 1)/2v in each row, times its posterior probability
// (Fisher's identity). Moments are relative, so that no digits are lost if means are large.
func (b *builder) slopes(k *bucket, centre []float64) {
	random := append(slices.Clone(k.random), k.v)
	m, weights := b.ofFamily(k, random)
	c := gauss.NewCode()
	cpd, raw := b.replaceable(c, k, centre)
	off := c.Sub(c.Read(m.Mean[len(m.Mean)-1]), b.relative(c, k, cpd, raw, centre))
	for i, u := range cpd.On {
		off = c.Sub(off, c.Prod(cpd.Coef[i], c.Read(m.Mean[slices.Index(m.Scope, u)])))
	}
	with := func(v model.VarID) circuit.Node { // the covariance of the error and v
		x := covariance(c, &m, k.v, v)
		for i, u := range cpd.On {
			x = c.Sub(x, c.Prod(cpd.Coef[i], covariance(c, &m, u, v)))
		}
		return x
	}
	spread := with(k.v)
	for i, u := range cpd.On {
		spread = c.Sub(spread, c.Prod(cpd.Coef[i], with(u)))
	}
	scale := cpd.Precision
	if weights != ir.NoTable {
		scale = c.Prod(scale, c.Read(gauss.Part(weights, 0)))
	}
	out := b.Add(ir.Table{Name: "derivative by " + b.m.FactorName(k.cpd), Scope: k.own, Role: ir.RoleOut, Var: -1, Factor: b.factor(k)})
	b.derivatives[b.factor(k)] = out
	w := b.NewWriter(c, out)
	w.Part(c.Prod(scale, off))
	for _, u := range k.parents {
		at, cov := b.place(c, u, centre[u]), circuit.Zero
		if i := slices.Index(m.Scope, u); i >= 0 {
			at, cov = c.Sum(at, c.Read(m.Mean[i])), with(u)
		}
		w.Part(c.Prod(scale, c.Sum(cov, c.Prod(off, at))))
	}
	square := c.Sum(spread, c.Prod(off, off))
	w.Part(c.Prod(c.Prod(c.Const(.5), scale), c.Sub(c.Prod(square, cpd.Precision), circuit.One)))
	w.Run()
}

// relative returns the constant of the CPD of k, relative to centres and observed values.
func (b *builder) relative(c *gauss.Code, k *bucket, cpd *gauss.CPD, raw *row, centre []float64) circuit.Node {
	mean := cpd.Mean
	for i, u := range k.parents {
		mean = c.Sum(mean, c.Prod(raw.coef[i], b.shift(c, u, centre)))
	}
	return c.Sub(mean, b.shift(c, k.v, centre))
}
