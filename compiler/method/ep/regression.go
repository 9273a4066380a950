package ep

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// linearised is an expression as a linear function of independent standard normal variables z.
type linearised struct {
	mean circuit.Node
	coef []circuit.Node
	rest circuit.Node // the variance that the linear function leaves; below 0 if the rule fails
}

// updateRegression plans the regression of an expression on its parents under their posterior.
func (s *site) updateRegression(b *builder) {
	d := s.f.Dist.(*model.Func)
	y := s.f.ChildVar()
	p := b.project(s.in, nil, nil, s.discrete, s.parents, func(c *gauss.Code) [][]circuit.Node { return s.directions(b, c) })
	b.watch(p)
	n := len(s.parents)
	c := gauss.NewCode()
	l := root(c, func(i, j int) circuit.Node { return c.Read(p.cov[i][j]) }, n)
	lin := s.linearise(b, c, p, l)
	scale := b.scale[y]
	noise := make([]float64, len(d.Var))
	for r, v := range d.Var {
		noise[r] = v
	}
	variance := c.Prod(c.Const(1/(scale*scale)), c.Sum(s.consts.Read(c, noise), c.Max(lin.rest, circuit.Zero)))
	precision := c.Quot(circuit.One, c.Max(variance, c.Const(leastNoise)))
	// The coefficients by x: coef' L⁻¹, from the last variable on.
	coef := make([]circuit.Node, n)
	for i := n - 1; i >= 0; i-- {
		sum := lin.coef[i]
		for k := i + 1; k < n; k++ {
			sum = c.Sub(sum, c.Prod(l[k][i], coef[k]))
		}
		coef[i] = c.Ratio(sum, l[i][i])
	}
	mean := c.Prod(c.Const(1/scale), c.Sub(lin.mean, b.reference(c, y)))
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
	failed := gauss.Positive(c.Circuit, c.Sub(c.Neg(lin.rest), c.Const(1e-9*scale*scale)))
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
func (s *site) linearise(b *builder, c *gauss.Code, p *projection, l [][]circuit.Node) *linearised {
	n := len(l)
	out := &linearised{coef: make([]circuit.Node, n)}
	if b.opt.Rule == taylor {
		x := make([]circuit.Node, n)
		for i := range n {
			x[i] = c.Sum(c.Read(p.mean[i]), circuit.Zero)
		}
		out.mean = s.value(b, c, x)
		slope := c.Derive(out.mean, x, nil)
		for j := range n {
			for i := j; i < n; i++ {
				out.coef[j] = c.Sum(out.coef[j], c.Prod(slope[i], l[i][j]))
			}
		}
		return out
	}
	values := make([]circuit.Node, len(s.points))
	for k, q := range s.points {
		x := make([]circuit.Node, n)
		for i := range n {
			x[i] = c.Read(p.mean[i])
			for j := range i + 1 {
				x[i] = c.Sum(x[i], c.Prod(l[i][j], c.Const(q.z[j])))
			}
		}
		values[k] = s.value(b, c, x)
		out.mean = c.Sum(out.mean, c.Prod(c.Const(q.weight), values[k]))
	}
	for k, q := range s.points {
		off := c.Sub(values[k], out.mean)
		w := c.Prod(c.Const(q.weight), off)
		out.rest = c.Sum(out.rest, c.Prod(w, off))
		for i := range n {
			out.coef[i] = c.Sum(out.coef[i], c.Prod(w, c.Const(q.z[i])))
		}
	}
	for i := range n {
		out.rest = c.Sub(out.rest, c.Prod(out.coef[i], out.coef[i]))
	}
	return out
}
