package edgedel

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Edge is a variable in the scope of a factor, where it is to be replaced. In a Bayesian network
// these are a parent and the CPD of its child.
type Edge struct {
	Factor int // index in the model
	Parent model.VarID
}

// chooser chooses edges so that their deletion brings the clusters of a fixed elimination order
// within a budget.
type chooser struct {
	m       *model.Model
	budget  float64            // ln of the largest number of joint states of a cluster
	price   func(Edge) float64 // price of deleting an edge, above 0
	scope   [][]model.VarID    // by factor: its remaining variables
	deleted []Edge
	holders [][]*group // by variable: the groups that contain it, the oldest first
}

// group is a factor, or the message that elimination has computed from the groups in parts. Its
// scope is vars. A message has lost the eliminated variable, while its parts still contain it.
type group struct {
	factor int
	parts  []*group
	vars   []model.VarID
}

// Choose returns edges so that their deletion leaves no cluster of the order with more than budget
// joint states, if deletions can achieve that. It first deletes the edges out of observed
// variables. The result is sorted by factor and parent.
//
// Choose simulates bucket elimination. If a bucket is too large, it makes one of two kinds of move:
// it removes a neighbour from all factors of the bucket, or the bucket's variable from one of its
// messages or factors. It makes the move with the largest reduction of ln of the bucket's size per
// price. If no single move reduces the size, it makes the cheapest of the second kind, which helps
// eventually.
//
// Source: Choi, Chan and Darwiche 2005, section 5 (deleting edges while a bucket exceeds the
// threshold). The ranking of edges is new here.
func Choose(m *model.Model, order []int, budget float64, observed []model.VarID, price func(Edge) float64) []Edge {
	return choose(m, order, budget, outOf(m, observed), price)
}

// outOf returns the edges out of some variables.
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

// choose is Choose after some edges are deleted already.
func choose(m *model.Model, order []int, budget float64, gone []Edge, price func(Edge) float64) []Edge {
	const rounding = 1e-9 // rounding error of logarithms
	c := &chooser{m: m, budget: pgmrt.Ln(budget) + rounding, price: price, holders: make([][]*group, len(m.Vars))}
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

// deletable reports whether v can be removed from factor n: v is in its scope, the factor is not
// the CPD of v, and v is not the only variable.
func (c *chooser) deletable(n int, v model.VarID) bool {
	return slices.Contains(c.scope[n], v) && c.m.Factors[n].ChildVar() != v && len(c.scope[n]) > 1
}

func (c *chooser) delete(e Edge) {
	c.scope[e.Factor] = without(c.scope[e.Factor], e.Parent)
	c.deleted = append(c.deleted, e)
}

// without removes v from list, which contains it at most once.
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

// clusterOf returns v and the variables of groups, ascending.
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

// release records that g no longer contains v.
func (c *chooser) release(v model.VarID, g *group) {
	i := slices.Index(c.holders[v], g)
	c.holders[v] = slices.Delete(c.holders[v], i, i+1)
}

// move makes the best move. It reports false if there is none.
func (c *chooser) move(v model.VarID, cluster []model.VarID, size float64) bool {
	var from []*group
	var out model.VarID
	best := math.Inf(-1)
	try := func(u model.VarID, groups []*group, gain float64) {
		price, ok := c.priceOf(u, groups)
		w := gain / price
		if gain < 1e-12 { // 0 up to rounding
			w = -price
		}
		if ok && w > best {
			from, out, best = groups, u, w
		}
	}
	groups := c.holders[v]
	for _, u := range cluster {
		if u != v {
			try(u, having(u, groups), pgmrt.Ln(float64(c.m.Card(u))))
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
		c.remove(out, g)
		c.release(out, g)
	}
	return from != nil
}

// having returns the groups that contain v.
func having(v model.VarID, groups []*group) []*group {
	return slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return !slices.Contains(g.vars, v) })
}

// priceOf returns the price of removing v from groups. It reports false if an edge cannot be
// deleted.
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

// remove deletes the edges through which g contains v.
func (c *chooser) remove(v model.VarID, g *group) {
	g.vars = without(g.vars, v)
	if g.parts == nil {
		c.delete(Edge{g.factor, v})
		return
	}
	for _, part := range having(v, g.parts) {
		c.remove(v, part)
	}
}
