package belief

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// linkMessages holds the messages of a link, which are over the inner region.
type linkMessages struct {
	toCluster   ir.TableID // from the inner region to the cluster
	fromCluster ir.TableID // from the cluster to the inner region, as computed by the current operations
}

// generalised plans one query on a region graph.
type generalised struct {
	*loop.Plan
	*regions
	potential map[*outer]ir.TableID // by cluster: the product of its factors and of the likelihoods that are assigned to it
}

// newGeneralised returns a plan in which all messages are uniform at first.
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
			l.toCluster = b.Kept(b.Arrow(b.Names(l.inner.scope), b.Names(o.scope)), l.inner.scope...)
			b.Start = append(b.Start, b.Copy(l.toCluster, b.Uniform(l.inner.scope...)))
		}
	}
	return b
}

// product returns the table of a cluster: the product of in, computed at the start, normalized
// after every few factors. The normalization constants are added to ln P.
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
	for len(in) > maxOperands {
		in = append([]ir.TableID{step("a part of the potential of ", scopeOf(in[:maxOperands]), in[:maxOperands:maxOperands])}, in[maxOperands:]...)
	}
	return step("potential of ", o.scope, in)
}

// operands returns a cluster's potential and the messages to it, except one link's.
func (b *generalised) operands(o *outer, except *link) []ir.TableID {
	in := []ir.TableID{b.potential[o]}
	for _, l := range o.links {
		if l != except {
			in = append(in, l.toCluster)
		}
	}
	return in
}

// fromClusters appends the operations that compute the messages of an inner region's clusters to
// it. Each leaves out the region's own message.
func (b *generalised) fromClusters(ops []ir.Op, r *inner) []ir.Op {
	for _, l := range r.links {
		l.fromCluster = b.Temp(b.Arrow(b.Names(l.outer.scope), b.Names(r.scope)), r.scope...)
		ops = append(ops, b.Sum(l.fromCluster, b.operands(l.outer, l)...), &ir.NormalizeOp{Table: l.fromCluster})
	}
	return ops
}

// toClusters appends the operations that compute the messages of an inner region to its clusters,
// after fromClusters. The region's marginal is the product of the messages to it, to the power of
// 1/(clusters + count). The message to a cluster is the marginal divided by the cluster's message.
// If the power is 1, nothing is divided.
func (b *generalised) toClusters(ops []ir.Op, r *inner) []ir.Op {
	n := len(r.links) + r.count
	for _, l := range r.links {
		next := b.Temp("new "+b.Schedule.Tables[l.toCluster].Name, r.scope...)
		if n == 1 {
			var in []ir.TableID
			for _, other := range r.links {
				if other != l {
					in = append(in, other.fromCluster)
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
				op.In, op.Power = append(op.In, other.fromCluster), append(op.Power, power)
			}
			ops = append(ops, op)
		}
		ops = append(ops, b.Damp(l.toCluster, next))
	}
	return ops
}

// multiply appends the operations that set out to the normalized product of messages, a few at a
// time.
func (b *generalised) multiply(ops []ir.Op, r *inner, out ir.TableID, in []ir.TableID) []ir.Op {
	for len(in) > maxOperands {
		part := b.Temp("a part of "+b.Schedule.Tables[out].Name, r.scope...)
		ops = append(ops, &ir.ContractOp{Out: part, In: in[:maxOperands:maxOperands]}, &ir.NormalizeOp{Table: part})
		in = append([]ir.TableID{part}, in[maxOperands:]...)
	}
	return append(ops, &ir.ContractOp{Out: out, In: in}, &ir.NormalizeOp{Table: out})
}

// flood plans an iteration in which every message is computed from the previous one's.
func (b *generalised) flood() {
	for _, r := range b.inners {
		b.Round = b.fromClusters(b.Round, r)
	}
	for _, r := range b.inners {
		b.Round = b.toClusters(b.Round, r)
	}
}

// sweep plans an iteration that visits the inner regions from the leaves to the roots and back.
func (b *generalised) sweep() {
	order, _ := b.breadthFirst()
	for _, r := range slices.Backward(order) {
		b.Round = b.toClusters(b.fromClusters(b.Round, r), r)
	}
	for _, r := range order {
		b.Round = b.toClusters(b.fromClusters(b.Round, r), r)
	}
}

// visits plans the residual schedule: each inner region is visited once, from the leaves to the
// roots, and then always one near which messages have changed most since its last visit.
func (b *generalised) visits() {
	order, _ := b.breadthFirst()
	slices.Reverse(order)
	place := map[*inner]int32{}
	for i, r := range order {
		place[r] = int32(i)
	}
	b.Priority = true
	for _, r := range order {
		item := loop.Item{Name: "visit " + b.Names(r.scope), Ops: b.toClusters(b.fromClusters([]ir.Op{b.Clear()}, r), r)}
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

// breadthFirst returns the inner regions in breadth-first order from the first cluster of each
// component. It reports whether the graph is a junction tree: it has no cycle, and messages are not
// divided.
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

// end adds the operations that compute the marginals, and ln P by the Kikuchi free energy: the mean
// energy and the entropy of each cluster, and the entropy of each inner region times its count.
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

// entropy adds to ln P factor times the sum of x ln (ref/x).
func (b *generalised) entropy(factor float64, x, ref ir.TableID) {
	b.End = append(b.End, &ir.TallyOp{Kind: ir.TallyEntropy, Factor: factor, Total: b.LogP, In: x, Alive: ir.NoTable, Ref: ref})
}
