package jointree

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/contraction"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The number of products of a plan by buckets from which on auto looks for a contraction tree. A
// smaller plan takes less time to run than a search. One that runs often and is smaller still has
// little to gain, and would have more code: samples need a pass bucket by bucket beside the tree.
// Small plans of more than lastingVars variables have small buckets, which gain nothing from a
// search of seconds.
const (
	pairsFrom   = 1 << 20
	LastingFrom = 1 << 12
	lastingVars = 512
)

// pairsTo is the number of products of a plan by buckets up to which auto looks for a contraction
// tree: none that was found saved a factor of a million, so that a larger plan is refused anyway.
const pairsTo = 1e20

// pairsBytes is the most memory for the sets of variables of a contraction tree that auto looks
// for, which grows with the square of the variables: some 16,000 of them. A search sees little of
// more.
const pairsBytes = 1 << 27

// pairsGain is the share of the operations of buckets, over all queries, from which on auto takes a
// contraction tree. With a session, auto takes one only where buckets do not fit: fewer operations
// in all are no gain if a finding reaches more of them, and on munin2 it reaches 2.3 times as many.
// A program that runs often and is small runs on vectors, for which products of two tables need
// fewer loads too: hepar2 takes .82 of the time with .90 of the operations.
const (
	pairsGain   = .9
	lastingGain = .95
)

// pairsSeed is the seed of the search for a contraction tree.
const pairsSeed = 1

// plan returns a builder with the schedule of all queries of p.
func (x *Options) plan(c *method.Context, p *ir.Problem) (*builder, error) {
	if (x.Contract == Pairs || x.Contract == Slices) && mayPair(p) {
		b := newBuilder(c, p)
		b.inPairs, b.inSlices = true, x.Contract == Slices
		return b, b.queries()
	}
	var orders [][]int
	recorded := *c
	recorded.Order = func(scopes [][]model.VarID, vars []model.VarID, group []int) ([]int, error) {
		order, err := c.Order(scopes, vars, group)
		orders = append(orders, order)
		return order, err
	}
	b := newBuilder(&recorded, p)
	if err := b.queries(); err != nil || x.Contract == Buckets || c.Quick || !mayPair(p) || b.main == nil {
		return b, err
	}
	buckets := sizeOf(b.s)
	if !searches(c, p, &buckets) {
		return b, nil
	}
	replayed := *c
	replayed.Order = func([][]model.VarID, []model.VarID, []int) (order []int, err error) {
		order, orders = orders[0], orders[1:]
		return order, nil
	}
	other := newBuilder(&replayed, p)
	other.inPairs = true
	if err := other.queries(); err != nil {
		return b, err
	}
	gain := pairsGain
	switch {
	case p.Asks(ir.Session):
		gain = 0
	case buckets.Products < pairsFrom:
		gain = lastingGain
	}
	if pairs := sizeOf(other.s); better(c, &pairs, &buckets, gain) {
		return other, nil
	}
	return b, nil
}

// searches reports whether to look for a contraction tree beside a plan by buckets.
func searches(c *method.Context, p *ir.Problem, buckets *method.Size) bool {
	from := float64(pairsFrom)
	if c.Lasting && !p.Asks(ir.Session) && len(p.Model.Vars) <= lastingVars {
		from = LastingFrom
	}
	vars := float64(len(p.Model.Vars))
	sets := 2 * (float64(len(p.Model.Factors)) + vars) * vars / 8
	return buckets.Products >= from && buckets.Products <= pairsTo && sets <= pairsBytes
}

// sizeOf returns the size of the program of s, with the operations of all queries, one after the
// other.
func sizeOf(s *ir.Schedule) method.Size {
	est := method.EstimateOf(s)
	est.Size.Operations = 0
	for i := range est.Queries {
		est.Size.Operations += est.Queries[i].Operations
	}
	return est.Size
}

// mayPair reports whether the sums of p may be planned by a contraction tree. Fronts are planned
// together with what computes them.
func mayPair(p *ir.Problem) bool {
	return p.Into == nil && len(p.Fronts) == 0 && len(p.Model.Reals()) == 0
}

// better reports whether a plan by pairs is better than one by buckets: it is if only that fits, or
// if it needs at most a share gain of the operations and fits or takes less memory.
func better(c *method.Context, pairs, buckets *method.Size, gain float64) bool {
	over := func(s *method.Size) bool { return s.Largest > float64(c.MaxTable) || s.Bytes() > float64(c.MaxMem) }
	if over(pairs) != over(buckets) {
		return over(buckets)
	}
	return pairs.Operations <= gain*buckets.Operations && (!over(pairs) || pairs.Bytes() <= buckets.Bytes())
}

// contract finds the contraction tree of the main tree, and makes its elimination order that of the
// main tree.
func (b *builder) contract() {
	n := &contraction.Network{States: make([]float64, len(b.p.Model.Vars)), Derivatives: b.derives()}
	for v := range n.States {
		n.States[v] = float64(b.p.Model.Card(model.VarID(v)))
	}
	for _, f := range b.all() {
		n.Leaves = append(n.Leaves, contraction.Leaf{Scope: numbers(b.factorScope(f)), Constant: b.p.Params == ir.Const})
	}
	for _, v := range b.p.Model.Vars {
		if !v.Latent {
			n.Leaves = append(n.Leaves, contraction.Leaf{Scope: []int{int(v.ID)}})
		}
	}
	order := make([]int, len(b.mainTree.Buckets))
	for i := range order {
		order[i] = int(b.mainTree.Buckets[i].Var)
	}
	found := b.ctx.Memo.Recall(fmt.Sprint(n.Key(order), b.inSlices, b.ctx.MaxTable, b.ctx.MaxMem), func() any { return b.search(n, order) }).(*sliced)
	if order = found.tree.Order(); len(order)+len(found.cut) < len(b.mainTree.Buckets) {
		return // a variable has neither a factor nor a likelihood
	}
	b.pairs, b.cut = found.tree, found.cut
	scopes := make([][]model.VarID, 0, len(n.Leaves))
	for _, f := range b.all() {
		scopes = append(scopes, b.factorScope(f))
	}
	b.mainTree = cluster.New(len(b.p.Model.Vars), scopes, order)
}

// derives reports whether a query needs derivatives of the sum of all.
func (b *builder) derives() bool {
	return slices.ContainsFunc(b.p.Queries, func(q *ir.Query) bool {
		switch q.Kind {
		case ir.Marginals, ir.Posterior, ir.Session, ir.Sets, ir.Jeffrey, ir.Gradient, ir.Sensitivity, ir.Follow:
			return true
		}
		return false
	})
}

func numbers(vars []model.VarID) []int {
	out := make([]int, len(vars))
	for i, v := range vars {
		out[i] = int(v)
	}
	return out
}

// upPairs plans the upward pass of the main tree by its contraction tree. A product of only
// constants is left to the operation that multiplies it with something else, where pass
// schedule-fold decides whether to make it.
func (b *builder) upPairs(name string, f *forest) *upward {
	u := &upward{builder: b, name: name, f: f, message: make([]*ir.ContractOp, len(f.leaves))}
	leaves := b.leavesOf(f)
	nodes := make([][]ir.TableID, 0, 2*len(leaves)) // by node: the tables whose product it is
	for _, t := range leaves {
		nodes = append(nodes, []ir.TableID{t})
	}
	steps, tops := b.pairs.Steps()
	nodes = append(nodes, make([][]ir.TableID, len(steps))...)
	for _, s := range steps {
		in := slices.Concat(nodes[s.Left], nodes[s.Right])
		if s.Constant && len(s.Sums) == 0 {
			nodes[s.Node] = in
			continue
		}
		scope := make([]model.VarID, len(s.Scope))
		for i, v := range s.Scope {
			scope[i] = model.VarID(v)
		}
		f.tree.Sort(scope)
		all := slices.Clone(scope)
		for _, v := range s.Sums {
			all = append(all, model.VarID(v))
		}
		f.tree.Sort(all)
		nodes[s.Node] = []ir.TableID{u.contract(u.set(all)+" → "+u.set(scope), scope, in, ir.ReduceSum)}
		for _, v := range s.Sums {
			u.message[f.tree.Rank[v]] = u.ops[len(u.ops)-1]
		}
	}
	var roots []ir.TableID
	for _, t := range tops {
		roots = append(roots, u.total(nodes[t])...)
	}
	u.finish(roots)
	return u
}

// total returns the sum over all variables of the product of tables, unless they have none.
func (u *upward) total(in []ir.TableID) []ir.TableID {
	if !u.reduces(nil, in) {
		return in
	}
	t := u.contract("sum onto {}", nil, in, ir.ReduceSum)
	for _, x := range in {
		for _, v := range u.s.Tables[x].Scope {
			if !u.f.fixed(v) {
				u.message[u.f.tree.Rank[v]] = u.ops[len(u.ops)-1]
			}
		}
	}
	return []ir.TableID{t}
}

// leavesOf returns the tables of f in the order of the leaves of the contraction tree: factors,
// then likelihoods.
func (b *builder) leavesOf(f *forest) []ir.TableID {
	at := map[int]ir.TableID{}
	var likelihoods []ir.TableID
	for _, t := range slices.Concat(slices.Concat(f.leaves...), f.scalars) {
		if n, ok := b.factorOf[t]; ok {
			at[n] = t
		} else {
			likelihoods = append(likelihoods, t)
		}
	}
	var leaves []ir.TableID
	for _, n := range b.all() {
		leaves = append(leaves, at[n])
	}
	slices.SortFunc(likelihoods, func(x, y ir.TableID) int { return int(b.s.Tables[x].Var - b.s.Tables[y].Var) })
	return append(leaves, likelihoods...)
}
