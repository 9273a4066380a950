package factors

import (
	"github.com/pgmc-go/pgmc/ir/model"
)

// BreadthFirst returns the variables in breadth-first order of the factor graph, one connected
// component after the other. It reports whether the graph is a forest.
func BreadthFirst(m *model.Model) (order []model.VarID, forest bool) {
	forest = true
	factors := make([][]int, len(m.Vars)) // by variable: its factors over several variables
	for n, f := range m.Factors {
		for _, v := range f.Scope {
			if len(f.Scope) > 1 {
				factors[v] = append(factors[v], n)
			}
		}
	}
	seen, used := make([]bool, len(m.Vars)), make([]bool, len(m.Factors))
	for root := range m.Vars {
		if seen[root] {
			continue
		}
		seen[root] = true
		queue := []model.VarID{model.VarID(root)}
		for len(queue) > 0 {
			v := queue[0]
			queue, order = queue[1:], append(order, v)
			for _, n := range factors[v] {
				if used[n] {
					continue
				}
				used[n] = true
				for _, u := range m.Factors[n].Scope {
					if u != v {
						forest = forest && !seen[u]
						if !seen[u] {
							seen[u] = true
							queue = append(queue, u)
						}
					}
				}
			}
		}
	}
	return order, forest
}
