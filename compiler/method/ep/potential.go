package ep

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// product is the product of the functions of a cluster, as code.
type product struct {
	form      *gauss.Form
	log, mask circuit.Node
}

// times multiplies by a function.
func (x *product) times(c *gauss.Code, f *function) {
	form, log, mask := f.read(c)
	x.form = gauss.Product(c.Circuit, []*gauss.Form{x.form, form})
	x.log = c.Sum(x.log, c.Read(log))
	x.mask = c.Prod(x.mask, c.Read(mask))
}

// square multiplies by exp(-p (Σ coef·x - mean)²/2).
func (x *product) square(c *gauss.Code, on []model.VarID, coef []circuit.Node, mean, p circuit.Node) {
	f := gauss.NewForm(on)
	for i := range on {
		by := c.Prod(coef[i], p)
		f.H[i] = c.Prod(by, mean)
		for j := range i + 1 {
			f.K[i][j] = c.Prod(by, coef[j])
		}
	}
	x.form = gauss.Product(c.Circuit, []*gauss.Form{x.form, f})
	x.log = c.Sub(x.log, c.Prod(c.Const(.5), c.Prod(p, c.Prod(mean, mean))))
}

// write sets a function to the product. In impossible joint states the logarithm is 0.
func (x *product) write(c *gauss.Code, f *function) {
	c.Write(ir.MapPart{Table: f.mask}, x.mask)
	x.numbers(c, f)
}

// numbers sets the numbers of a function without its mask. The form may be over more variables.
func (x *product) numbers(c *gauss.Code, f *function) {
	c.Write(ir.MapPart{Table: f.table}, c.Prod(x.mask, x.log))
	n := len(f.reals)
	at := 1 + n
	whole := gauss.Product(c.Circuit, []*gauss.Form{x.form, gauss.NewForm(f.reals)})
	for i := range n {
		c.Write(ir.MapPart{Table: f.table, Part: 1 + i}, whole.H[i])
		for j := range i + 1 {
			c.Write(ir.MapPart{Table: f.table, Part: at}, whole.K[i][j])
			at++
		}
	}
}

// begin sets the first messages to 1, and the functions of clusters to the products of their
// factors and of the evidence, once for all iterations.
func (b *builder) begin() {
	b.unused = b.Kept("unused residual")
	b.Start = append(b.Start, b.Copy(b.unused, b.Zero))
	b.Improper = b.Kept("improper messages")
	b.Start = append(b.Start, b.Copy(b.Improper, b.Zero))
	b.Round = append(b.Round, b.Copy(b.Improper, b.Zero))
	for _, k := range b.clusters {
		k.proper = b.Kept(k.name + " is proper")
		b.Start = append(b.Start, b.Copy(k.proper, b.Zero))
		k.base = b.newFunction(k.name, ir.RolePersistent, k.discrete, k.reals)
		b.Start = append(b.Start, b.potential(k).MapOp())
		b.properBase(k)
		for _, l := range k.in {
			l.message = b.newFunction(b.Arrow(l.from.name, k.name), ir.RolePersistent, l.discrete, l.reals)
			c := gauss.NewCode()
			one := product{gauss.NewForm(l.reals), circuit.Zero, circuit.One}
			one.write(c, &l.message)
			b.Start = append(b.Start, c.MapOp())
		}
	}
}

// properBase plans the first value of the flag of a cluster: whether its own function is proper.
func (b *builder) properBase(k *cluster) {
	if !b.checked || len(k.reals) == 0 {
		return
	}
	round := b.Round
	b.Round = nil
	c := gauss.NewCode()
	form, log, mask := k.base.read(c)
	x := &product{form, c.Read(log), c.Read(mask)}
	e := x.elimination(c, k, nil)
	each, bad, flag := b.Temp("improper in "+k.name, k.discrete...), b.Temp("improper at "+k.name), b.Temp("proper")
	c.Write(ir.MapPart{Table: each}, c.Prod(x.mask, c.Sub(circuit.One, e.Proper)))
	b.run(c)
	b.sum(bad, gauss.Part(each, 0))
	c = gauss.NewCode()
	c.Write(ir.MapPart{Table: flag}, c.Sub(circuit.One, gauss.Positive(c.Circuit, c.Read(gauss.Part(bad, 0)))))
	b.run(c)
	b.add(b.Copy(k.proper, flag))
	b.Start, b.Round = append(b.Start, b.Round...), round
}

// potential returns the code of the product of the factors of a cluster and of the evidence on its
// own variables.
func (b *builder) potential(k *cluster) *gauss.Code {
	c := gauss.NewCode()
	x := &product{gauss.NewForm(k.reals), circuit.Zero, circuit.One}
	for _, f := range k.factors {
		if f.Gaussian() != nil {
			b.gaussian(c, x, f)
		} else {
			b.table(c, x, f)
		}
	}
	for _, v := range k.home {
		if b.Lambda[v] == ir.NoTable {
			continue
		}
		lambda := c.Read(gauss.Part(b.Lambda[v], 0))
		if !b.real(v) {
			possible := gauss.Positive(c.Circuit, lambda)
			x.mask = c.Prod(x.mask, possible)
			x.log = c.Sum(x.log, c.Log(c.Sum(lambda, c.Sub(circuit.One, possible))))
			continue
		}
		// An observed variable is 0. All factors leave it out, and a unit normal distribution
		// replaces it, with integral 1.
		f := gauss.NewForm([]model.VarID{v})
		f.K[0][0] = lambda
		x.form = gauss.Product(c.Circuit, []*gauss.Form{x.form, f})
		x.log = c.Sub(x.log, c.Prod(lambda, c.Const(.5*pgmrt.Ln(2*math.Pi)+pgmrt.Ln(b.scale[v]))))
	}
	x.write(c, &k.base)
	return c
}

// table multiplies by a discrete factor.
func (b *builder) table(c *gauss.Code, x *product, f *model.Factor) {
	values, err := b.Model.Tabulate(f, b.ctx.MaxTable)
	if err != nil {
		values = []float64{0} // the cluster, which is no smaller, has been refused
	}
	logs, mask := make([]float64, len(values)), make([]float64, len(values))
	for i, p := range values {
		if p > 0 {
			logs[i], mask[i] = pgmrt.Ln(p), 1
		}
	}
	k := b.columns(b.Model.FactorName(f), f.Scope)
	x.log = c.Sum(x.log, k.Read(c, logs))
	x.mask = c.Prod(x.mask, k.Read(c, mask))
}

// gaussian multiplies by a Gaussian CPD.
func (b *builder) gaussian(c *gauss.Code, x *product, f *model.Factor) {
	d := f.Gaussian()
	y := f.ChildVar()
	discrete, parents := b.Model.SplitParents(f)
	s := b.scale[y]
	n := len(d.Mean)
	mean, precision, log := make([]float64, n), make([]float64, n), make([]float64, n)
	coef := make([][]float64, len(parents))
	for r := range n {
		at, of, variance := d.Row(r)
		for i, u := range parents {
			at += float64(of[i] * b.centre[u])
			coef[i] = append(coef[i], of[i]/s)
		}
		mean[r], precision[r] = (at-b.centre[y])/s, s*s/variance
		log[r] = .5 * (pgmrt.Ln(precision[r]) - pgmrt.Ln(2*math.Pi))
	}
	k := b.columns(b.Model.FactorName(f), discrete)
	on, by := []model.VarID{y}, []circuit.Node{b.hidden(c, y)}
	at := c.Sub(k.Read(c, mean), c.Prod(c.Const(1/s), b.shift(c, y)))
	for i, u := range parents {
		a := k.Read(c, coef[i])
		at = c.Sum(at, c.Prod(a, b.shift(c, u)))
		if b.real(u) {
			on = append(on, u)
			by = append(by, c.Neg(c.Prod(c.Const(b.scale[u]), c.Prod(a, b.hidden(c, u)))))
		}
	}
	x.log = c.Sum(x.log, k.Read(c, log))
	x.square(c, on, by, at, k.Read(c, precision))
}

// all returns the product of the functions of a cluster without a message and without a site, which
// may be nil.
func (b *builder) all(c *gauss.Code, k *cluster, but *link, without *site) *product {
	x := &product{gauss.NewForm(nil), circuit.Zero, circuit.One}
	x.times(c, &k.base)
	for _, l := range k.in {
		if l != but {
			x.times(c, &l.message)
		}
	}
	for _, s := range k.sites {
		if s != without {
			s.multiply(b, c, x)
		}
	}
	return x
}
