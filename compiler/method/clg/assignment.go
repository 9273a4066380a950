package clg

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// mixed returns a variable with a CPD that has rows of variance 0 and others, or nil.
func mixed(m *model.Model) *model.Var {
	for _, f := range m.Factors {
		d := f.Gaussian()
		if d == nil {
			continue
		}
		for _, x := range d.Var {
			if x == 0 != (d.Var[0] == 0) {
				return m.Vars[f.ChildVar()]
			}
		}
	}
	return nil
}

// maxima plans the largest density of each component, for each joint state of its context. The
// maximum over a variable of a normal density is at its mean given its parents: it has the exponent
// of the integral, and 2π times the variance of the CPD instead of a determinant.
func (b *builder) maxima() {
	for _, g := range b.components {
		c := gauss.NewCode()
		sum := c.Read(g.root().quad)
		for _, k := range g.buckets {
			sum = c.Sum(sum, b.scale(c, k))
		}
		g.bestLogs = b.Temp("ln of the largest density of "+b.Set(g.vars), g.context)
		c.Write(ir.MapPart{Table: g.bestLogs}, c.Sub(c.Const(b.beside(g)), c.Prod(c.Const(.5), sum)))
		b.Do(c)
	}
	for _, g := range b.hosts() {
		logs := b.total(g, func(x *component) gauss.Number { return gauss.Part(x.bestLogs, 0) })
		g.bestLogs, g.bestLost = b.antilog(g, "scale of the largest density of ", g.best, logs)
	}
	b.bestBlock = b.Block("realmax")
}

// scale returns ln of 2π times the variance of the CPD of k, and 0 if the variance is 0.
func (b *builder) scale(c *gauss.Code, k *bucket) circuit.Node {
	if b.p.Params == ir.Var {
		cpd, raw := b.replaceable(c, k)
		return c.Log(gauss.Or(c.Circuit, raw.function, circuit.One, c.Prod(c.Const(2*math.Pi), cpd.Var)))
	}
	var logs []float64
	for _, variance := range k.cpd.Gaussian().Var {
		x := 0.0
		if variance > 0 {
			x = pgmrt.Ln(2 * math.Pi * variance)
		}
		logs = append(logs, x)
	}
	if same(logs) {
		return c.Const(logs[0])
	}
	return c.Read(gauss.Part(b.Add(ir.Table{Name: "ln 2π variance of " + b.m.FactorName(k.cpd), Scope: k.own, Role: ir.RoleLogs, Var: -1, Data: logs}), 0))
}

// bestLogs returns the logarithms of the largest densities of components.
func (b *builder) bestLogs() (logs []ir.TableID) {
	for _, g := range b.components {
		if !g.guest {
			logs = append(logs, g.bestLogs)
		}
	}
	return logs
}

// assignment plans the values of the real variables at the states of the discrete ones that the
// blocks before have chosen, from the root of each component down: the mean of the variable given
// its separator, which is also its most probable value, and in samples a normal draw around it.
func (b *builder) assignment(kind ir.QueryKind) {
	c := gauss.NewCode()
	noise, draws := b.Temp("noise", nil), 0
	at := map[model.VarID]circuit.Node{}
	for _, g := range b.components {
		for i := len(g.buckets) - 1; i >= 0; i-- {
			k := g.buckets[i]
			x := c.Read(k.kept.mean)
			for j, u := range k.scope {
				x = c.Sum(x, c.Prod(c.Read(k.kept.coef[j]), at[u]))
			}
			if kind == ir.Sample && k.kept.variance != gauss.Constant(0) {
				x = c.Sum(x, c.Prod(c.Sqrt(c.Read(k.kept.variance)), c.Read(gauss.Part(noise, draws))))
				draws++
			}
			at[k.v] = x
			b.assigned(c, k.v, c.Sum(b.comparable(c, k.v, x), b.place(c, k.v)))
		}
	}
	for _, v := range b.m.Reals() {
		if b.m.Vars[v].Given {
			b.assigned(c, v, c.Read(gauss.Part(b.evidence(v), 1)))
		}
	}
	if draws > 0 {
		b.S.Tables[noise].Parts = draws
		b.Ops = append(b.Ops, &ir.NoiseOp{Out: noise})
	}
	b.Ops = append(b.Ops, c.MapOp())
	b.assign[kind] = b.Block("values of " + kind.String())
	block := &b.S.Blocks[b.assign[kind]]
	for _, v := range b.m.Vars {
		if !b.m.IsReal(v.ID) {
			block.Fixed = append(block.Fixed, v.ID)
		}
	}
}

// assigned writes the value of a real variable of an assignment, with a variance of 0.
func (b *builder) assigned(c *gauss.Code, v model.VarID, x circuit.Node) {
	if b.m.Vars[v].Latent {
		return
	}
	t, ok := b.values[v]
	if !ok {
		t = b.Add(ir.Table{Name: "value of " + b.m.Vars[v].Name, Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v})
		b.values[v] = t
	}
	c.Write(ir.MapPart{Table: t, Part: 0}, x)
	c.Write(ir.MapPart{Table: t, Part: 1}, circuit.Zero)
}
