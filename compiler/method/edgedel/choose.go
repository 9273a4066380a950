package edgedel

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Edge is a variable in the scope of a factor, where it is to be replaced: in a Bayesian network, a
// parent and the CPD of its child.
type Edge struct {
	Factor int
	Parent model.VarID
}

// chooser finds edges whose deletion brings the clusters of a fixed elimination order within a
// budget.
type chooser struct {
	m       *model.Model
	budget  float64            // ln of the most joint states of a cluster
	price   func(Edge) float64 // what deleting an edge costs, above zero
	scope   [][]model.VarID    // by factor: the variables that it still has
	deleted []Edge
	holders [][]*group // by variable: the groups that have it, the oldest first
}

// group is factors that elimination has multiplied: one factor, or a message and the groups that it
// is made of. Vars are those that it is over: a message has lost the one that was eliminated, while
// its parts still have it.
type group struct {
	factor int
	parts  []*group
	vars   []model.VarID
}

// Choose gives the edges to delete so that no cluster of the order has more than budget joint
// states, where that can be had by deleting edges, beside those out of variables that are always
// observed, which go first. Edges come by factor and parent. It plays bucket elimination through.
// Where a bucket is too large, it makes one of two kinds of move: take a neighbour out of all
// factors of the bucket, or the bucket's variable out of one of its messages or factors. Of all
// moves it makes the one that gains most, as ln of the bucket's size, for its price; where none
// gains by itself, the cheapest of the second kind, which helps in the end.
//
// Source: Choi, Chan and Darwiche 2005, section 5 (deleting edges while a bucket exceeds the
// threshold); which edge goes first is ours.
func Choose(m *model.Model, order []int, budget float64, observed []model.VarID, price func(Edge) float64) []Edge {
	return choose(m, order, budget, outOf(m, observed), price)
}

// outOf are the edges out of some variables.
func outOf(m *model.Model, vars []model.VarID) (edges []Edge) {
	c := chooser{m: m}
	for n, f := range m.Factors {
		c.scope = append(c.scope, slices.Clone(f.Scope))
		for _, v := range vars {
			if c.deletable(n, v) {
				c.delete(Edge{n, v})
			}
		}
	}
	return c.deleted
}

// choose is Choose, where some edges are gone already.
func choose(m *model.Model, order []int, budget float64, gone []Edge, price func(Edge) float64) []Edge {
	const rounding = 1e-9 // of logarithms
	c := &chooser{m: m, budget: math.Log(budget) + rounding, price: price, holders: make([][]*group, len(m.Vars))}
	for _, f := range m.Factors {
		c.scope = append(c.scope, slices.Clone(f.Scope))
	}
	for _, e := range gone {
		c.delete(e)
	}
	for n := range m.Factors {
		c.add(&group{factor: n, vars: slices.Clone(c.scope[n])})
	}
	for _, v := range order {
		c.eliminate(model.VarID(v))
	}
	sortEdges(c.deleted)
	return c.deleted
}

func sortEdges(edges []Edge) {
	slices.SortFunc(edges, func(a, b Edge) int {
		if a.Factor != b.Factor {
			return a.Factor - b.Factor
		}
		return int(a.Parent - b.Parent)
	})
}

// deletable reports whether v can be taken out of factor n: it is there, is not the variable whose
// CPD that is, and not the last one.
func (c *chooser) deletable(n int, v model.VarID) bool {
	return slices.Contains(c.scope[n], v) && c.m.Factors[n].ChildVar() != v && len(c.scope[n]) > 1
}

func (c *chooser) delete(e Edge) {
	c.scope[e.Factor] = without(c.scope[e.Factor], e.Parent)
	c.deleted = append(c.deleted, e)
}

// without is list without v, which it has once at most.
func without(list []model.VarID, v model.VarID) []model.VarID {
	if i := slices.Index(list, v); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

func (c *chooser) add(g *group) {
	for _, v := range g.vars {
		c.holders[v] = append(c.holders[v], g)
	}
}

// eliminate brings the bucket of v within the budget, and replaces its groups by their product.
func (c *chooser) eliminate(v model.VarID) {
	for {
		groups := c.holders[v]
		cluster := clusterOf(v, groups)
		size := c.m.LogTableSize(cluster)
		if size <= c.budget || !c.move(v, cluster, size) {
			c.merge(v, slices.Clone(groups), cluster)
			return
		}
	}
}

// clusterOf is v and the variables of groups, ascending.
func clusterOf(v model.VarID, groups []*group) []model.VarID {
	all := []model.VarID{v}
	for _, g := range groups {
		all = append(all, g.vars...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (c *chooser) merge(v model.VarID, groups []*group, cluster []model.VarID) {
	for _, g := range groups {
		for _, u := range g.vars {
			c.release(u, g)
		}
	}
	c.add(&group{parts: groups, vars: without(cluster, v)})
}

// release notes that g has v no more.
func (c *chooser) release(v model.VarID, g *group) {
	i := slices.Index(c.holders[v], g)
	c.holders[v] = slices.Delete(c.holders[v], i, i+1)
}

// move deletes the edges of the best move; false where there is none.
func (c *chooser) move(v model.VarID, cluster []model.VarID, size float64) bool {
	var from []*group
	var out model.VarID
	worth := math.Inf(-1)
	try := func(u model.VarID, groups []*group, gain float64) {
		price, ok := c.priceOf(u, groups)
		w := gain / price
		if gain < 1e-12 { // which logarithms round to
			w = -price
		}
		if ok && w > worth {
			from, out, worth = groups, u, w
		}
	}
	groups := c.holders[v]
	for _, u := range cluster {
		if u != v {
			try(u, having(u, groups), math.Log(float64(c.m.Card(u))))
		}
	}
	for i, g := range groups {
		if len(g.vars) == 1 {
			continue
		}
		rest := slices.Delete(slices.Clone(groups), i, i+1)
		try(v, []*group{g}, size-c.m.LogTableSize(clusterOf(v, rest)))
	}
	for _, g := range from {
		c.take(out, g)
		c.release(out, g)
	}
	return from != nil
}

// having are those of groups that have v.
func having(v model.VarID, groups []*group) []*group {
	return slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return !slices.Contains(g.vars, v) })
}

// priceOf is what taking v out of groups costs; ok is false where one of the edges has to stay.
func (c *chooser) priceOf(v model.VarID, groups []*group) (price float64, ok bool) {
	for _, g := range having(v, groups) {
		if g.parts == nil {
			if !c.deletable(g.factor, v) {
				return 0, false
			}
			price += c.price(Edge{g.factor, v})
			continue
		}
		part, ok := c.priceOf(v, g.parts)
		if !ok {
			return 0, false
		}
		price += part
	}
	return price, true
}

// take deletes the edges by which g has v.
func (c *chooser) take(v model.VarID, g *group) {
	g.vars = without(g.vars, v)
	if g.parts == nil {
		c.delete(Edge{g.factor, v})
		return
	}
	for _, part := range having(v, g.parts) {
		c.take(v, part)
	}
}
