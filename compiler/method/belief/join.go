package belief

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/model"
)

// join builds the join graph of mini-buckets. Variables are eliminated in order, and the factors
// and messages of a bucket are combined into clusters of at most that many joint states. The
// message of a mini-bucket is over its variables except the eliminated one. The mini-buckets of one
// bucket are linked in a chain by the eliminated variable. If no bucket is split, the result is a
// clique tree.
//
// Source: Mateescu, Kask, Gogate and Dechter 2010, Join-graph propagation algorithms, section 3.2.
func (g *regions) join(c *method.Context, states int) {
	var order []int
	for order = range c.Orders(g.m, 1) {
	}
	place := make([]int, len(order))
	for i, v := range order {
		place[v] = i
	}
	buckets := make([][]*part, len(order))
	put := func(p *part) {
		first := slices.MinFunc(p.scope, func(a, b model.VarID) int { return cmp.Compare(place[a], place[b]) })
		buckets[first] = append(buckets[first], p)
	}
	for _, f := range g.m.Factors {
		if len(f.Scope) > 0 {
			put(&part{scope: slices.Sorted(slices.Values(f.Scope))})
		}
	}
	for _, v := range order {
		id := model.VarID(v)
		var last *outer
		for _, o := range g.minibuckets(id, buckets[id], states) {
			if last != nil {
				g.edge([]model.VarID{id}, last, o)
			}
			last = o
			if rest := slices.DeleteFunc(slices.Clone(o.scope), func(u model.VarID) bool { return u == id }); len(rest) > 0 {
				put(&part{scope: rest, from: o})
			}
		}
	}
	g.merge()
}

// part is a factor, or the message of mini-bucket from.
type part struct {
	scope []model.VarID
	from  *outer
}

// minibuckets combines the parts of a bucket into clusters, the largest part first, each into the
// first cluster that stays within the number of joint states. A part that exceeds it is a cluster
// by itself.
func (g *regions) minibuckets(v model.VarID, parts []*part, states int) (list []*outer) {
	slices.SortStableFunc(parts, func(a, b *part) int { return len(b.scope) - len(a.scope) })
	var in [][]*part
	for _, p := range parts {
		k := slices.IndexFunc(list, func(o *outer) bool {
			n, ok := g.m.TableSize(union(o.scope, p.scope))
			return contains(o.scope, p.scope) || ok && n <= states
		})
		if k < 0 {
			k, list, in = len(list), append(list, &outer{}), append(in, nil)
		}
		list[k].scope, in[k] = union(list[k].scope, p.scope), append(in[k], p)
	}
	if len(list) == 0 {
		list = []*outer{{scope: []model.VarID{v}}}
		in = [][]*part{nil}
	}
	g.outers = append(g.outers, list...)
	for k, o := range list {
		for _, p := range in[k] {
			if p.from != nil {
				g.edge(p.scope, p.from, o)
			}
		}
	}
	return list
}

// edge adds an inner region that two clusters share.
func (g *regions) edge(scope []model.VarID, a, b *outer) {
	r := &inner{scope: scope, count: -1}
	for _, o := range []*outer{a, b} {
		l := &link{outer: o, inner: r}
		r.links, o.links = append(r.links, l), append(o.links, l)
	}
	g.inners = append(g.inners, r)
}

// merge merges clusters into neighbours that contain all their variables.
func (g *regions) merge() {
	gone := map[*outer]bool{}
	var kept []*inner
	for _, r := range g.inners {
		small, large := r.links[0].outer, r.links[1].outer
		if len(small.scope) > len(large.scope) {
			small, large = large, small
		}
		if small == large || len(small.scope) > len(r.scope) {
			kept = append(kept, r)
			continue
		}
		gone[small] = true
		for _, l := range small.links {
			if l.inner != r {
				l.outer = large
				large.links = append(large.links, l)
			}
		}
		large.links = slices.DeleteFunc(large.links, func(l *link) bool { return l.inner == r })
	}
	g.inners = kept
	g.outers = slices.DeleteFunc(g.outers, func(o *outer) bool { return gone[o] })
}
