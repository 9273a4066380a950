package engine

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/structure"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Picture is the reply to "picture". Its lists are in the order of the elements of the picture.
type Picture struct {
	SVG   string   `json:"svg"`
	Nodes []int    `json:"nodes"` // by node: its variable in Loaded.Variables, or -1
	Edges [][2]int `json:"edges"` // by edge: its ends, as in Nodes
}

// mostDrawn is the most variables of a picture.
const mostDrawn = 2000

// picture draws the structure, of a larger network the part of a variable and its Markov blanket.
func (e *Engine) picture(name string) (*Picture, error) {
	graph := model.NewGraph(e.m)
	drawn := make([]model.VarID, len(e.m.Vars))
	for i := range drawn {
		drawn[i] = model.VarID(i)
	}
	if len(drawn) > mostDrawn {
		v, ok := e.m.VarByName(name)
		if !ok {
			return nil, fmt.Errorf("the network has %d variables, too many for a picture; choose the name of one to see it among its neighbours", len(drawn))
		}
		drawn = append(slices.Clone(graph.Blanket(v.ID)), v.ID)
		if len(drawn) > mostDrawn {
			return nil, fmt.Errorf("%q has %d neighbours; a picture has at most %d variables", name, len(drawn)-1, mostDrawn)
		}
		slices.Sort(drawn)
	}
	g := e.structure(graph, drawn)
	if e.m.Diagram != nil && len(drawn) == len(e.m.Vars) {
		g = structure.Graph(e.m, graph)
	}
	text, err := g.SVG()
	out := &Picture{SVG: text, Nodes: []int{}, Edges: [][2]int{}}
	seen := e.seen()
	for _, v := range drawn {
		out.Nodes = append(out.Nodes, seen[v])
	}
	for range g.Nodes[len(drawn):] { // utilities
		out.Nodes = append(out.Nodes, -1)
	}
	for _, x := range g.Edges {
		out.Edges = append(out.Edges, [2]int{out.Nodes[x.From], out.Nodes[x.To]})
	}
	return out, err
}

// seen returns for each variable its place among those that are not latent, or -1.
func (e *Engine) seen() []int {
	out, n := make([]int, len(e.m.Vars)), 0
	for i, v := range e.m.Vars {
		out[i] = -1
		if !v.Latent {
			out[i] = n
			n++
		}
	}
	return out
}

// structure returns the graph of the variables in drawn, which are sorted.
func (e *Engine) structure(graph *model.Graph, drawn []model.VarID) *draw.Graph {
	g := &draw.Graph{Name: e.m.Name}
	node := map[model.VarID]int{}
	for i, v := range drawn {
		node[v] = i
		g.Nodes = append(g.Nodes, draw.Node{Lines: []string{e.m.Vars[v].Name}, Note: e.m.Vars[v].Name})
	}
	if e.m.Kind == model.Markov {
		g.Kind = draw.Undirected
	}
	for i, v := range drawn {
		others := graph.Blanket(v)
		if g.Kind != draw.Undirected {
			others = graph.Parents[v]
		}
		for _, o := range others {
			if at, ok := node[o]; ok && (g.Kind != draw.Undirected || o < v) {
				g.Edges = append(g.Edges, draw.Edge{From: at, To: i})
			}
		}
	}
	return g
}
