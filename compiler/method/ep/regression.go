package ep

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// updateRegression plans the regression of an expression on its parents under their posterior.
func (s *site) updateRegression(b *builder) {
	d := s.f.Dist.(*model.Func)
	y := s.f.ChildVar()
	p := b.project(s.in, nil, nil, s.discrete, s.parents, func(c *gauss.Code) [][]circuit.Node { return s.directions(b, c) })
	b.watch(p)
	n := len(s.parents)
	c := gauss.NewCode()
	l := gauss.Root(c.Circuit, func(i, j int) circuit.Node { return c.Read(p.cov[i][j]) }, n)
	lin := s.linearise(b, c, p, l)
	scale := b.scale[y]
	noise := make([]float64, len(d.Var))
	copy(noise, d.Var)
	variance := c.Prod(c.Const(1/(scale*scale)), c.Sum(s.consts.Read(c, noise), c.Max(lin.Rest, circuit.Zero)))
	precision := c.Quot(circuit.One, c.Max(variance, c.Const(leastNoise)))
	coef := lin.By(c.Circuit, l)
	mean := c.Prod(c.Const(1/scale), c.Sub(lin.Mean, b.reference(c, y)))
	next := b.parted("new site of "+b.Model.Vars[y].Name, s.discrete, regressionCoef+n)
	for i := range n {
		by := c.Prod(c.Const(1/scale), coef[i])
		mean = c.Sub(mean, c.Prod(by, c.Read(p.mean[i])))
		c.Write(ir.MapPart{Table: next, Part: regressionCoef + i}, by)
	}
	c.Write(ir.MapPart{Table: next, Part: regressionMean}, mean)
	c.Write(ir.MapPart{Table: next, Part: regressionPrecision}, precision)
	c.Write(ir.MapPart{Table: next, Part: regressionLog}, c.Sub(c.Prod(c.Const(.5), c.Log(precision)), c.Const(halfLog2Pi)))
	// A rule with negative weights may leave a negative variance, which is reported and taken for
	// 0.
	failed := gauss.Positive(c.Circuit, c.Sub(c.Neg(lin.Rest), c.Const(1e-9*scale*scale)))
	flags := b.parted("improper moments", s.discrete, 1)
	c.Write(ir.MapPart{Table: flags}, c.Prod(gauss.Positive(c.Circuit, c.Read(p.share)), failed))
	b.run(c)
	b.add(&ir.DampOp{Table: s.numbers, New: next, Rate: b.Rate, Residual: b.unused},
		&ir.TallyOp{Kind: ir.TallySum, Factor: 1, Total: b.Improper, In: flags, Alive: ir.NoTable, Ref: ir.NoTable})
}

// value returns the expression at x, the values of the real parents relative to their references.
func (s *site) value(b *builder, c *gauss.Code, x []circuit.Node) circuit.Node {
	at := func(axis int) circuit.Node {
		u := s.f.Scope[axis]
		ref := b.reference(c, u)
		if i := slices.Index(s.parents, u); i >= 0 {
			return c.Sum(ref, c.Prod(c.Const(b.scale[u]), x[i]))
		}
		return ref
	}
	is := func(axis int, state int32) circuit.Node {
		v := s.f.Scope[axis]
		one := make([]float64, b.Model.Card(v))
		one[state] = 1
		return b.columns("states of "+b.Model.Vars[v].Name, []model.VarID{v}).Read(c, one)
	}
	y, _ := gauss.Expression(c.Circuit, s.f.Dist.(*model.Func), at, is)
	return y
}

// linearise integrates the expression over the points, or takes its tangent.
func (s *site) linearise(b *builder, c *gauss.Code, p *projection, l [][]circuit.Node) *gauss.Linearised {
	n := len(l)
	mean := make([]circuit.Node, n)
	for i := range n {
		mean[i] = c.Read(p.mean[i])
	}
	value := func(x []circuit.Node) circuit.Node { return s.value(b, c, x) }
	if b.opt.Rule != taylor {
		return gauss.Integrate(c.Circuit, s.points, mean, l, value)
	}
	y := value(mean)
	return gauss.Tangent(c.Circuit, y, c.Derive(y, mean, nil), l)
}
