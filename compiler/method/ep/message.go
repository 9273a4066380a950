package ep

import (
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// send plans the update of a message.
func (b *builder) send(l *link) {
	next := b.newFunction("new "+b.Arrow(l.from.name, l.to.name), ir.RoleTemp, l.discrete, l.reals)
	improper := ir.NoTable
	switch {
	case l.weak():
		improper = b.weakMessage(l, &next)
	case len(l.discrete) < len(l.from.discrete):
		improper = b.sumMessage(l, &next)
	default:
		improper = b.integral(l, &next)
	}
	if !b.checked {
		b.add(b.Copy(l.message.mask, next.mask), &ir.DampOp{Table: l.message.table, New: next.table, Rate: b.Rate, Residual: b.unused})
		return
	}
	b.accept(l, &next, improper)
}

// integral plans a message with the discrete variables of its cluster: the exact integral over real
// variables, without the message from the other side.
func (b *builder) integral(l *link, next *function) (improper ir.TableID) {
	c := gauss.NewCode()
	x := b.all(c, l.from, l.back, nil)
	e := x.elimination(c, l.from, l.reals)
	out := &product{e.Form, e.Total(), c.Sum(x.mask, circuit.Zero)}
	out.write(c, next)
	ok := gauss.Constant(1)
	if b.checked && e.Proper != circuit.One {
		ok = gauss.Part(b.Temp("proper in "+l.from.name, l.from.discrete...), 0)
		c.Write(ok.MapPart, e.Proper)
	}
	b.run(c)
	if ok.Table == ir.NoTable {
		return ir.NoTable
	}
	return b.count(l.from.name, ok, gauss.Part(next.mask, 0))
}

// sumMessage plans a message without real variables: an exact sum of integrals.
func (b *builder) sumMessage(l *link, next *function) (improper ir.TableID) {
	p := b.project(l.from, l.back, nil, l.discrete, nil, nil)
	c := gauss.NewCode()
	x := &product{gauss.NewForm(nil), circuit.Zero, circuit.Zero}
	x.mask, x.log = p.logWeight(c)
	x.write(c, next)
	b.run(c)
	return p.improper
}

// logWeight returns whether a joint state of a projection is possible, and ln of its weight.
func (p *projection) logWeight(c *gauss.Code) (mask, log circuit.Node) {
	w := c.Read(p.weight)
	mask = gauss.Positive(c.Circuit, w)
	return mask, c.Sum(c.Read(p.most), c.Log(c.Sum(w, c.Sub(circuit.One, mask))))
}

// weakMessage plans a message with normal distributions in place of mixtures: the projection of the
// whole cluster, divided by the message from the other side.
func (b *builder) weakMessage(l *link, next *function) (improper ir.TableID) {
	p := b.project(l.from, nil, nil, l.discrete, l.reals, nil)
	b.watch(p)
	c := gauss.NewCode()
	form, log, proper := gauss.Canonical(c.Circuit, p.read(c, l.reals))
	mask, weight := p.logWeight(c)
	back, backLog, _ := l.back.message.read(c)
	for i := range form.H {
		form.H[i] = c.Sub(form.H[i], back.H[i])
		for j := range form.K[i] {
			form.K[i][j] = c.Sub(form.K[i][j], back.K[i][j])
		}
	}
	out := &product{form, c.Sub(c.Sub(weight, log), c.Read(backLog)), mask}
	out.write(c, next)
	ok := gauss.Part(b.Temp("proper in "+l.from.name, l.discrete...), 0)
	c.Write(ok.MapPart, proper)
	b.run(c)
	flat := b.count(l.from.name, ok, gauss.Part(next.mask, 0))
	both := b.Temp("improper at " + l.from.name)
	c = gauss.NewCode()
	c.Write(ir.MapPart{Table: both}, c.Sum(c.Read(gauss.Part(flat, 0)), c.Read(gauss.Part(p.improper, 0))))
	b.run(c)
	return both
}

// accept plans the replacement of a message, if it is proper and leaves its receiver proper. A
// receiver that has not been proper yet takes any message.
func (b *builder) accept(l *link, next *function, improper ir.TableID) {
	to := l.to
	c := gauss.NewCode()
	x := b.all(c, to, l, nil)
	x.times(c, next)
	bad := ir.NoTable
	if len(to.reals) > 0 {
		e := x.elimination(c, to, nil)
		each := gauss.Part(b.Temp("improper with it", to.discrete...), 0)
		c.Write(each.MapPart, c.Prod(x.mask, c.Sub(circuit.One, e.Proper)))
		b.run(c)
		bad = b.Temp("improper at " + to.name)
		b.sum(bad, each)
	}
	c = gauss.NewCode()
	flag := func(t ir.TableID) circuit.Node { // 1 if nothing is improper
		if t == ir.NoTable {
			return circuit.One
		}
		return c.Sub(circuit.One, gauss.Positive(c.Circuit, c.Read(gauss.Part(t, 0))))
	}
	before := c.Read(gauss.Part(to.proper, 0))
	receives := flag(bad)
	use := c.Prod(flag(improper), c.Max(receives, c.Sub(circuit.One, before)))
	b.replace(l, next, c, use, c.Max(before, c.Prod(use, receives)))
}

// replace plans the new message: next if use is 1, and the old one otherwise. proper is the flag of
// the receiver.
func (b *builder) replace(l *link, next *function, c *gauss.Code, use, proper circuit.Node) {
	choice := b.parted("use of a message", nil, 3)
	for i, n := range []circuit.Node{use, c.Sub(circuit.One, use), proper} {
		c.Write(ir.MapPart{Table: choice, Part: i}, c.Sum(n, circuit.Zero))
	}
	b.run(c)
	c = gauss.NewCode()
	rejected, flag := b.Temp("unused message"), b.Temp("proper")
	c.Write(ir.MapPart{Table: rejected}, c.Read(gauss.Part(choice, 1)))
	c.Write(ir.MapPart{Table: flag}, c.Read(gauss.Part(choice, 2)))
	b.run(c)
	b.add(&ir.TallyOp{Kind: ir.TallySum, Factor: 1, Total: b.Improper, In: rejected, Alive: ir.NoTable, Ref: ir.NoTable}, b.Copy(l.to.proper, flag))
	chosen := b.newFunction("chosen "+b.Arrow(l.from.name, l.to.name), ir.RoleTemp, l.discrete, l.reals)
	b.choose(&chosen, next, &l.message, gauss.Part(choice, 0))
	b.add(b.Copy(l.message.mask, chosen.mask), &ir.DampOp{Table: l.message.table, New: chosen.table, Rate: b.Rate, Residual: b.unused})
}

// choose plans the function next if flag is 1, and old otherwise.
func (b *builder) choose(to, next, old *function, flag gauss.Number) {
	c := gauss.NewCode()
	use := c.Read(flag)
	for i := range parts(len(to.reals)) {
		c.Write(ir.MapPart{Table: to.table, Part: i}, gauss.Or(c.Circuit, use, c.Read(gauss.Part(next.table, i)), c.Read(gauss.Part(old.table, i))))
	}
	c.Write(ir.MapPart{Table: to.mask}, gauss.Or(c.Circuit, use, c.Read(gauss.Part(next.mask, 0)), c.Read(gauss.Part(old.mask, 0))))
	b.run(c)
}
