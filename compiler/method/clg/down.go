package clg

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// moments holds means and the lower triangle of covariances of some variables, for each joint state
// of a context. Means are relative to the observed value of a variable, or to its centre.
type moments struct {
	scope []model.VarID
	mean  []gauss.Number
	cov   [][]gauss.Number
}

// read returns the moments as nodes of code.
func (m *moments) read(c *gauss.Code) *gauss.Moments {
	out := &gauss.Moments{Scope: m.scope}
	for i, x := range m.mean {
		out.Mean = append(out.Mean, c.Read(x))
		row := out.Mean[:0:0]
		for _, y := range m.cov[i] {
			row = append(row, c.Read(y))
		}
		out.Cov = append(out.Cov, row)
	}
	return out
}

// of returns the moments of the given variables.
func (m *moments) of(scope []model.VarID) (out moments) {
	out.scope = scope
	for i, v := range scope {
		at := slices.Index(m.scope, v)
		out.mean = append(out.mean, m.mean[at])
		var row []gauss.Number
		for _, w := range scope[:i+1] {
			to := slices.Index(m.scope, w)
			row = append(row, m.cov[max(at, to)][min(at, to)])
		}
		out.cov = append(out.cov, row)
	}
	return out
}

// down plans the moments of the variables of a component, from its root to the leaves.
func (b *builder) down(g *component) {
	centre := centres(b.m)
	for i := len(g.buckets) - 1; i >= 0; i-- {
		k := g.buckets[i]
		var above moments
		switch p := k.parent; {
		case p == nil:
			k.weights = g.weights
		case slices.Equal(p.context, k.context):
			above, k.weights = p.moments.of(k.scope), p.weights
		default:
			above = b.mix(p, k)
		}
		b.push(k, above)
		b.answers(k, centre[k.v])
		if b.statistics != nil {
			b.family(k, centre)
		}
	}
}

// push plans the moments of the variable of k, given those of its separator.
func (b *builder) push(k *bucket, above moments) {
	k.moments = b.pushed(k, above, k.context)
}

// pushed plans the moments of the variable of k and of those that above has, for each joint state
// of a context.
func (b *builder) pushed(k *bucket, above moments, context []model.VarID) moments {
	c := gauss.NewCode()
	w := &writer{b, c, b.temp("moments of "+b.m.Vars[k.v].Name, context)}
	m := above.read(c)
	r := &gauss.Regression{On: k.scope, Mean: c.Read(k.kept.mean), Var: c.Read(k.kept.variance)}
	for _, x := range k.kept.coef {
		r.Coef = append(r.Coef, c.Read(x))
	}
	m.Push(c.Circuit, k.v, r)
	n := len(above.scope)
	out := moments{scope: m.Scope, mean: append(slices.Clone(above.mean), w.write(m.Mean[n])), cov: slices.Clone(above.cov)}
	var row []gauss.Number
	for _, x := range m.Cov[n] {
		row = append(row, w.write(x))
	}
	out.cov = append(out.cov, row)
	b.run(c, w)
	return out
}

// mix plans the moments of the separator of k for each state of its context, which is smaller than
// that of its parent p: the moments of the mixtures that p's moments are. A joint state of weight 0
// has moments of 0.
func (b *builder) mix(p, k *bucket) moments {
	share := p.weights // of a joint state of p's context in that of k's
	if len(k.context) > 0 {
		k.weights = b.temp("P("+b.set(k.context)+" | evidence)", k.context)
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: k.weights}, c.Read(gauss.Part(p.weights, 0)))
		b.ops = append(b.ops, c.MapOp())
		share = b.temp("P("+b.set(p.context)+" | "+b.set(k.context)+", evidence)", p.context)
		c = gauss.NewCode()
		c.Write(ir.MapPart{Table: share}, c.Ratio(c.Read(gauss.Part(p.weights, 0)), c.Read(gauss.Part(k.weights, 0))))
		b.ops = append(b.ops, c.MapOp())
	}
	return b.mixture(p.moments.of(k.scope), share, k.context)
}

// mixture plans the moments of the mixtures of from over the variables that are not in a context.
// share holds their weights, which sum to 1 for each joint state of the context, or are all 0.
func (b *builder) mixture(from moments, share ir.TableID, context []model.VarID) moments {
	out := moments{scope: from.scope}
	c := gauss.NewCode()
	w := &writer{b, c, b.temp("means of "+b.set(from.scope), context)}
	for _, x := range from.mean {
		out.mean = append(out.mean, w.mixed(x, share))
	}
	b.run(c, w)
	c = gauss.NewCode()
	w = &writer{b, c, b.temp("covariances of "+b.set(from.scope), context)}
	for i := range from.cov {
		var row []gauss.Number
		for j, x := range from.cov[i] {
			off := c.Prod(c.Sub(c.Read(from.mean[i]), c.Read(out.mean[i])), c.Sub(c.Read(from.mean[j]), c.Read(out.mean[j])))
			row = append(row, w.sum(c.Prod(c.Read(gauss.Part(share, 0)), c.Sum(c.Read(x), off))))
		}
		out.cov = append(out.cov, row)
	}
	b.run(c, w)
	return out
}

// run adds the operation of code if it has results.
func (b *builder) run(c *gauss.Code, w *writer) {
	if b.s.Tables[w.table].Parts > 0 {
		b.ops = append(b.ops, c.MapOp())
	}
}

// mixed returns the number to which the mean of a number with the given weights goes. That of a
// constant is the constant.
func (w *writer) mixed(x gauss.Number, share ir.TableID) gauss.Number {
	if x.Table == ir.NoTable {
		return x
	}
	return w.sum(w.code.Prod(w.code.Read(gauss.Part(share, 0)), w.code.Read(x)))
}

// sum returns the number to which the sum of a node over joint states goes: a new part of the
// table, unless it is 0.
func (w *writer) sum(n circuit.Node) gauss.Number {
	if n == circuit.Zero {
		return gauss.Constant(0)
	}
	return w.part(n)
}

// part makes a node a new part of the table.
func (w *writer) part(n circuit.Node) gauss.Number {
	t := &w.b.s.Tables[w.table]
	t.Parts++
	part := gauss.Part(w.table, t.Parts-1)
	w.code.Write(part.MapPart, n)
	return part
}

// givens plans the answers of given real variables: their values.
func (b *builder) givens() {
	for _, v := range b.m.Reals() {
		if !b.m.Vars[v].Given {
			continue
		}
		b.answer[v] = b.add(ir.Table{Name: b.m.Vars[v].Name + ", given", Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v})
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: b.answer[v], Part: 0}, c.Read(gauss.Part(b.evidence(v), 1)))
		c.Write(ir.MapPart{Table: b.answer[v], Part: 1}, circuit.Zero)
		b.ops = append(b.ops, c.MapOp())
	}
}

// answers plans the posterior mean and variance of the variable of k.
func (b *builder) answers(k *bucket, centre float64) {
	v := k.v
	if b.m.Vars[v].Latent {
		return
	}
	n := len(k.scope)
	mean, variance := k.moments.mean[n], k.moments.cov[n][n]
	out := b.add(ir.Table{Name: "P(" + b.m.Vars[v].Name + " | evidence)", Scope: []model.VarID{v}, Role: ir.RoleOut, Var: v})
	b.answer[v] = out
	c := gauss.NewCode()
	m, s := c.Sum(c.Read(mean), b.place(c, v, centre)), c.Read(variance)
	if len(k.context) > 0 {
		share := c.Read(gauss.Part(k.weights, 0))
		first := gauss.NewCode()
		middle := b.temp("mean of "+b.m.Vars[v].Name, nil)
		first.Write(ir.MapPart{Table: middle}, first.Prod(first.Read(gauss.Part(k.weights, 0)), first.Read(mean)))
		b.ops = append(b.ops, first.MapOp())
		off := c.Sub(c.Read(mean), c.Read(gauss.Part(middle, 0)))
		m, s = c.Prod(share, m), c.Prod(share, c.Sum(s, c.Prod(off, off)))
	}
	c.Write(ir.MapPart{Table: out, Part: 0}, m)
	c.Write(ir.MapPart{Table: out, Part: 1}, s)
	b.ops = append(b.ops, c.MapOp())
}
