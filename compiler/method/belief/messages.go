package belief

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// edge is an edge of the factor graph, between a variable and a factor over several variables, with
// its two messages.
type edge struct {
	factor, place int
	fromFactor    ir.TableID // message from the factor to the variable
	toFactor      ir.TableID // message from the variable to the factor
}

// builder plans one query.
type builder struct {
	*loop.Plan
	table []ir.TableID   // by factor
	scope [][]*edge      // by factor: its edges, in the order of its scope; none if it has one variable
	edges [][]*edge      // by variable
	unary [][]ir.TableID // by variable: the factors over it alone
	base  []ir.TableID   // by variable: the product of its likelihood and its unary factors; NoTable if there are none
}

func newBuilder(p *ir.Problem) *builder {
	m := p.Model
	b := &builder{Plan: loop.New(p), scope: make([][]*edge, len(m.Factors)), edges: make([][]*edge, len(m.Vars)),
		unary: make([][]ir.TableID, len(m.Vars)), base: make([]ir.TableID, len(m.Vars))}
	for n, f := range m.Factors {
		b.table = append(b.table, b.Factor(f))
		switch len(f.Scope) {
		case 0:
			b.Start = append(b.Start, b.Log(1, b.table[n]))
		case 1:
			b.unary[f.Scope[0]] = append(b.unary[f.Scope[0]], b.table[n])
		default:
			for i, v := range f.Scope {
				e := &edge{factor: n, place: i, toFactor: ir.NoTable}
				e.fromFactor = b.Kept(b.Arrow(m.FactorName(f), m.Vars[v].Name), v)
				b.scope[n] = append(b.scope[n], e)
				b.edges[v] = append(b.edges[v], e)
			}
		}
	}
	return b
}

// maxOperands is the number of tables that are multiplied before their product is normalized.
// Messages are at most 1, and each may be small.
const maxOperands = 4

// product appends the operations that set out, over v, to the normalized product of in. If tally is
// set, the normalization constants are added to ln P.
func (b *builder) product(ops []ir.Op, v model.VarID, out ir.TableID, in []ir.TableID, tally bool) []ir.Op {
	step := func(to ir.TableID, in []ir.TableID) {
		ops = append(ops, &ir.ContractOp{Out: to, In: in})
		if tally {
			ops = append(ops, b.Log(1, to))
		}
		ops = append(ops, &ir.NormalizeOp{Table: to})
	}
	for len(in) > maxOperands {
		part := b.Temp("a part of "+b.Schedule.Tables[out].Name, v)
		step(part, in[:maxOperands:maxOperands])
		in = append([]ir.TableID{part}, in[maxOperands:]...)
	}
	step(out, in)
	return ops
}

// start adds the operations that set the messages before the first iteration. Those of factors are
// uniform. Unless fromFactorsOnly is set, the messages of variables are computed too; a flooding
// iteration begins with them.
func (b *builder) start(fromFactorsOnly bool) {
	for v := range b.Model.Vars {
		id := model.VarID(v)
		b.base[v] = b.baseOf(id)
		for _, e := range b.edges[v] {
			b.Start = append(b.Start, b.Copy(e.fromFactor, b.Uniform(id)))
		}
		b.nameMessages(id)
		if !fromFactorsOnly {
			b.Start = b.toFactors(b.Start, id)
		}
	}
}

// baseOf returns the product of v's likelihood and unary factors, or NoTable if there are none.
func (b *builder) baseOf(v model.VarID) ir.TableID {
	in := slices.Clone(b.unary[v])
	if b.Lambda[v] != ir.NoTable {
		in = append([]ir.TableID{b.Lambda[v]}, in...)
	}
	switch len(in) {
	case 0:
		return ir.NoTable
	case 1:
		return in[0]
	}
	base := b.Kept("evidence on "+b.Model.Vars[v].Name, v)
	b.Start = b.product(b.Start, v, base, in, true)
	return base
}

// nameMessages makes the tables of the messages that v sends. To its only factor it always sends
// its base.
func (b *builder) nameMessages(v model.VarID) {
	for _, e := range b.edges[v] {
		switch {
		case len(b.edges[v]) > 1:
			f := b.Model.Factors[e.factor]
			e.toFactor = b.Kept(b.Arrow(b.Model.Vars[v].Name, b.Model.FactorName(f)), v)
		case b.base[v] != ir.NoTable:
			e.toFactor = b.base[v]
		default:
			e.toFactor = b.Ones(v)
		}
	}
}

// fromFactors appends the operations that compute the messages to v.
func (b *builder) fromFactors(ops []ir.Op, v model.VarID) []ir.Op {
	for _, e := range b.edges[v] {
		in := []ir.TableID{b.table[e.factor]}
		for _, other := range b.scope[e.factor] {
			if other != e {
				in = append(in, other.toFactor)
			}
		}
		next := b.Temp("new "+b.Schedule.Tables[e.fromFactor].Name, v)
		ops = append(ops, b.Sum(next, in...), &ir.NormalizeOp{Table: next}, b.Damp(e.fromFactor, next))
	}
	return ops
}

// toFactors appends the operations that compute the messages of v: to each factor, the product of
// its base and the messages of the other factors.
func (b *builder) toFactors(ops []ir.Op, v model.VarID) []ir.Op {
	edges := b.edges[v]
	if len(edges) < 2 {
		return ops
	}
	var base []ir.TableID
	if b.base[v] != ir.NoTable {
		base = append(base, b.base[v])
	}
	if len(edges) <= maxOperands {
		for _, e := range edges {
			in := slices.Clone(base)
			for _, other := range edges {
				if other != e {
					in = append(in, other.fromFactor)
				}
			}
			ops = b.product(ops, v, e.toFactor, in, false)
		}
		return ops
	}
	return b.toManyFactors(ops, v, base)
}

// toManyFactors is toFactors by products from both ends: of the messages before and after each
// edge.
func (b *builder) toManyFactors(ops []ir.Op, v model.VarID, before []ir.TableID) []ir.Op {
	edges := b.edges[v]
	after := make([][]ir.TableID, len(edges))
	for i := len(edges) - 2; i >= 0; i-- {
		if next := edges[i+1].fromFactor; after[i+1] == nil {
			after[i] = []ir.TableID{next}
		} else {
			t := b.Temp("messages behind", v)
			ops = b.product(ops, v, t, append(after[i+1], next), false)
			after[i] = []ir.TableID{t}
		}
	}
	for i, e := range edges {
		ops = b.product(ops, v, e.toFactor, slices.Concat(before, after[i]), false)
		if i == len(edges)-1 {
			break
		}
		before = append(before, e.fromFactor)
		if len(before) > 1 {
			t := b.Temp("messages before", v)
			ops = b.product(ops, v, t, before, false)
			before = []ir.TableID{t}
		}
	}
	return ops
}

// end adds the operations that compute the marginals, and ln P by the Bethe free energy: the
// normalization constants of factors and variables, divided by the constants of edges.
func (b *builder) end() {
	for v := range b.Model.Vars {
		b.marginal(model.VarID(v))
	}
	for n, edges := range b.scope {
		if len(edges) == 0 {
			continue
		}
		all := b.Temp("sum of " + b.Model.FactorName(b.Model.Factors[n]))
		in := []ir.TableID{b.table[n]}
		for _, e := range edges {
			in = append(in, e.toFactor)
		}
		b.End = append(b.End, b.Sum(all, in...), b.Log(1, all))
		for _, e := range edges {
			both := b.Temp("sum of an edge")
			b.End = append(b.End, b.Sum(both, e.fromFactor, e.toFactor), b.Log(-1, both))
		}
	}
}

// marginal adds the operations that compute the marginal of v.
func (b *builder) marginal(v model.VarID) {
	var in []ir.TableID
	if b.base[v] != ir.NoTable {
		in = append(in, b.base[v])
	}
	for _, e := range b.edges[v] {
		in = append(in, e.fromFactor)
	}
	if len(in) == 0 {
		in = []ir.TableID{b.Ones(v)}
	}
	out := b.Outs[v]
	if out == ir.NoTable {
		out = b.Temp("marginal of "+b.Model.Vars[v].Name, v)
	}
	b.End = b.product(b.End, v, out, in, true)
}
