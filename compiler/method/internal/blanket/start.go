package blanket

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// FindStart searches a start: variable by variable, each by its likelihood and the factors that are
// complete with it. In a dependency network, where any state will do, and where blind, each is
// drawn by its likelihood alone.
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

// completed gives by level, a variable of an order each, the factors whose variables all have
// states with it, and of those with zeros the earlier levels of their variables.
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
		if last < 0 {
			continue // a factor of nothing, which is a constant
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

// searchOrder is the order in which a start is searched, and the factors that have zeros. Where
// none has, the order is that of forward sampling; elsewhere a greedy elimination order from its
// end, in which few earlier variables are the reason that one has no state left.
func searchOrder(m *model.Model) (list []model.VarID, zeros []bool) {
	zeros = make([]bool, len(m.Factors))
	for n, f := range m.Factors {
		zeros[n] = f.Dist.HasZeros()
	}
	switch {
	case m.Kind == model.Dependency || m.Kind != model.Bayes && !slices.Contains(zeros, true):
		for v := range m.Vars {
			list = append(list, model.VarID(v))
		}
	case !slices.Contains(zeros, true):
		return m.Topological(), zeros
	default:
		r := order.Best(order.FromModel(m), order.Options{Heuristics: []order.Heuristic{order.MinFill}})
		for _, v := range slices.Backward(r.Order) {
			list = append(list, model.VarID(v))
		}
		for v := range m.Vars { // where the graph is too dense for an order
			if len(r.Order) < len(m.Vars) && !slices.Contains(list, model.VarID(v)) {
				list = append(list, model.VarID(v))
			}
		}
	}
	return list, zeros
}

// mostReasons bounds the memory for what backjumps go by.
const mostReasons = 1 << 24

// backjumps gives for each level the last one before it that can be a reason why it has no state
// left, or -1: of its own earlier neighbours, and those of the levels that come back to it.
func backjumps(earlier [][]int) []int {
	back := make([]int, len(earlier))
	total := 0
	for i := len(earlier) - 1; i >= 0; i-- {
		slices.Sort(earlier[i])
		reasons := slices.Compact(earlier[i])
		if total += len(reasons); total > mostReasons {
			back[i] = i - 1 // which is always right
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
