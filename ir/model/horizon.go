package model

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// once makes w the variable in slice t of a decision v that is taken once.
func (u *unrolling) once(v, w *Var, t int) {
	if w.Name = v.Name; t == 0 {
		return
	}
	w.Name, w.Given, w.Latent = fmt.Sprintf("%s@%d", v.Name, t), false, true
	u.out.Factors = append(u.out.Factors, &Factor{Scope: []VarID{v.ID, w.ID}, Child: 1, Dist: Identity(u.m.Card(v.ID)), Pos: v.Pos})
}

// diagram adds the decisions and utilities of n slices.
func (u *unrolling) diagram(n int) {
	d := &Diagram{}
	u.out.Diagram = d
	for t := range n {
		from := u.m.Diagram
		if t > 0 {
			from = &Diagram{Decisions: u.m.Transition.Decisions, Utilities: u.m.Transition.Utilities}
		}
		for _, x := range from.Decisions {
			y := *x
			y.Var, y.Known, y.Once = u.at(t, []VarID{x.Var})[0], u.at(t, x.Known), false
			d.Decisions = append(d.Decisions, &y)
		}
		first := len(d.Utilities)
		for _, x := range from.Utilities {
			d.Utilities = append(d.Utilities, u.utility(x, t, first))
		}
		for _, c := range u.m.Diagram.Discounted(t) {
			c.Name, c.Discount = atSlice(c.Name, t), 1
			d.Criteria = append(d.Criteria, c)
		}
	}
}

// utility returns the utility x of slice t, whose functions are about those from first on.
func (u *unrolling) utility(x *Utility, t, first int) *Utility {
	y := *x
	y.Name, y.Scope = atSlice(x.Name, t), u.at(t, x.Scope)
	if x.Criterion != "" {
		y.Criterion = atSlice(x.Criterion, t)
	}
	if x.Function != nil {
		f := *x.Function
		f.Nodes = nil
		for _, n := range x.Function.Nodes {
			if n.Op == FuncVar {
				n.Axis += first
			}
			f.Nodes = append(f.Nodes, n)
		}
		y.Function = &f
	}
	return &y
}

// atSlice names something in slice t.
func atSlice(name string, t int) string { return fmt.Sprintf("%s@%d", name, t) }

// Discounted returns the criteria with the scales of slice t.
func (d *Diagram) Discounted(t int) (list []*Criterion) {
	for _, c := range d.Criteria {
		x, factor := *c, math.Pow(c.Discount, float64(t))
		x.Scale, x.Cost, x.Effect = factor*c.Scale, factor*c.Cost, factor*c.Effect
		list = append(list, &x)
	}
	return list
}

// timed checks the decisions and utilities of a template, but for their scopes.
func (c *checker) timed() {
	d, t := c.m.Diagram, c.m.Transition
	if d == nil {
		if len(t.Decisions)+len(t.Utilities) > 0 {
			c.Errorf(c.at(diag.Pos{}), "the transition has decisions or utilities, and slice 0 no diagram; want one")
		}
		return
	}
	if d.Asymmetry != nil {
		c.Errorf(c.at(d.Asymmetry.Pos), "a template of a sequence has restrictions or revelations; want them in a network of one slice")
	}
	if d.Horizon < 0 {
		c.Errorf(c.at(diag.Pos{}), "the horizon is %d slices; want 1 or more", d.Horizon)
	}
	for _, v := range t.Before {
		if x := c.m.Decides(v); x != nil && x.Once {
			c.Errorf(c.at(x.Pos), "decision %q is taken once, and a CPD, a decision or a utility names it a slice ago; want it without a number of slices", c.m.Vars[v].Name)
		}
	}
	for _, x := range d.Criteria {
		if !(0 <= x.Discount && x.Discount <= 1) {
			c.Errorf(c.at(x.Pos), "the criterion %q has the discount %v; want the factor of a slice against the one before, from 0 to 1", x.Name, x.Discount)
		}
	}
	for _, x := range t.Decisions {
		if e := c.m.Decides(x.Var); e != nil && e.Once {
			c.Errorf(c.at(x.Pos), "decision %q is taken once, in slice 0, and again in later slices; want one of them", c.m.Vars[x.Var].Name)
		}
	}
}
