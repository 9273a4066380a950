package switching

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// shortest plans the arithmetic of a slice. If the variables that persist have no evidence, it may
// add them before all others, each as a function of only the belief, if that takes fewer
// operations.
func (b *builder) shortest(s *slice, before gauss.Stored) *gauss.Filtered {
	if len(softmaxes(s.m)) > 0 {
		x := b.linear(s, before)
		s.tilt = b.Add(ir.Table{Name: "probability of discrete children, " + s.name, Scope: s.context, Role: ir.RoleOut, Var: -1})
		x.Write(ir.MapPart{Table: s.tilt}, b.followTilted(x, s))
		return x
	}
	if !s.bare || b.factored {
		x := b.linear(s, before)
		b.follow(x, s, s.m.Topological(), x.Push)
		return x
	}
	n := len(b.S.Tables)
	apart := b.linear(s, before)
	open, rest := gauss.Unseen(s.m, func(v model.VarID) bool { return b.seen(s, v) })
	apart.Split()
	b.follow(apart, s, open, apart.PushApart)
	b.follow(apart, s, rest, apart.Push)
	tables := b.S.Tables
	b.S.Tables = b.S.Tables[:n:n] // those of the other way may be the same
	x := b.linear(s, before)
	b.follow(x, s, s.m.Topological(), x.Push)
	if apart.OpsFor(b.after.real) < x.OpsFor(b.after.real) {
		b.S.Tables = tables
		return apart
	}
	return x
}

// linear returns arithmetic that has the moments before a slice.
func (b *builder) linear(s *slice, before gauss.Stored) *gauss.Filtered {
	x := gauss.NewFiltered(s.m, b.S.Inputs(), b.Add)
	x.Moments = before.Read(x.Code)
	if x.Scope = slices.Clone(before.Scope); b.factored || b.exact && s.back {
		x.Moments = x.Factor(x.Circuit, b.exact)
	}
	return x
}

// seen reports whether there may be evidence on a variable of a slice.
func (b *builder) seen(s *slice, v model.VarID) bool {
	return s.m.IsReal(v) && !s.m.Vars[v].Latent && !(s.bare && slices.Contains(b.after.real, v))
}

// follow adds the real variables of a slice to the moments, in the given order, each with the
// evidence on it.
func (b *builder) follow(x *gauss.Filtered, s *slice, order []model.VarID, push func(*circuit.Circuit, model.VarID, *gauss.Regression)) {
	for _, v := range order {
		if int(v) >= len(b.m.Vars) || !s.m.IsReal(v) {
			continue
		}
		if s.m.Vars[v].Given {
			push(x.Circuit, v, &gauss.Regression{Mean: x.Value(v)})
			continue
		}
		if push(x.Circuit, v, b.regression(x.Code, s.m, v)); b.seen(s, v) {
			x.Observe(v)
		}
	}
}

// several reports whether the context has several joint states. The weight of a single one stays 1,
// so that answers equal a filter's without modes.
func (b *builder) several(s *slice) bool {
	return slices.ContainsFunc(s.context, func(v model.VarID) bool { return s.m.Card(v) > 1 })
}

// proper reports whether no real variable of a slice is a function of others, so that densities are
// finite.
func (b *builder) proper(m *model.Model) bool {
	return !slices.ContainsFunc(b.own(m), func(v model.VarID) bool {
		f := m.CPD(v)
		return f != nil && slices.ContainsFunc(f.Gaussian().Var, func(x float64) bool { return !(x > 0) })
	})
}
