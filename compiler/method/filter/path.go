package filter

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// best plans filter and smooth, since the most probable values of a Gaussian are its means, and the
// densities of slices at given values, of which the density of a path is the product.
func (g *gaussian) best(q *ir.Query) error {
	if err := plan(g, g.builder, &ir.Query{Kind: ir.Smooth}); err != nil {
		return err
	}
	values := g.values("values of a slice", len(g.m.Vars))
	g.density(q, ir.MaxFirst, g.slice, []ir.TableID{values})
	in := []ir.TableID{values}
	if n := len(g.before); n > 0 {
		in = []ir.TableID{g.values("values before", n), values}
	}
	g.density(q, ir.MaxNext, g.step, in)
	return nil
}

// values adds a table of values that enter by a stream.
func (g *gaussian) values(name string, n int) ir.TableID {
	return g.add(ir.Table{Name: name, Role: ir.RolePersistent, Var: -1, Parts: n})
}

// density plans an entry of viterbi: ln of the density of the variables of m at the values of the
// last table of in, given those before it. As in [model.Model.LogDensity], a row of variance 0
// contributes nothing if its child has the value of its function, which means have.
func (g *gaussian) density(q *ir.Query, name string, m *model.Model, in []ir.TableID) {
	c := gauss.NewCode()
	n := len(g.m.Vars)
	value := func(v model.VarID) circuit.Node {
		if k := int(v) - n; k >= 0 {
			return c.Read(gauss.Part(in[0], k))
		}
		return c.Read(gauss.Part(in[len(in)-1], int(v)))
	}
	sum, constant := circuit.Zero, 0.0
	for _, f := range m.Factors {
		mean, variance, ok := g.mean(c, f, value)
		if !ok || variance == 0 {
			continue
		}
		off := c.Sub(value(f.ChildVar()), mean)
		sum = c.Sum(sum, c.Prod(c.Prod(off, off), c.Const(1/variance)))
		constant += pgmrt.Ln(2 * math.Pi * variance)
	}
	e := ir.ScheduleEntry{Stream: &ir.ScheduleStream{In: in}}
	e.Root = g.add(ir.Table{Name: "root", Role: ir.RoleTemp, Var: -1})
	c.Write(ir.MapPart{Table: e.Root}, circuit.One)
	e.Logs = []ir.TableID{g.add(ir.Table{Name: "ln density of a path", Role: ir.RoleTemp, Var: -1})}
	c.Write(ir.MapPart{Table: e.Logs[0]}, c.Prod(c.Const(-.5), c.Sum(sum, c.Const(constant))))
	e.Blocks = []int{g.block(name, c.MapOp())}
	g.entry(q, name, e)
}

// mean returns the mean and the variance of the child of a CPD; ok is false for a diffuse prior.
func (g *gaussian) mean(c *gauss.Code, f *model.Factor, value func(model.VarID) circuit.Node) (mean circuit.Node, variance float64, ok bool) {
	if isDiffuse(f) {
		return circuit.Zero, 0, false
	}
	if d, ok := f.Dist.(*model.Func); ok {
		l, _ := gauss.LinearIn(c.Circuit, d, len(f.Scope), func(int) bool { return false }, func(axis int) circuit.Node { return value(f.Scope[axis]) })
		return l.Constant, d.Var[0], true
	}
	constant, coef, variance := f.Gaussian().Row(0)
	mean = c.Const(constant)
	k := 0
	for axis, v := range f.Scope {
		if axis != f.Child {
			mean = c.Sum(mean, c.Prod(c.Const(coef[k]), value(v)))
			k++
		}
	}
	return mean, variance, true
}
