package switching

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// linear is the arithmetic of the real variables of a slice, for a state of the context.
type linear struct {
	*gauss.Code
	*gauss.Moments
	inputs map[model.VarID]ir.TableID
	logs   circuit.Node // -2 ln of the density of the evidence, without that of det
	det    circuit.Node
	terms  int // of det
}

// detTerms is the number of variances of which one logarithm is taken. Their product stays far from
// overflow for variances from 1e-30 to 1e30.
const detTerms = 8

// shortest plans the arithmetic of a slice. If the variables that persist have no evidence, it may
// add them before all others, each as a function of the belief alone, if that takes fewer
// operations.
func (b *builder) shortest(s *slice, before gauss.Stored) *linear {
	if !s.bare {
		x := b.linear(before)
		b.follow(x, s, s.m.Topological(), x.Push)
		return x
	}
	n := len(b.S.Tables)
	apart := b.linear(before)
	open, rest := gauss.Unseen(s.m, func(v model.VarID) bool { return b.seen(s, v) })
	apart.Split()
	b.follow(apart, s, open, apart.PushApart)
	b.follow(apart, s, rest, apart.Push)
	tables := b.S.Tables
	b.S.Tables = b.S.Tables[:n:n] // those of the other way may be the same
	x := b.linear(before)
	b.follow(x, s, s.m.Topological(), x.Push)
	if apart.ops(b.after.real) < x.ops(b.after.real) {
		b.S.Tables = tables
		return apart
	}
	return x
}

// linear returns arithmetic that has the moments before a slice.
func (b *builder) linear(before gauss.Stored) *linear {
	c := gauss.NewCode()
	m := before.Read(c)
	m.Scope = slices.Clone(before.Scope)
	return &linear{Code: c, Moments: m, inputs: b.S.Inputs(), det: circuit.One}
}

// seen reports whether there may be evidence on a variable of a slice.
func (b *builder) seen(s *slice, v model.VarID) bool {
	return s.m.IsReal(v) && !s.m.Vars[v].Latent && !(s.bare && slices.Contains(b.after.real, v))
}

// follow adds the real variables of a slice to the moments, in the given order, each with the
// evidence on it.
func (b *builder) follow(x *linear, s *slice, order []model.VarID, push func(*circuit.Circuit, model.VarID, *gauss.Regression)) {
	for _, v := range order {
		if int(v) >= len(b.m.Vars) || !s.m.IsReal(v) {
			continue
		}
		if s.m.Vars[v].Given {
			push(x.Circuit, v, &gauss.Regression{Mean: b.evidence(x, s, v, 1)})
			continue
		}
		if push(x.Circuit, v, b.regression(x.Code, s.m, v)); b.seen(s, v) {
			x.observe(v, b.evidence(x, s, v, 0), b.evidence(x, s, v, 1))
		}
	}
}

// evidence returns a number of the evidence on a variable: whether it is seen, or its value.
func (b *builder) evidence(x *linear, s *slice, v model.VarID, part int) circuit.Node {
	t, ok := x.inputs[v]
	if !ok {
		t = b.Add(ir.Table{Name: "evidence on " + s.m.Vars[v].Name, Scope: []model.VarID{v}, Role: ir.RoleIn, Var: v})
		x.inputs[v] = t
	}
	return x.Read(gauss.Part(t, part))
}

// observe conditions the moments on a variable, and its density enters that of the evidence.
func (x *linear) observe(v model.VarID, seen, value circuit.Node) {
	c := x.Circuit
	spread, off := x.Between(v, v), c.Sub(value, x.Of(v))
	x.logs = c.Sum(x.logs, c.Prod(c.Prod(off, off), c.Prod(seen, c.Ratio(circuit.One, spread))))
	if x.terms++; x.terms > detTerms {
		x.logs, x.det, x.terms = c.Sum(x.logs, c.Log(x.det)), circuit.One, 1
	}
	x.det = c.Prod(x.det, c.Sum(c.Sub(circuit.One, seen), c.Prod(seen, c.Prod(c.Const(2*math.Pi), spread))))
	x.Condition(c, v, seen, value)
}

// ops returns the number of operations of the density and of the moments of vars.
func (x *linear) ops(vars []model.VarID) int {
	roots := []circuit.Node{x.logs, x.det}
	for i, v := range vars {
		roots = append(roots, x.Of(v))
		for _, w := range vars[:i+1] {
			roots = append(roots, x.Between(v, w))
		}
	}
	return x.Size(roots)
}
