package blanket

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// FindStart returns the search for initial states of the discrete variables. It draws one variable
// after the other from the product of its likelihood and the factors with other variables that
// already have states. In a dependency network, in which any states will do, and if blind is set,
// it draws each variable only from its likelihood.
func (b *Plan) FindStart(blind bool) *ir.FindStartOp {
	m := b.Model
	order, zeros := searchOrder(m)
	complete, earlier := make([][]int, len(order)), make([][]int, len(order))
	if !blind && m.Kind != model.Dependency {
		complete, earlier = completed(m, order, zeros)
	}
	back := backjumps(earlier)
	op := &ir.FindStartOp{Outcome: b.Alive}
	for i, v := range order {
		vars := []model.VarID{v}
		op.Levels = append(op.Levels, ir.StartLevelOp{RowOp: b.Row(Scaled, vars, complete[i]), Weights: b.Kept("start of "+m.Vars[v].Name, v), Back: back[i]})
	}
	return op
}

// completed returns, for each level of the search, the factors with a last variable in the order
// that has that level. For those with zeros it also returns the levels of their other variables.
func completed(m *model.Model, order []model.VarID, zeros []bool) (complete, earlier [][]int) {
	complete, earlier = make([][]int, len(order)), make([][]int, len(order))
	level := make([]int, len(m.Vars))
	for i, v := range order {
		level[v] = i
	}
	for n, f := range m.Factors {
		last := -1
		for _, v := range f.Scope {
			last = max(last, level[v])
		}
		if last < 0 || hasReals(m, f) {
			continue // a constant, or no table of states
		}
		complete[last] = append(complete[last], n)
		for _, v := range f.Scope {
			if zeros[n] && level[v] < last {
				earlier[last] = append(earlier[last], level[v])
			}
		}
	}
	return complete, earlier
}

// searchOrder returns the order in which the search for initial states draws the variables, and
// which factors have zeros. With zeros it is the reverse of a min-fill elimination order, in which
// few earlier variables can be the reason that one has no state left. Without, it is a topological
// order of a Bayesian network, and the order of the model otherwise. A dependency network always
// has the order of the model. Real variables and their factors are left out.
func searchOrder(m *model.Model) (list []model.VarID, zeros []bool) {
	zeros = make([]bool, len(m.Factors))
	for n, f := range m.Factors {
		zeros[n] = f.Dist.HasZeros() && !hasReals(m, f)
	}
	switch {
	case m.Kind == model.Dependency || m.Kind != model.Bayes && !slices.Contains(zeros, true):
		for v := range m.Vars {
			list = append(list, model.VarID(v))
		}
	case !slices.Contains(zeros, true):
		list = m.Topological()
	default:
		r := order.Best(order.FromModel(discretePart(m)), order.Options{Heuristics: []order.Heuristic{order.MinFill}})
		for _, v := range slices.Backward(r.Order) {
			list = append(list, model.VarID(v))
		}
		for v := range m.Vars { // if the graph is too dense, the order is incomplete
			if len(r.Order) < len(m.Vars) && !slices.Contains(list, model.VarID(v)) {
				list = append(list, model.VarID(v))
			}
		}
	}
	return slices.DeleteFunc(list, m.IsReal), zeros
}

// discretePart returns m without the factors that have real variables.
func discretePart(m *model.Model) *model.Model {
	part := *m
	part.Factors = slices.DeleteFunc(slices.Clone(m.Factors), func(f *model.Factor) bool { return hasReals(m, f) })
	return &part
}

// maxReasons bounds the memory of backjumps: the total number of reasons of all levels.
const maxReasons = 1 << 24

// backjumps returns, for each level, the last earlier level that can be the reason why it has no
// state left, or -1. The reasons are its own earlier neighbours and the neighbours of the levels
// that jump back to it.
func backjumps(earlier [][]int) []int {
	back := make([]int, len(earlier))
	total := 0
	for i := len(earlier) - 1; i >= 0; i-- {
		slices.Sort(earlier[i])
		reasons := slices.Compact(earlier[i])
		if total += len(reasons); total > maxReasons {
			back[i] = i - 1 // always correct, if slower
			continue
		}
		if len(reasons) == 0 {
			back[i] = -1
			continue
		}
		last := len(reasons) - 1
		back[i] = reasons[last]
		earlier[back[i]] = append(earlier[back[i]], reasons[:last]...)
	}
	return back
}
