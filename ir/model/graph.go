package model

import "slices"

// Graph is the structure of a model without its numbers. A Bayesian or a dependency network has an
// edge from each parent to its child. A Markov network has an edge between any two variables that
// share a potential.
type Graph struct {
	Kind     Kind
	Parents  [][]VarID   // by variable, in the order of its CPD; nil in a Markov network
	Children [][]VarID   // by variable, ascending; nil in a Markov network
	shared   [][]*Factor // by variable of a Markov network: the potentials that contain it
}

// NewGraph returns the graph of a model that passed its checks.
func NewGraph(m *Model) *Graph {
	g := &Graph{Kind: m.Kind}
	if m.Kind == Markov {
		g.shared = make([][]*Factor, len(m.Vars))
		for _, f := range m.Factors {
			for _, v := range f.Scope {
				g.shared[v] = append(g.shared[v], f)
			}
		}
		return g
	}
	g.Parents, g.Children = make([][]VarID, len(m.Vars)), make([][]VarID, len(m.Vars))
	for _, f := range m.Factors {
		child := f.ChildVar()
		if child < 0 {
			continue
		}
		g.Parents[child] = f.Parents()
		for _, p := range g.Parents[child] {
			g.Children[p] = append(g.Children[p], child)
		}
	}
	for _, list := range g.Children {
		slices.Sort(list)
	}
	return g
}

// Blanket returns the Markov blanket of v, ascending: given it, v is independent of all other
// variables. In a Bayesian network it is the parents, the children and the other parents of the
// children; in a Markov network the neighbours; in a dependency network the parents.
func (g *Graph) Blanket(v VarID) []VarID {
	var list []VarID
	switch g.Kind {
	case Markov:
		for _, f := range g.shared[v] {
			list = append(list, f.Scope...)
		}
	case Dependency:
		list = slices.Clone(g.Parents[v])
	default:
		list = slices.Concat(g.Parents[v], g.Children[v])
		for _, c := range g.Children[v] {
			list = append(list, g.Parents[c]...)
		}
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(u VarID) bool { return u == v })
}
