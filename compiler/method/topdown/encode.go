package topdown

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// encoded is a model as a search needs it.
type encoded struct {
	*search
	numbers []float64 // by symbol
}

// encode reads the tables of m.
func encode(ctx *method.Context, m *model.Model) (*encoded, error) {
	cards := make([]int, len(m.Vars))
	for v := range cards {
		cards[v] = m.Card(model.VarID(v))
	}
	e := &encoded{search: newSearch(cards), numbers: []float64{0}}
	symbol := map[float64]int32{0: zero}
	for _, f := range m.Factors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values, err := m.Tabulate(f, ctx.MaxTable)
		if err != nil {
			return nil, err
		}
		scope, symbols := make([]int32, len(f.Scope)), make([]int32, len(values))
		for k, v := range f.Scope {
			scope[k] = int32(v)
		}
		for i, x := range values {
			s, ok := symbol[x]
			if !ok {
				s = int32(len(e.numbers))
				symbol[x], e.numbers = s, append(e.numbers, x)
			}
			symbols[i] = s
		}
		e.add(scope, symbols)
	}
	return e, nil
}

// open returns the number of variables that have several states and stand for themselves.
func (e *encoded) open() (n int) {
	for v := range int32(len(e.domain)) {
		if !e.assigned(v) && e.isRepresentative(v) {
			n++
		}
	}
	return n
}

// left returns a model with the scopes of the rests of the factors of m. Its factors have no
// distributions.
func (e *encoded) left(m *model.Model) *model.Model {
	out := *m
	out.Factors = nil
	for f, id := range e.table {
		if t := &e.list[id]; len(t.axes) > 1 {
			g := &model.Factor{Child: -1}
			for _, a := range t.axes {
				g.Scope = append(g.Scope, model.VarID(e.factors[f].scope[a]))
			}
			out.Factors = append(out.Factors, g)
		}
	}
	for v, list := range e.neighbours {
		for _, w := range list {
			if int32(v) < w {
				g := &model.Factor{Child: -1, Scope: []model.VarID{model.VarID(v), model.VarID(w)}}
				out.Factors = append(out.Factors, g)
			}
		}
	}
	return &out
}

// The weights of an order against the number of factors of a variable: one that is not exceeded,
// one from which the order is tried first, and one with which it is tried besides.
const (
	mostWeight   = 1e9
	strongWeight = 1e4
	mildWeight   = 2
)

// weights returns how early to branch on each variable, by an elimination order of g, which has n
// variables that count: the last first, so that components follow the tree of the order. The
// narrower the order, the more that counts beside the number of factors of a variable (Korhonen and
// Järvisalo, "Integrating tree decompositions into decision heuristics of propositional model
// counters", 2021). It also returns a way in which that counts as little as the number of factors,
// and reports whether the first is to be preferred.
func weights(g *model.Model, list []int, n int) (out, mild heuristic, strong bool) {
	width, count := 1, float64(max(n, 1))
	if c := order.FromModel(g).CostOf(list); c.Width > 0 {
		width = c.Width
	}
	scale := min(mostWeight, 100*math.Exp(count/float64(width))/count)
	rank, strict := make([]int32, len(list)), scale/float64(len(list)) > 1+maxActivity
	out = heuristic{rank: rank, weight: make([]float64, len(list)), strict: strict}
	mild = heuristic{rank: rank, weight: make([]float64, len(list))}
	for i, v := range list {
		at := float64(i) / float64(len(list))
		rank[v], out.weight[v], mild.weight[v] = int32(i), scale*at, mildWeight*at
	}
	return out, mild, scale >= strongWeight
}

// numberNodes returns the node of the number of each symbol.
func (e *encoded) numberNodes(out *nodes) []int32 {
	list := make([]int32, len(e.numbers))
	for s, x := range e.numbers {
		switch x {
		case 0:
			list[s] = nodeZero
		case 1:
			list[s] = nodeOne
		default:
			list[s] = out.leaf(model.CircuitNumber, int32(s), 0)
		}
	}
	return list
}

// scopeOf returns the first n variables.
func scopeOf(n int) []model.VarID {
	list := make([]model.VarID, n)
	for v := range list {
		list[v] = model.VarID(v)
	}
	return slices.Clip(list)
}
