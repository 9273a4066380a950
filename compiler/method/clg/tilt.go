package clg

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The sensitivity of the posterior mean M of a real variable is found as for the probability of a
// state: by the difference of two gradients, here of ln P(evidence) and of ln of the integral of
// the density times t = 1 + (x - centre)/scale, which is ln P(evidence) + ln t(M). The second one
// has a factor more in the discrete part, t at the mean of the target in each joint state of the
// context of its component. That is linear in x and positive, since the scale is as large as the
// differences of these means. The two gradients differ by the derivative of M, divided by scale
// times t(M). The caller names the target by a number for each real variable, 1 or 0; if all are 0,
// t is 1.

// tilted reports whether there are sensitivities to plan.
func (b *builder) tilted() bool { return b.p.Asks(ir.Sensitivity) }

// tilts is the part of a plan that finds sensitivities.
type tilts struct {
	target ir.TableID // 1 for the target, by real variable
	scale  ir.TableID // the scale of t, and its centre
	of     []tilt     // by component
}

// tilt holds numbers of t in one component. All are 0 unless the target is in it.
type tilt struct{ scale, centre gauss.Number }

// declareTilts declares the tables of t, and returns tables of components with a context as factors
// of the discrete part.
func (b *builder) declareTilts() (list []ir.Front) {
	b.tilts.target = b.Add(ir.Table{Name: "target", Role: ir.RolePersistent, Var: -1, Parts: len(b.m.Reals())})
	b.tilts.scale = b.Add(ir.Table{Name: "scale and centre", Role: ir.RoleOut, Var: -1, Parts: 2})
	for _, g := range b.components {
		g.tilt = ir.NoTable
		if len(g.context) > 0 {
			g.tilt = b.Add(ir.Table{Name: "tilt of " + b.Set(g.vars), Scope: g.context, Role: ir.RoleOut, Var: -1})
			list = append(list, ir.Front{Table: g.tilt, Scope: g.context})
		}
	}
	return list
}

// target returns 1 if v is the target, and else 0.
func (b *builder) target(c *gauss.Code, v model.VarID) circuit.Node {
	return c.Read(gauss.Part(b.tilts.target, slices.Index(b.m.Reals(), v)))
}

// pullTarget plans the posterior mean of the target in each joint state of the context of g,
// relative as all numbers are. Each bucket replaces its variable by the mean of its regression.
func (b *builder) pullTarget(g *component) {
	type pull struct {
		mean gauss.Number
		by   []gauss.Number // coefficients of the separator
	}
	of := map[*bucket]pull{}
	for _, k := range g.buckets {
		c := gauss.NewCode()
		w := b.NewWriter(c, b.Temp("target given "+b.Set(k.scope), k.context))
		own, mean, by := b.target(c, k.v), circuit.Zero, make([]circuit.Node, len(k.scope))
		for _, kid := range k.kids {
			mean = c.Sum(mean, c.Read(of[kid].mean))
			for i, v := range kid.scope {
				if x := c.Read(of[kid].by[i]); v == k.v {
					own = c.Sum(own, x)
				} else {
					at := slices.Index(k.scope, v)
					by[at] = c.Sum(by[at], x)
				}
			}
		}
		p := pull{mean: w.Write(c.Sum(mean, c.Prod(own, c.Read(k.kept.mean))))}
		for i := range by {
			p.by = append(p.by, w.Write(c.Sum(by[i], c.Prod(own, c.Read(k.kept.coef[i])))))
		}
		of[k], g.pull = p, p.mean
		w.Run()
	}
}

// tilt plans t for each component, and the scale and the centre of the one with the target.
func (b *builder) tilt() {
	c := gauss.NewCode()
	scale, origin := circuit.Zero, circuit.Zero
	for _, v := range b.m.Reals() {
		if b.m.Vars[v].Given {
			origin = c.Sum(origin, c.Prod(b.target(c, v), b.value(c, v)))
		}
	}
	for _, g := range b.components {
		of := b.tiltOf(g)
		b.tilts.of = append(b.tilts.of, of)
		has := circuit.Zero
		for _, v := range g.vars {
			is := b.target(c, v)
			has, origin = c.Sum(has, is), c.Sum(origin, c.Prod(is, b.place(c, v)))
		}
		scale, origin = c.Sum(scale, c.Prod(has, c.Read(of.scale))), c.Sum(origin, c.Prod(has, c.Read(of.centre)))
	}
	c.Write(ir.MapPart{Table: b.tilts.scale, Part: 0}, scale)
	c.Write(ir.MapPart{Table: b.tilts.scale, Part: 1}, origin)
	b.Do(c)
}

// tiltOf plans t in component g. It is between 1/2 and 3/2: the scale is the prior deviation of the
// target and twice the sum of the distances of its means from their average. Joint states with a
// front of 0 do not count.
func (b *builder) tiltOf(g *component) tilt {
	c := gauss.NewCode()
	unit, has := circuit.Zero, circuit.Zero
	for _, v := range g.vars {
		is := b.target(c, v)
		unit, has = c.Sum(unit, c.Prod(is, c.Const(b.unit[v]))), c.Sum(has, is)
	}
	unit = c.Sum(unit, c.Sub(circuit.One, has))
	if len(g.context) == 0 {
		w := b.NewWriter(c, b.Temp("scale of t", nil))
		of := tilt{w.Part(unit), g.pull}
		w.Run()
		return of
	}
	t := b.Temp("unit, states and means", nil)
	parts := []gauss.Number{gauss.Part(t, 0), gauss.Part(t, 1)}
	b.S.Tables[t].Parts = len(parts)
	sums := gauss.NewCode()
	counts := gauss.Positive(sums.Circuit, sums.Read(gauss.Part(g.front, 0)))
	sums.Write(parts[0].MapPart, counts)
	sums.Write(parts[1].MapPart, sums.Prod(counts, sums.Read(g.pull)))
	b.Do(sums)
	centre := b.single("centre of t", func(c *gauss.Code) circuit.Node { return c.Ratio(c.Read(parts[1]), c.Read(parts[0])) })
	spread := b.single("spread of means", func(c *gauss.Code) circuit.Node {
		counts := gauss.Positive(c.Circuit, c.Read(gauss.Part(g.front, 0)))
		return c.Prod(counts, abs(c, c.Sub(c.Read(g.pull), c.Read(centre))))
	})
	w := b.NewWriter(c, b.Temp("scale of t", nil))
	of := tilt{w.Part(c.Sum(unit, c.Prod(c.Const(2), c.Read(spread)))), centre}
	w.Run()
	c = gauss.NewCode()
	counts = gauss.Positive(c.Circuit, c.Read(gauss.Part(g.front, 0)))
	off := c.Prod(counts, c.Sub(c.Read(g.pull), c.Read(centre)))
	c.Write(ir.MapPart{Table: g.tilt}, c.Sum(circuit.One, c.Quot(off, c.Read(of.scale))))
	b.Do(c)
	return of
}

// single plans one number, the sum of a node over all joint states.
func (b *builder) single(name string, node func(c *gauss.Code) circuit.Node) gauss.Number {
	c := gauss.NewCode()
	w := b.NewWriter(c, b.Temp(name, nil))
	x := w.Part(node(c))
	w.Run()
	return x
}

// pullSlope plans the derivative of ln of the integral by the mean of the target in each joint
// state of the context of g.
func (b *builder) pullSlope(g *component, weight gauss.Number) gauss.Number {
	of := b.tilts.of[slices.Index(b.components, g)]
	c := gauss.NewCode()
	w := b.NewWriter(c, b.Temp("derivative by the mean of the target", g.context))
	x := c.Quot(c.Read(weight), c.Read(of.scale))
	if len(g.context) > 0 {
		x = c.Prod(gauss.Positive(c.Circuit, c.Read(gauss.Part(g.front, 0))), c.Quot(x, c.Read(gauss.Part(g.tilt, 0))))
	}
	out := w.Part(x)
	w.Run()
	return out
}
