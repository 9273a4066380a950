package belief

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// edge is a variable's place in the scope of a factor over several: the messages between the two.
type edge struct {
	factor, place int
	down          ir.TableID // of the factor, to the variable
	up            ir.TableID // of the variable, to the factor
}

// builder plans one query.
type builder struct {
	*loop.Plan
	table []ir.TableID   // by factor
	scope [][]*edge      // by factor over several variables: its edges, in the order of its scope
	edges [][]*edge      // by variable
	unary [][]ir.TableID // by variable: the factors over it alone
	base  []ir.TableID   // by variable: the product of its likelihood and its unary factors; NoTable where there are none
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
				e := &edge{factor: n, place: i, up: ir.NoTable}
				e.down = b.Kept(b.Arrow(m.FactorName(f), m.Vars[v].Name), v)
				b.scope[n] = append(b.scope[n], e)
				b.edges[v] = append(b.edges[v], e)
			}
		}
	}
	return b
}

// mostOperands is how many tables are multiplied before their product is normalised: messages are
// at most 1, and each may be small.
const mostOperands = 4

// product sets out, over v, to the normalised product of in. With tally, ln P counts what
// normalising divided by.
func (b *builder) product(ops []ir.Op, v model.VarID, out ir.TableID, in []ir.TableID, tally bool) []ir.Op {
	step := func(to ir.TableID, in []ir.TableID) {
		ops = append(ops, &ir.ContractOp{Out: to, In: in})
		if tally {
			ops = append(ops, b.Log(1, to))
		}
		ops = append(ops, &ir.NormalizeOp{Table: to})
	}
	for len(in) > mostOperands {
		part := b.Temp("a part of "+b.Schedule.Tables[out].Name, v)
		step(part, in[:mostOperands:mostOperands])
		in = append([]ir.TableID{part}, in[mostOperands:]...)
	}
	step(out, in)
	return ops
}

// start sets the messages before the first round: those of factors are uniform. With sources alone,
// those of variables are left to the round.
func (b *builder) start(downAlone bool) {
	for v := range b.Model.Vars {
		id := model.VarID(v)
		b.base[v] = b.baseOf(id)
		for _, e := range b.edges[v] {
			b.Start = append(b.Start, b.Copy(e.down, b.Uniform(id)))
		}
		b.name(id)
		if !downAlone {
			b.Start = b.ups(b.Start, id)
		}
	}
}

// baseOf is what is known of v beside messages.
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

// name makes the tables of the messages that v sends. To its only factor it sends what is known of
// it beside.
func (b *builder) name(v model.VarID) {
	for _, e := range b.edges[v] {
		switch {
		case len(b.edges[v]) > 1:
			f := b.Model.Factors[e.factor]
			e.up = b.Kept(b.Arrow(b.Model.Vars[v].Name, b.Model.FactorName(f)), v)
		case b.base[v] != ir.NoTable:
			e.up = b.base[v]
		default:
			e.up = b.Ones(v)
		}
	}
}

// downs are the operations that send v the messages of its factors.
func (b *builder) downs(ops []ir.Op, v model.VarID) []ir.Op {
	for _, e := range b.edges[v] {
		in := []ir.TableID{b.table[e.factor]}
		for _, other := range b.scope[e.factor] {
			if other != e {
				in = append(in, other.up)
			}
		}
		next := b.Temp("new "+b.Schedule.Tables[e.down].Name, v)
		ops = append(ops, b.Sum(next, in...), &ir.NormalizeOp{Table: next}, b.Damp(e.down, next))
	}
	return ops
}

// ups are the operations by which v sends messages to its factors: of each, all that it has but
// that factor's own.
func (b *builder) ups(ops []ir.Op, v model.VarID) []ir.Op {
	edges := b.edges[v]
	if len(edges) < 2 {
		return ops
	}
	var base []ir.TableID
	if b.base[v] != ir.NoTable {
		base = append(base, b.base[v])
	}
	if len(edges) <= mostOperands {
		for _, e := range edges {
			in := slices.Clone(base)
			for _, other := range edges {
				if other != e {
					in = append(in, other.down)
				}
			}
			ops = b.product(ops, v, e.up, in, false)
		}
		return ops
	}
	return b.manyUps(ops, v, base)
}

// manyUps is ups by products from both ends: before and after each edge.
func (b *builder) manyUps(ops []ir.Op, v model.VarID, before []ir.TableID) []ir.Op {
	edges := b.edges[v]
	after := make([][]ir.TableID, len(edges))
	for i := len(edges) - 2; i >= 0; i-- {
		if next := edges[i+1].down; after[i+1] == nil {
			after[i] = []ir.TableID{next}
		} else {
			t := b.Temp("messages behind", v)
			ops = b.product(ops, v, t, append(after[i+1], next), false)
			after[i] = []ir.TableID{t}
		}
	}
	for i, e := range edges {
		ops = b.product(ops, v, e.up, slices.Concat(before, after[i]), false)
		if i == len(edges)-1 {
			break
		}
		before = append(before, e.down)
		if len(before) > 1 {
			t := b.Temp("messages before", v)
			ops = b.product(ops, v, t, before, false)
			before = []ir.TableID{t}
		}
	}
	return ops
}

// end makes the marginals, and ln P by the Bethe free energy: what the factors and the variables
// sum to, over what the edges do.
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
			in = append(in, e.up)
		}
		b.End = append(b.End, b.Sum(all, in...), b.Log(1, all))
		for _, e := range edges {
			both := b.Temp("sum of an edge")
			b.End = append(b.End, b.Sum(both, e.down, e.up), b.Log(-1, both))
		}
	}
}

// marginal is the product of all that v has.
func (b *builder) marginal(v model.VarID) {
	var in []ir.TableID
	if b.base[v] != ir.NoTable {
		in = append(in, b.base[v])
	}
	for _, e := range b.edges[v] {
		in = append(in, e.down)
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
