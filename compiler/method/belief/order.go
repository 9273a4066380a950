package belief

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/model"
)

// flood has every message of a round made of those of the round before.
func (b *builder) flood() {
	for v := range b.Model.Vars {
		b.Round = b.ups(b.Round, model.VarID(v))
	}
	for v := range b.Model.Vars {
		b.Round = b.downs(b.Round, model.VarID(v))
	}
}

// sweep goes through the variables from the leaves to the roots and back. At each it takes in the messages of its factors, and then
// sends them its own. The first root needs
// no second visit: nothing near it has changed.
func (b *builder) sweep() {
	order, _ := method.BreadthFirst(b.Model)
	visit := func(v model.VarID) {
		b.Round = b.ups(b.downs(b.Round, v), v)
	}
	for _, v := range slices.Backward(order) {
		visit(v)
	}
	for _, v := range order[min(1, len(order)):] {
		visit(v)
	}
}
