package hillclimb

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// bound keeps structures to those that compile: no bucket of a min-fill elimination order, which is
// a clique of a junction tree, may have more joint states. The order that compiling finds is at
// least as good.
type bound struct {
	most    float64 // log2 of joint states; 0 for no bound
	vars    *model.Model
	refused map[move]bool // moves refused since the last removal of an edge: more edges never reduce the width
}

// slack is the rounding of logarithms of joint states that a bound allows.
const slack = 1e-9

func newBound(vars []data.Var, most float64) *bound {
	b := &bound{most: most, vars: &model.Model{}, refused: map[move]bool{}}
	for _, v := range vars {
		b.vars.NewVar(v.Name, v.States...)
	}
	return b
}

// check returns an error if an initial structure is too wide.
func (b *bound) check(parents [][]int) error {
	if w := b.width(parents); b.most > 0 && w > b.most+slack {
		return fmt.Errorf("the search would begin with a structure of width %.4g; want at most %.4g: fewer required edges, or a larger max-width", w, b.most)
	}
	return nil
}

// width returns log2 of the joint states of the largest clique.
func (b *bound) width(parents [][]int) float64 {
	g := order.NewGraph(b.vars)
	for v, p := range parents {
		g.Vertices = append(g.Vertices, v)
		family := []model.VarID{model.VarID(v)}
		for _, u := range p {
			family = append(family, model.VarID(u))
		}
		g.AddClique(family)
	}
	return math.Log2(order.Best(g, order.Options{Heuristics: []order.Heuristic{order.MinFill}}).Cost.Largest)
}

// allows reports whether a structure stays within the bound after a move.
func (b *bound) allows(parents [][]int, m move) bool {
	if b.most == 0 || m.kind == remove {
		return true
	}
	if b.refused[m] {
		return false
	}
	after := slices.Clone(parents)
	if m.kind == reverse {
		after[m.y] = slices.DeleteFunc(slices.Clone(after[m.y]), func(u int) bool { return u == m.x })
		after[m.x] = append(slices.Clone(after[m.x]), m.y)
	} else {
		after[m.y] = append(slices.Clone(after[m.y]), m.x)
	}
	if b.width(after) > b.most+slack {
		b.refused[m] = true
		return false
	}
	return true
}

// moved updates the bound after a move.
func (b *bound) moved(m move) {
	if m.kind != add {
		b.forget()
	}
}

// forget clears the bound's memory when the search continues from another structure.
func (b *bound) forget() { clear(b.refused) }
