package picture

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Difference counts the edges of two structures over the same variables. In a Markov network, edges
// join variables that share a potential.
type Difference struct {
	Common  int `json:"common"`
	Missing int `json:"missing"` // of the first structure alone
	Added   int `json:"added"`   // of the second structure alone
	Turned  int `json:"turned"`  // of both, with another direction
}

// Compare returns both structures in one drawing: edges of both are grey, edges of only the first
// red and dashed, edges of only the second green, and edges with another direction in the second,
// drawn as there, amber. Variables of only one model are green or red as well.
func Compare(first, second *model.Model) (*draw.Graph, Difference) {
	var d Difference
	g := &draw.Graph{Name: first.Name + " and " + second.Name, Kind: draw.Directed}
	if first.Kind == model.Markov && second.Kind == model.Markov {
		g.Kind = draw.Undirected
	}
	index := map[string]int{}
	for _, m := range []*model.Model{first, second} {
		for _, v := range m.Vars {
			if _, known := index[v.Name]; !known {
				index[v.Name] = len(g.Nodes)
				g.Nodes = append(g.Nodes, draw.Node{Lines: []string{v.Name}, Note: v.Name, Tone: draw.Blue})
			}
		}
	}
	old, fresh := edges(first, index), edges(second, index)
	add := func(e [2]int, style draw.Style, note string) {
		g.Edges = append(g.Edges, draw.Edge{From: e[0], To: e[1], Style: style, Note: note})
	}
	for _, e := range fresh {
		turned := [2]int{e[1], e[0]}
		switch {
		case slices.Contains(old, e):
			d.Common++
			add(e, draw.Plain, "in both")
		case slices.Contains(old, turned):
			d.Turned++
			add(e, draw.Turned, "turned")
		default:
			d.Added++
			add(e, draw.Added, "added")
		}
	}
	for _, e := range old {
		if !slices.Contains(fresh, e) && !slices.Contains(fresh, [2]int{e[1], e[0]}) {
			d.Missing++
			add(e, draw.Missing, "missing")
		}
	}
	for _, k := range []struct {
		n     int
		style draw.Style
		text  string
	}{{d.Common, draw.Plain, "in both"}, {d.Missing, draw.Missing, "missing: in the first alone"},
		{d.Added, draw.Added, "added: in the second alone"}, {d.Turned, draw.Turned, "turned: drawn as in the second"}} {
		if k.n > 0 {
			g.Key = append(g.Key, draw.KeyEntry{Style: k.style, Text: fmt.Sprintf("%d %s", k.n, k.text)})
		}
	}
	return g, d
}

// edges returns the edges of m by the numbers of their variables, from parents to children; edges
// of a Markov network from the lower number to the higher.
func edges(m *model.Model, index map[string]int) [][2]int {
	var list [][2]int
	g := model.NewGraph(m)
	number := func(v model.VarID) int { return index[m.Vars[v].Name] }
	for x := range m.Vars {
		if m.Kind == model.Markov {
			for _, y := range g.Blanket(model.VarID(x)) {
				if a, b := number(model.VarID(x)), number(y); a < b {
					list = append(list, [2]int{a, b})
				}
			}
			continue
		}
		for _, p := range g.Parents[x] {
			list = append(list, [2]int{number(p), index[m.Vars[x].Name]})
		}
	}
	return list
}
