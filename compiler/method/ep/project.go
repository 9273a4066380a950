package ep

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// projection holds the weights and the moments of linear functions of real variables, for each
// joint state of some discrete variables.
type projection struct {
	discrete []model.VarID
	weight   gauss.Number // relative to the largest weight of a joint state of the cluster
	share    gauss.Number // of all weight
	most     gauss.Number // ln of what weights are relative to
	mean     []gauss.Number
	cov      [][]gauss.Number // the lower triangle
	improper ir.TableID       // more than 0 if an integral did not exist; NoTable if that was not asked
	moments  ir.TableID       // parts: share, means, covariances
}

// add appends operations to an iteration.
func (b *builder) add(ops ...ir.Op) { b.Round = append(b.Round, ops...) }

// run adds code to the iteration.
func (b *builder) run(c *gauss.Code) { b.add(c.MapOp()) }

// parted adds a temporary table of several numbers for each joint state.
func (b *builder) parted(name string, discrete []model.VarID, parts int) ir.TableID {
	return b.Add(ir.Table{Name: name, Scope: discrete, Role: ir.RoleTemp, Var: -1, Parts: parts})
}

// elimination returns the elimination of all real variables of a product, the variables of last at
// the end.
func (x *product) elimination(c *gauss.Code, k *cluster, last []model.VarID) *gauss.Elimination {
	x.form = gauss.Product(c.Circuit, []*gauss.Form{x.form, gauss.NewForm(k.reals)})
	e := gauss.Eliminate(c.Circuit, x.form, x.log)
	e.Remove(slices.DeleteFunc(slices.Clone(k.reals), func(v model.VarID) bool { return slices.Contains(last, v) })...)
	return e
}

// project plans the moments, in a cluster without the message but and without the site without, of
// functions of the variables on, for each joint state of discrete variables. functions returns the
// coefficients of each; nil means the variables themselves. Moments of mixtures are the whole
// mixture's.
func (b *builder) project(k *cluster, but *link, without *site, discrete, on []model.VarID, functions func(c *gauss.Code) [][]circuit.Node) *projection {
	name := k.name
	logs, mask := b.Temp("ln weights of "+name, k.discrete...), b.Temp("possible states of "+name, k.discrete...)
	c := gauss.NewCode()
	x := b.all(c, k, but, without)
	e := x.elimination(c, k, on)
	e.Remove(on...)
	c.Write(ir.MapPart{Table: logs}, c.Prod(x.mask, e.Total()))
	c.Write(ir.MapPart{Table: mask}, c.Sum(x.mask, circuit.Zero))
	m := e.Moments(len(on))
	mean, cov := linear(c, m, on, functions)
	inner := b.parted("moments in "+name, k.discrete, 1+len(mean)+len(mean)*(len(mean)+1)/2)
	p := &projection{discrete: discrete, improper: ir.NoTable}
	ok := gauss.Part(inner, 0)
	c.Write(ok.MapPart, e.Proper)
	at := 1
	put := func(n circuit.Node) gauss.Number {
		part := gauss.Part(inner, at)
		at++
		c.Write(part.MapPart, n)
		return part
	}
	for i := range mean {
		p.mean = append(p.mean, put(mean[i]))
	}
	for i := range cov {
		var row []gauss.Number
		for _, n := range cov[i] {
			row = append(row, put(n))
		}
		p.cov = append(p.cov, row)
	}
	b.run(c)
	if b.checked {
		p.improper = b.count(name, ok, gauss.Part(mask, 0))
	}
	weights, most := b.Temp("weights of "+name, k.discrete...), b.Temp("scale of "+name)
	b.add(&ir.AntilogOp{Out: weights, Most: most, In: logs, Weight: mask})
	p.weight, p.most = gauss.Part(weights, 0), gauss.Part(most, 0)
	b.mix(p, k, weights)
	return p
}

// linear returns the means and covariances of linear functions.
func linear(c *gauss.Code, m *gauss.Moments, on []model.VarID, functions func(c *gauss.Code) [][]circuit.Node) (mean []circuit.Node, cov [][]circuit.Node) {
	if functions == nil {
		for i, v := range on {
			mean = append(mean, m.Of(v))
			var row []circuit.Node
			for _, w := range on[:i+1] {
				row = append(row, m.Between(v, w))
			}
			cov = append(cov, row)
		}
		return mean, cov
	}
	by := functions(c)
	for i, f := range by {
		at := circuit.Zero
		with := make([]circuit.Node, len(on)) // covariances of function i and the variables
		for k, v := range on {
			at = c.Sum(at, c.Prod(f[k], m.Of(v)))
			for l, w := range on {
				with[l] = c.Sum(with[l], c.Prod(f[k], m.Between(v, w)))
			}
		}
		mean = append(mean, at)
		var row []circuit.Node
		for _, g := range by[:i+1] {
			sum := circuit.Zero
			for l := range on {
				sum = c.Sum(sum, c.Prod(g[l], with[l]))
			}
			row = append(row, sum)
		}
		cov = append(cov, row)
	}
	return mean, cov
}

// count plans the number of possible joint states in which an integral does not exist.
func (b *builder) count(name string, ok, possible gauss.Number) ir.TableID {
	c := gauss.NewCode()
	t := b.Temp("improper in " + name)
	c.Write(ir.MapPart{Table: t}, c.Prod(c.Read(possible), c.Sub(circuit.One, c.Read(ok))))
	b.run(c)
	return t
}

// mix plans the weights and moments of p, which has the moments of a cluster, for the joint states
// of fewer variables.
func (b *builder) mix(p *projection, k *cluster, weights ir.TableID) {
	all := b.Temp("weight of " + k.name)
	b.sum(all, p.weight)
	n := len(p.mean)
	p.moments = b.parted("moments of "+k.name, p.discrete, 1+n+n*(n+1)/2)
	fewer := len(p.discrete) < len(k.discrete)
	part := p.weight
	if fewer {
		p.weight = gauss.Part(b.Temp("weights from "+k.name, p.discrete...), 0)
		b.sum(p.weight.Table, part)
		t := b.Temp("parts of "+k.name, k.discrete...)
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: t}, c.Ratio(c.Read(part), c.Read(p.weight)))
		b.run(c)
		part = gauss.Part(t, 0)
	}
	c := gauss.NewCode()
	p.share = gauss.Part(p.moments, 0)
	c.Write(p.share.MapPart, c.Ratio(c.Read(p.weight), c.Read(gauss.Part(all, 0))))
	b.run(c)
	if n == 0 {
		return
	}
	means, covs := gauss.NewCode(), gauss.NewCode()
	mean, cov := make([]gauss.Number, n), make([][]gauss.Number, n)
	at := 1 + n
	for i := range n {
		mean[i] = gauss.Part(p.moments, 1+i)
		x := means.Read(p.mean[i])
		if fewer {
			x = means.Prod(means.Read(part), x)
		} else {
			x = means.Sum(x, circuit.Zero)
		}
		means.Write(mean[i].MapPart, x)
	}
	second := b.parted("covariances of "+k.name, p.discrete, n*(n+1)/2)
	for i := range n {
		for j := range i + 1 {
			x := covs.Read(p.cov[i][j])
			if fewer {
				off := covs.Prod(covs.Sub(covs.Read(p.mean[i]), covs.Read(mean[i])), covs.Sub(covs.Read(p.mean[j]), covs.Read(mean[j])))
				x = covs.Prod(covs.Read(part), covs.Sum(x, off))
			}
			y := gauss.Part(second, at-1-n)
			covs.Write(y.MapPart, x)
			cov[i] = append(cov[i], y)
			at++
		}
	}
	b.run(means)
	b.run(covs)
	p.mean, p.cov = mean, cov
}

// sum plans the sum of a number over the variables that a table does not have.
func (b *builder) sum(t ir.TableID, x gauss.Number) {
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: t}, c.Read(x))
	b.run(c)
}

// read returns the moments as nodes of code, of variables with the given names.
func (p *projection) read(c *gauss.Code, names []model.VarID) *gauss.Moments {
	m := &gauss.Moments{Scope: names}
	for i := range p.mean {
		m.Mean = append(m.Mean, c.Read(p.mean[i]))
		var row []circuit.Node
		for _, x := range p.cov[i] {
			row = append(row, c.Read(x))
		}
		m.Cov = append(m.Cov, row)
	}
	return m
}

// watch raises the residual to the largest change of the weights and moments of a projection.
func (b *builder) watch(p *projection) {
	n := len(p.mean)
	now := b.parted("moments to compare", p.discrete, 1+n+n*(n+1)/2)
	before := b.Add(ir.Table{Name: "moments before", Scope: p.discrete, Role: ir.RolePersistent, Var: -1, Parts: 1 + n + n*(n+1)/2})
	c, zero := gauss.NewCode(), gauss.NewCode()
	at := 0
	put := func(x gauss.Number) {
		c.Write(ir.MapPart{Table: now, Part: at}, c.Read(x))
		zero.Write(ir.MapPart{Table: before, Part: at}, circuit.Zero)
		at++
	}
	put(p.share)
	for i := range p.mean {
		put(p.mean[i])
	}
	for i := range p.cov {
		for _, x := range p.cov[i] {
			put(x)
		}
	}
	b.Start = append(b.Start, zero.MapOp())
	b.run(c)
	b.add(&ir.DampOp{Table: before, New: now, Rate: b.Zero, Residual: b.Residual})
}
