package data

import "github.com/pgmc-go/pgmc/ir/model"

// Parents returns the structure of a network: the parents of each of vars, as indices in vars. It
// matches variables by name and leaves out those that vars lacks.
func Parents(m *model.Model, vars []Var) [][]int {
	parents := make([][]int, len(vars))
	index := map[string]int{}
	for i, v := range vars {
		index[v.Name] = i
	}
	for _, f := range m.Factors {
		if f.ChildVar() < 0 {
			continue
		}
		x, ok := index[m.Vars[f.ChildVar()].Name]
		if !ok {
			continue
		}
		for _, u := range f.Parents() {
			if p, ok := index[m.Vars[u].Name]; ok {
				parents[x] = append(parents[x], p)
			}
		}
	}
	return parents
}
