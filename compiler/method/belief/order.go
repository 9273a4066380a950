package belief

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// flood plans an iteration in which every message is computed from the previous one's.
func (b *builder) flood() {
	for v := range b.Model.Vars {
		b.Round = b.toFactors(b.Round, model.VarID(v))
	}
	for v := range b.Model.Vars {
		b.Round = b.fromFactors(b.Round, model.VarID(v))
	}
}

// sweep plans an iteration that visits the variables from the leaves to the roots and back. At each
// variable the messages of its factors are computed, and then its own. The first root needs no
// second visit, since nothing near it has changed.
func (b *builder) sweep() {
	order, _ := factors.BreadthFirst(b.Model)
	visit := func(v model.VarID) {
		b.Round = b.toFactors(b.fromFactors(b.Round, v), v)
	}
	for _, v := range slices.Backward(order) {
		visit(v)
	}
	for _, v := range order[min(1, len(order)):] {
		visit(v)
	}
}

// visits plans the residual schedule: each variable is visited once, from the leaves to the roots,
// and then always one with neighbours that have changed most since its last visit.
func (b *builder) visits() {
	order, _ := factors.BreadthFirst(b.Model)
	slices.Reverse(order)
	place := make([]int32, len(order))
	for i, v := range order {
		place[v] = int32(i)
	}
	b.Priority = true
	for _, v := range order {
		item := loop.Item{Name: "visit " + b.Model.Vars[v].Name, Ops: b.toFactors(b.fromFactors([]ir.Op{b.Clear()}, v), v)}
		for _, e := range b.edges[v] {
			for _, u := range b.Model.Factors[e.factor].Scope {
				if u != v {
					item.Push = append(item.Push, place[u])
				}
			}
		}
		slices.Sort(item.Push)
		item.Push = slices.Compact(item.Push)
		b.Items = append(b.Items, item)
	}
}

// forest reports whether the factor graph has no cycle.
func (b *builder) forest() bool {
	_, forest := factors.BreadthFirst(b.Model)
	return forest
}
