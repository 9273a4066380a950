package belief

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ports are the messages of a link, which are over the inner region.
type ports struct {
	up   ir.TableID // of the inner region, to the cluster
	down ir.TableID // of the cluster, to the inner region, as the operations at hand have made it
}

// generalised plans one query on a region graph.
type generalised struct {
	*loop.Plan
	*regions
	potential map[*outer]ir.TableID // the product of a cluster's factors and of the likelihoods that it answers for
}

// newGeneralised begins a plan. Messages are uniform at first.
func newGeneralised(p *ir.Problem, g *regions) *generalised {
	b := &generalised{loop.New(p), g, map[*outer]ir.TableID{}}
	evidence := map[*outer][]ir.TableID{}
	for v := range b.Model.Vars {
		if l := b.Lambda[v]; l != ir.NoTable {
			o := g.smallest([]model.VarID{model.VarID(v)})
			evidence[o] = append(evidence[o], l)
		}
	}
	for _, f := range b.Model.Factors {
		if len(f.Scope) == 0 {
			b.Start = append(b.Start, b.Log(1, b.Factor(f)))
		}
	}
	for _, o := range g.outers {
		var in []ir.TableID
		for _, n := range o.factors {
			in = append(in, b.Factor(b.Model.Factors[n]))
		}
		b.potential[o] = b.product(o, append(in, evidence[o]...))
		for _, l := range o.links {
			l.up = b.Kept(b.Arrow(b.Names(l.inner.scope), b.Names(o.scope)), l.inner.scope...)
			b.Start = append(b.Start, b.Copy(l.up, b.Uniform(l.inner.scope...)))
		}
	}
	return b
}

// product is the table of a cluster whose factors and likelihoods are in. It is made at the start,
// a few at a time, each time normalised, and ln P counts what normalising divides by.
func (b *generalised) product(o *outer, in []ir.TableID) ir.TableID {
	if len(in) == 1 && len(b.Schedule.Tables[in[0]].Scope) == len(o.scope) {
		return in[0]
	}
	step := func(name string, scope []model.VarID, in []ir.TableID) ir.TableID {
		t := b.Kept(name+b.Names(scope), scope...)
		b.Start = append(b.Start, &ir.ContractOp{Out: t, In: in}, b.Log(1, t), &ir.NormalizeOp{Table: t})
		return t
	}
	scopeOf := func(in []ir.TableID) (scope []model.VarID) {
		for _, t := range in {
			scope = union(scope, b.Schedule.Tables[t].Scope)
		}
		return scope
	}
	has := scopeOf(in)
	for _, v := range o.scope {
		if !slices.Contains(has, v) {
			in = append(in, b.Ones(v))
		}
	}
	for len(in) > mostOperands {
		in = append([]ir.TableID{step("a part of the potential of ", scopeOf(in[:mostOperands]), in[:mostOperands:mostOperands])}, in[mostOperands:]...)
	}
	return step("potential of ", o.scope, in)
}

// operands are a cluster's potential and the messages to it, but that of a link.
func (b *generalised) operands(o *outer, but *link) []ir.TableID {
	in := []ir.TableID{b.potential[o]}
	for _, l := range o.links {
		if l != but {
			in = append(in, l.up)
		}
	}
	return in
}

// downs are the operations by which the clusters of an inner region send it what they make of it,
// its own message left out.
func (b *generalised) downs(ops []ir.Op, r *inner) []ir.Op {
	for _, l := range r.links {
		l.down = b.Temp(b.Arrow(b.Names(l.outer.scope), b.Names(r.scope)), r.scope...)
		ops = append(ops, b.Sum(l.down, b.operands(l.outer, l)...), &ir.NormalizeOp{Table: l.down})
	}
	return ops
}

// ups are the operations by which an inner region sends its clusters messages, after downs. Its
// marginal is the product of what it was sent to the power of 1/(clusters + count), and to each
// cluster goes that over what the cluster sent. With a power of one nothing is divided.
func (b *generalised) ups(ops []ir.Op, r *inner) []ir.Op {
	n := len(r.links) + r.count
	for _, l := range r.links {
		next := b.Temp("new "+b.Schedule.Tables[l.up].Name, r.scope...)
		if n == 1 {
			var in []ir.TableID
			for _, other := range r.links {
				if other != l {
					in = append(in, other.down)
				}
			}
			ops = b.multiply(ops, r, next, in)
		} else {
			op := &ir.PowersOp{Out: next}
			for _, other := range r.links {
				power := 1 / float64(n)
				if other == l {
					power--
				}
				op.In, op.Power = append(op.In, other.down), append(op.Power, power)
			}
			ops = append(ops, op)
		}
		ops = append(ops, b.Damp(l.up, next))
	}
	return ops
}

// multiply sets out to the normalised product of messages, a few at a time.
func (b *generalised) multiply(ops []ir.Op, r *inner, out ir.TableID, in []ir.TableID) []ir.Op {
	for len(in) > mostOperands {
		part := b.Temp("a part of "+b.Schedule.Tables[out].Name, r.scope...)
		ops = append(ops, &ir.ContractOp{Out: part, In: in[:mostOperands:mostOperands]}, &ir.NormalizeOp{Table: part})
		in = append([]ir.TableID{part}, in[mostOperands:]...)
	}
	return append(ops, &ir.ContractOp{Out: out, In: in}, &ir.NormalizeOp{Table: out})
}

// flood has every message of a round made of those of the round before.
func (b *generalised) flood() {
	for _, r := range b.inners {
		b.Round = b.downs(b.Round, r)
	}
	for _, r := range b.inners {
		b.Round = b.ups(b.Round, r)
	}
}

// sweep goes through the inner regions from the leaves to the roots and back.
func (b *generalised) sweep() {
	order, _ := b.breadthFirst()
	for _, r := range slices.Backward(order) {
		b.Round = b.ups(b.downs(b.Round, r), r)
	}
	for _, r := range order {
		b.Round = b.ups(b.downs(b.Round, r), r)
	}
}

// visits has each inner region visited once, from the leaves to the roots, and then always one near
// which messages have moved furthest since it was.
func (b *generalised) visits() {
	order, _ := b.breadthFirst()
	slices.Reverse(order)
	place := map[*inner]int32{}
	for i, r := range order {
		place[r] = int32(i)
	}
	b.Priority = true
	for _, r := range order {
		item := loop.Item{Name: "visit " + b.Names(r.scope), Ops: b.ups(b.downs([]ir.Op{b.Clear()}, r), r)}
		for _, l := range r.links {
			for _, other := range l.outer.links {
				if other.inner != r {
					item.Push = append(item.Push, place[other.inner])
				}
			}
		}
		slices.Sort(item.Push)
		item.Push = slices.Compact(item.Push)
		b.Items = append(b.Items, item)
	}
}

// breadthFirst lists the inner regions by their distance from the first cluster of their component,
// and says whether messages on the graph are those of a junction tree: it has no cycle, and nothing
// is divided.
func (g *regions) breadthFirst() (order []*inner, tree bool) {
	tree = true
	seen, used := map[*outer]bool{}, map[*inner]bool{}
	for _, root := range g.outers {
		if seen[root] {
			continue
		}
		seen[root] = true
		for queue := []*outer{root}; len(queue) > 0; queue = queue[1:] {
			for _, l := range queue[0].links {
				r := l.inner
				if used[r] {
					continue
				}
				used[r] = true
				order = append(order, r)
				tree = tree && len(r.links)+r.count == 1
				for _, next := range r.links {
					if next.outer == queue[0] {
						continue
					}
					tree = tree && !seen[next.outer]
					if !seen[next.outer] {
						seen[next.outer] = true
						queue = append(queue, next.outer)
					}
				}
			}
		}
	}
	return order, tree
}

// end makes the marginals, and ln P by the Kikuchi free energy: of each cluster its mean energy and
// entropy, and the entropies of inner regions as often as they count.
func (b *generalised) end() {
	of := map[*outer][]model.VarID{}
	for v := range b.Model.Vars {
		o := b.smallest([]model.VarID{model.VarID(v)})
		of[o] = append(of[o], model.VarID(v))
	}
	for _, o := range b.outers {
		belief := b.Temp("marginal of "+b.Names(o.scope), o.scope...)
		b.End = append(b.End, b.Sum(belief, b.operands(o, nil)...), b.Log(0, belief), &ir.NormalizeOp{Table: belief})
		b.entropy(1, belief, b.potential[o])
		for _, v := range of[o] {
			if out := b.Outs[v]; out != ir.NoTable {
				b.End = append(b.End, b.Sum(out, belief), &ir.NormalizeOp{Table: out})
			}
		}
		for _, l := range o.links {
			if l == l.inner.links[0] {
				shared := b.Temp("marginal of "+b.Names(l.inner.scope), l.inner.scope...)
				b.End = append(b.End, b.Sum(shared, belief))
				b.entropy(float64(l.inner.count), shared, ir.NoTable)
			}
		}
	}
}

// entropy adds to ln P so many times the sum of x ln (ref/x).
func (b *generalised) entropy(times float64, x, ref ir.TableID) {
	b.End = append(b.End, &ir.TallyOp{Kind: ir.TallyEntropy, Factor: times, Total: b.LogP, In: x, Alive: ir.NoTable, Ref: ref})
}
