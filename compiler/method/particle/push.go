package particle

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parentStates returns the discrete parents of real variables, in order.
func (p *pass) parentStates(vars []model.VarID) (list []model.VarID) {
	for _, v := range vars {
		if f := p.m.CPD(v); f != nil {
			discrete, _ := p.m.SplitParents(f)
			list = append(list, discrete...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// branch returns what a particle knows with real variables pushed, and observed if seen is true,
// for each joint state of their discrete parents.
func (p *pass) branch(vars, over []model.VarID, seen bool) (list []*partial, err error) {
	state := make([]int, len(p.m.Vars))
	for range int(p.m.JointStates(over)) {
		s := p.st.clone()
		s.log = circuit.Zero
		x := gauss.NewFiltered(p.m, p.inputs, p.d.Add)
		x.Code, x.Moments, x.Known = p.c, s.Moments, p.hasValue
		for _, v := range vars {
			if err := p.push(x, s, v, state, seen); err != nil {
				return nil, err
			}
		}
		undefined := p.c.Prod(p.c.Const(ir.LogZero), p.c.Sub(circuit.One, s.defined))
		s.log = p.c.Sum(s.log, p.c.Sum(x.LogDensity(), undefined))
		if list = append(list, s); !p.m.Next(over, state) {
			break
		}
	}
	return list, nil
}

// hasValue reports whether a variable that is not given has a value.
func (p *pass) hasValue(v model.VarID) bool {
	return p.isDrawn(v) && (int(v) >= len(p.base.Vars) || !p.spread)
}

// push pushes a real variable at joint states of its discrete parents.
func (p *pass) push(x *gauss.Filtered, s *partial, v model.VarID, state []int, seen bool) error {
	f := p.m.CPD(v)
	if f == nil {
		x.Push(p.c.Circuit, v, &gauss.Regression{Mean: x.Value(v)})
		return nil
	}
	r := &gauss.Regression{}
	if d, ok := f.Dist.(*model.Func); ok {
		g, own := d.Choose(p.m, f, state)
		if n, ops := p.rule.Ops(p.m, g, own); ops > gauss.MaxPointsCode {
			return diag.Errorf("the values of the mean of %q at points of %d variables take %.3g operations; limit: %d; want %v",
				p.m.Vars[v].Name, n, ops, gauss.MaxPointsCode, diag.Option{Name: "proposal", Value: "ekf"})
		}
		var defined circuit.Node
		r, defined = p.rule.Regression(x, g, own)
		s.defined = p.c.Prod(s.defined, defined)
	} else {
		discrete, real := p.m.SplitParents(f)
		mean, coef, variance := f.Gaussian().Row(p.m.Index(discrete, state))
		r.On, r.Mean, r.Var = real, p.c.Const(mean), p.c.Const(variance)
		for _, a := range coef {
			r.Coef = append(r.Coef, p.c.Const(a))
		}
	}
	x.Push(p.c.Circuit, v, r)
	switch {
	case !seen:
	case p.isDrawn(v) && !p.spread:
		p.draw(x, s, v)
	case !p.m.Vars[v].Latent:
		x.Observe(v)
	}
	return nil
}

// draw gives the last variable of x its value: the observed one, or one that is drawn from its
// distribution given what is known so far, or from the proposal. The weight is multiplied by the
// density of an observed value, and by that of a proposed one divided by its proposal's.
func (p *pass) draw(x *gauss.Filtered, s *partial, v model.VarID) {
	c := p.c
	if p.random == ir.NoTable {
		p.random = p.d.Add(ir.Table{Name: "noise", Role: ir.RoleTemp, Var: -1})
	}
	if !slices.Contains(p.noise, v) {
		p.noise = append(p.noise, v)
		p.d.Schedule.Tables[p.random].Parts = len(p.noise)
	}
	z := c.Read(gauss.Part(p.random, slices.Index(p.noise, v)))
	mean, variance := x.Of(v), x.Between(v, v)
	value, weighed, ratio := c.Sum(mean, c.Prod(c.Sqrt(variance), z)), circuit.Zero, circuit.Zero
	if p.near != nil {
		m, w, by, _ := p.near.Of(v)
		by = c.Prod(by, gauss.Positive(c.Circuit, variance))
		w = gauss.Or(c.Circuit, by, w, circuit.One)
		value = gauss.Or(c.Circuit, by, c.Sum(m, c.Prod(c.Sqrt(w), z)), value)
		weighed, ratio = by, c.Prod(by, c.Prod(c.Const(.5), c.Sum(c.Prod(z, z), c.Log(c.Prod(c.Const(2*math.Pi), w)))))
	}
	seen := circuit.Zero
	if t := p.d.Lambda[v]; t != ir.NoTable {
		seen = c.Read(gauss.Part(t, 0))
		unseen := c.Sub(circuit.One, seen)
		value = c.Sum(c.Prod(unseen, value), c.Read(gauss.Part(t, 1)))
		weighed, ratio = c.Sum(seen, c.Prod(unseen, weighed)), c.Prod(unseen, ratio)
	}
	off := c.Sub(value, mean)
	spread := gauss.Or(c.Circuit, weighed, variance, circuit.One)
	half := c.Prod(c.Const(.5), c.Sum(c.Prod(c.Prod(off, off), c.Ratio(circuit.One, spread)), c.Log(c.Prod(c.Const(2*math.Pi), spread))))
	s.log = c.Sum(s.log, c.Sub(ratio, c.Prod(weighed, half)))
	x.Condition(c.Circuit, v, circuit.One, value)
}

// forget takes out of the moments what has no effect any more: those of vars that have none on
// others, and variables before the slice, unless answers about measurements need them.
func (p *pass) forget(vars []model.VarID) {
	p.st.log = circuit.Zero
	p.left = append(p.left, vars...)
	for _, v := range slices.Clone(p.st.Scope) {
		old := int(v) >= len(p.base.Vars)
		waits := slices.ContainsFunc(p.of.children[v], func(u model.VarID) bool { return p.of.isLeaf(u) || p.m.IsReal(u) && !slices.Contains(p.left, u) })
		if p.of.isLeaf(v) || old && !waits {
			p.st.Moments = without(p.st.Moments, v)
		}
	}
}

// leave writes the numbers of a particle: of a measurement its distribution given all evidence.
func (p *pass) leave() error {
	layout := p.how.Draw.Kept
	write := func(at int, n circuit.Node) { p.c.Write(ir.MapPart{Table: p.d.Values, Part: at}, n) }
	for i, v := range p.base.Reals() {
		mean, variance, err := p.answer(v)
		if err != nil {
			return err
		}
		write(i, mean)
		if at := layout.Spread[i]; at > 0 {
			write(at, variance)
		}
	}
	carried := layout.Carried
	for i, v := range p.after {
		for j, w := range p.after[:i] {
			if !p.apart[i][j] {
				write(carried[0], p.st.Between(v, w))
				carried = carried[1:]
			}
		}
		carried = carried[1:] // the variance
	}
	p.flush()
	return nil
}

// answer returns the mean and the variance of a variable.
func (p *pass) answer(v model.VarID) (mean, variance circuit.Node, err error) {
	if !p.of.isLeaf(v) {
		return p.st.Of(v), p.st.Between(v, v), nil
	}
	if p.m.Vars[v].Latent {
		return circuit.Zero, circuit.Zero, nil
	}
	over := p.parentStates([]model.VarID{v})
	branches, err := p.branch([]model.VarID{v}, over, false)
	if err != nil {
		return 0, 0, err
	}
	all := p.choose(branches, over)
	x := gauss.NewFiltered(p.m, p.inputs, p.d.Add)
	x.Code, x.Moments = p.c, all.Moments
	x.Observe(v)
	return x.Of(v), x.Between(v, v), nil
}
